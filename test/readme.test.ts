import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanUp, freeSettings, runToEnd, startLocal } from './support/local-process.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

/** One local service, on which the commands of all documents run one after the other. */
let env: NodeJS.ProcessEnv
let baseUrl: string
beforeAll(async () => {
  env = await freeSettings()
  baseUrl = (await startLocal(env)).baseUrl
})
afterAll(cleanUp)

const textOf = (file: string): string => readFileSync(file, 'utf8')
const sectionsOf = (file: string, from: string, to: string): string => {
  const text = textOf(file)
  return text.slice(text.indexOf(from), text.indexOf(to))
}
const blocksIn = (text: string, language: string): string =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code).join('')

/** Hides ids, cursors and durations, which differ between runs. */
const elided = (text: string): string =>
  text
    .replace(/\b(prod|price|cus|disc|inv|sub)_[0-9A-Za-z]{22}/g, '$1_…')
    .replace(/(_cursor":)"[^"]+"/g, '$1"…"')
    .replace(/("seconds":)[\d.]+/g, '$1…')

const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
/** Runs the scripts of a document without npm, whose start takes as long as theirs. The README's commands run npm. */
const withoutNpm = (text: string): string =>
  text.replace(/npm run --silent (\w+) --/g, (_, name: string) => scripts[name]!)

/** Returns a line of output as JSON if it is JSON: a response may have more fields than a document shows. */
const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

it.each([
  [
    'README.md',
    [sectionsOf('README.md', '## A five-minute tour', '## The API in a page'), textOf('docs/api.md')],
  ],
  ['docs/data.md', [withoutNpm(sectionsOf('docs/data.md', '# ', '## Remove an application'))]],
])('%s shows the real responses to its commands', async (_, texts) => {
  const folder = join(temporaryFolder(), 'my-data')
  mkdirSync(folder)
  const text = texts.join('\n')
  const script = blocksIn(text, 'sh')
    .replaceAll('http://127.0.0.1:3000', baseUrl)
    .replaceAll('my-data', folder)
  const { code, out } = await runToEnd('sh', ['-euc', script], env)
  expect(elided(out).split('\n').map(parsed)).toMatchObject(blocksIn(text, 'json').split('\n').map(parsed))
  expect(code).toBe(0)
})
