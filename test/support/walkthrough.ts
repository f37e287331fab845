import { execFile, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import getPort from 'get-port'
import { temporaryFolder } from './temporary-folder.ts'

/** Hides ids, cursors and durations, which differ at each run. */
const elided = (text: string): string =>
  text
    .replace(/\b(prod|price|cus|disc|inv|sub)_[0-9A-Za-z]{22}/g, '$1_…')
    .replace(/(_cursor":)"[^"]+"/g, '$1"…"')
    .replace(/("seconds":)[\d.]+/g, '$1…')

const blocksIn = (text: string, language: string): string =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code).join('')

/**
 * Runs the commands of a document one after the other while a local service runs, with their folder `my-data` elsewhere.
 * Returns the lines that they print, and those that the document shows.
 */
export const walkThrough = async (text: string): Promise<{ printed: string[]; shown: string[] }> => {
  const [port, enginePort] = [await getPort(), await getPort()]
  const env = { ...process.env, PORT: String(port), DYNAMODB_PORT: String(enginePort) }
  const service = spawn(process.execPath, ['bin/local.ts', '--memory'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const folder = join(temporaryFolder(), 'my-data')
  mkdirSync(folder)
  try {
    await new Promise((resolve) => service.stdout.once('data', resolve))
    const script = blocksIn(text, 'sh').replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    const { stdout } = await promisify(execFile)('sh', ['-euc', script.replaceAll('my-data', folder)], {
      env,
    })
    return { printed: elided(stdout).trim().split('\n'), shown: blocksIn(text, 'json').trim().split('\n') }
  } finally {
    service.kill()
    await new Promise((resolve) => service.once('close', resolve))
  }
}
