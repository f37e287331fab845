import { runToEnd } from './support/local-process.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

/** Runs a check as on a machine without Python, Java, Maven and Chromium. */
const check = (script: string, CI: string) =>
  runToEnd(process.execPath, [script], {
    ...{ CI, PATH: '/nowhere', CHROMIUM: '/nowhere', XDG_CACHE_HOME: temporaryFolder() },
  })

describe('a check whose tool is missing', () => {
  it.each([
    ['test/browser/client.ts', 'Chromium'],
    ['test/browser/docs-page.ts', 'Chromium'],
    ['test/dynamodb-local/run.ts', 'Java 17 and Maven'],
    ['test/generators/run.ts', 'Python 3'],
    ['test/schemathesis/run.ts', 'Python 3'],
    ['test/template/run.ts', 'Python 3'],
  ])('%s fails if CI is set', async (script, tool) => {
    const err = expect.stringMatching(`^Failed, since CI is set: .* ${tool}`)
    expect(await check(script, 'true')).toMatchObject({ code: 1, err })
  })

  it('is skipped elsewhere', async () => {
    const err = expect.stringMatching(/^Skipped: .* Java 17 and Maven/)
    expect(await check('test/dynamodb-local/run.ts', '')).toMatchObject({ code: 0, err })
  })
})
