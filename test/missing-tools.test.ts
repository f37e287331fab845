import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { temporaryFolder } from './support/temporary-folder.ts'

/** Runs a check as on a machine without Python, Java, Maven and Chromium. */
const check = async (script: string, CI: string) => {
  const env = { CI, PATH: '/nowhere', CHROMIUM: '/nowhere', XDG_CACHE_HOME: temporaryFolder() }
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { said, code }
}

describe('a check whose tool is missing', () => {
  it.each([
    ['test/browser/client.ts', 'Chromium'],
    ['test/browser/docs-page.ts', 'Chromium'],
    ['test/dynamodb-local/run.ts', 'Java 17 and Maven'],
    ['test/generators/run.ts', 'Python 3'],
    ['test/schemathesis/run.ts', 'Python 3'],
    ['test/template/run.ts', 'Python 3'],
  ])('%s is skipped, and fails if CI is set', async (script, tool) => {
    const [here, inCi] = await Promise.all([check(script, ''), check(script, 'true')])
    expect(here).toEqual({ code: 0, said: expect.stringMatching(`^Skipped: .* ${tool}`) })
    expect(inCi).toEqual({ code: 1, said: expect.stringMatching(`^Failed, since CI is set: .* ${tool}`) })
  })
})
