import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openApiDocument } from '../../shared/openapi/document.ts'
import { toolCommand } from '../../tools/packages/tools.ts'

const redocly = toolCommand('redocly')
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

interface Report {
  readonly totals: { readonly errors: number; readonly warnings: number; readonly ignored: number }
  readonly problems: readonly { readonly ruleId: string; readonly message: string }[]
}

const folder = mkdtempSync(join(tmpdir(), 'lint-'))
afterAll(() => rmSync(folder, { recursive: true }))

const lint = async (name: string, document: object): Promise<Report> => {
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(document))
  // Faults make it end with another code than 0; the report says more.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [redocly, 'lint', file, '--extends=recommended', '--format=json'],
    { cwd: folder, env: { ...process.env, ...quiet } },
  ).catch((error: { stdout: string }) => error)
  return JSON.parse(stdout) as Report
}

describe("Redocly's recommended rules", () => {
  it('find neither fault nor warning', async () => {
    const { totals, problems } = await lint('document', openApiDocument('https://billing.test/live'))
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
    expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 })
  })

  it('find the faults of a document that has some', async () => {
    const { security, ...document } = openApiDocument('http://localhost:3000')
    const { problems } = await lint('faulty', document)
    expect(problems.map(({ ruleId }) => ruleId)).toContain('security-defined')
  })
})
