import { execFile, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { catalogue } from '../shared/catalogue.ts'
import { allows } from '../shared/contract/schema.ts'
import { freePort } from '../tools/local/engine.ts'

const readme = readFileSync('README.md', 'utf8')
const tour = readme.slice(
  readme.indexOf('## A five-minute tour'),
  readme.indexOf('These commands and their answers'),
)
const blocks = (language: string): string =>
  [...tour.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code).join('')

/** Ids and cursors are other ones at each run. */
const elided = (text: string): string =>
  text
    .replace(/\b(prod|price|cus|disc|inv|sub)_[0-9A-Za-z]{22}/g, '$1_…')
    .replace(/(_cursor":)"[^"]+"/g, '$1"…"')

describe("the README's tour", () => {
  it('gives the answers it shows', async () => {
    const [port, enginePort] = [await freePort(), await freePort()]
    const env = { ...process.env, PORT: String(port), DYNAMODB_PORT: String(enginePort) }
    const service = spawn(process.execPath, ['bin/local.ts', '--memory'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      await new Promise((resolve) => service.stdout.once('data', resolve))
      const script = blocks('sh').replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
      const { stdout } = await promisify(execFile)('sh', ['-euc', script], { env })
      expect(elided(stdout).trim().split('\n')).toEqual(blocks('json').trim().split('\n'))
    } finally {
      service.kill()
      await new Promise((resolve) => service.once('close', resolve))
    }
  })
})

describe('the limits of fields', () => {
  const limits = catalogue.flatMap(({ body }) =>
    Object.entries(body?.properties ?? {}).flatMap(([name, schema]) => {
      const most = schema.maxItems ?? schema.maxProperties ?? (schema.maxLength as number | undefined)
      return most === undefined || schema.format || allows(schema, 'integer') ? [] : [[name, most] as const]
    }),
  )

  it.each([...new Map(limits)])('say that %s has at most %i', (name, most) => {
    const row = readme.split('\n').find((line) => line.startsWith('| ') && line.includes(`\`${name}\``))
    expect(row).toMatch(new RegExp(`\\| ${most.toLocaleString('en')} (?:characters|keys|items)`))
  })
})

describe('the commands', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object }
  const table = readme.slice(readme.indexOf('### Commands'), readme.indexOf('## Decisions'))

  it('of package.json are all in the README', () => {
    const named = [...table.matchAll(/`([\w:-]+)(?: [^`]*)?`/g), ...readme.matchAll(/`npm (\w+)`/g)]
    const known = new Set(named.map(([, name]) => name))
    expect(Object.keys(scripts).filter((name) => !known.has(name))).toEqual([])
  })

  it.each(['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)])('in %s exist', (file) => {
    const named = [...readFileSync(file, 'utf8').matchAll(/npm run (?:--silent )?([\w:-]+)/g)]
    expect(named.map(([, name]) => name).filter((name) => !Object.hasOwn(scripts, name!))).toEqual([])
  })
})
