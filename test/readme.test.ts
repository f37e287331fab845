import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { freePort } from '../tools/local/engine.ts'

const readme = readFileSync('README.md', 'utf8')
const tour = readme.slice(readme.indexOf('## A five-minute tour'), readme.indexOf('## The API in a page'))
const blocks = (language: string): string =>
  [...tour.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code).join('')

/** Hides ids and cursors, which differ at each run. */
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
