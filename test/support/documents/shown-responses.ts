import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../processes/temporary-folder.ts'
import { pastedBlocks } from './shell-portability.ts'

const readText = (file: string): string => readFileSync(file, 'utf8')
const readSections = (file: string, from: string, to: string): string => {
  const text = readText(file)
  return text.slice(text.indexOf(from), text.indexOf(to))
}

/** Their commands print the responses that they show. */
export const documentsWithResponses: readonly (readonly [name: string, text: string])[] = [
  [
    'README.md',
    readSections('README.md', '## A five-minute tour', '## API overview') + readText('docs/api.md'),
  ],
  ['docs/data.md', readSections('docs/data.md', '# ', '## Remove an application')],
]

const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> }

/**
 * Replaces `npm run` by the command of the script, because the start of npm takes as long as that of the
 * script. Only the commands of the README run npm.
 */
const withoutNpm = (text: string): string =>
  text.replace(/npm run --silent (\w+) --/g, (_, name: string) => scripts[name]!)

export const blocksWithResponses = (text: string): string[] => pastedBlocks(text, ['sh'])

/** `my-data` becomes a new folder. */
export const commandsFor = (name: string, text: string, baseUrl: string): string[] => {
  const folder = join(temporaryFolder(), 'my-data')
  mkdirSync(folder)
  return blocksWithResponses(name === 'README.md' ? text : withoutNpm(text)).map((block) =>
    block.replaceAll('http://127.0.0.1:3000', baseUrl).replaceAll('my-data', folder),
  )
}

/** They differ between runs. */
const elided = (text: string): string =>
  text
    .replace(/\b(prod|price|cus|disc|inv|sub)_[0-9A-Za-z]{22}/g, '$1_…')
    .replace(/(_cursor":)"[^"]+"/g, '$1"…"')
    .replace(/("seconds":)[\d.]+/g, '$1…')

/** As JSON if it is JSON: a response may have more fields than a document shows. */
const jsonOrText = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

export const expectShownResponses = (out: string, text: string): void => {
  const shown = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => json).join('')
  expect(elided(out).split('\n').map(jsonOrText)).toMatchObject(shown.split('\n').map(jsonOrText))
}
