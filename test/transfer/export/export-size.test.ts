import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { parseDate } from '../../../shared/contract/dates.ts'
import { currentService } from '../../../shared/store/service.ts'
import { dateText } from '../../../tools/transfer/date-text.ts'
import { temporaryFolder } from '../../support/processes/temporary-folder.ts'
import { range } from '../../support/range.ts'
import { newClient, serveForTests } from '../../support/requests/service.ts'
import { runs } from '../../support/runs.ts'

serveForTests()

const ENTITIES = runs(100, 1_000_000)
const CHUNK = 1_000
/** Too little memory for a command that keeps even one in a hundred of a million entities in it. */
const HEAP_LIMIT = '--max-old-space-size=64'

const customer = (number: number) => ({ id: `c${number}`, name: `Customer ${number}`, metadata: { number } })
const invoice = (number: number) => ({
  id: `i${number}`,
  total: number,
  created: '2024-01-01T00:00:00Z',
  period_start: '2024-01-01T00:00:00Z',
  period_end: '2024-02-01T00:00:00Z',
  currency: 'EUR',
  customer_id: `c${number}`,
  subscription_id: `s${number}`,
  line_items: [{ id: 'seat', amount: number, type: 'recurring' }],
})

/** Writes lines to a file. Returns the sum of their SHA-256, as in the manifest of an export. */
const writeLines = (
  file: string,
  type: string,
  count: number,
  dataOf: (number: number) => object,
): string => {
  let sum = 0n
  for (let start = 0; start < count; start += CHUNK) {
    const lines = range(Math.min(CHUNK, count - start)).map((index) =>
      JSON.stringify({ type, data: dataOf(start + index) }),
    )
    for (const line of lines) sum += BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)
    appendFileSync(file, `${lines.join('\n')}\n`)
  }
  return BigInt.asUintN(256, sum).toString(16).padStart(64, '0')
}

it(`imports ${ENTITIES} entities and exports them unchanged, in a heap of 64 MB`, async () => {
  currentService().log = () => undefined
  const { baseUrl, credentials } = await newClient()
  const env = { ...process.env, BILLING_API_KEY: credentials.api_key }
  const runNode = (...args: string[]) => promisify(execFile)(process.execPath, [HEAP_LIMIT, ...args], { env })
  const folder = temporaryFolder()
  const customers = join(folder, 'customers.ndjson')
  const invoices = join(folder, 'invoices.ndjson')
  const count = ENTITIES / 2
  const expected = [
    { type: 'customer', count, lines_sha256: writeLines(customers, 'customer', count, customer) },
    { type: 'invoice', count, lines_sha256: writeLines(invoices, 'invoice', count, invoice) },
  ]
  const app = credentials.app_id
  await runNode('bin/import.ts', customers, invoices, '--url', baseUrl, '--app-id', app)
  await runNode('bin/export.ts', '--app', app, '--out', join(folder, 'out'))
  const { files } = JSON.parse(readFileSync(join(folder, 'out', 'manifest.json'), 'utf8'))
  const withLines = files.filter((file: { readonly count: number }) => file.count > 0)
  expect(withLines).toMatchObject(expected)
})

it('writes any date that a create accepts as text that means the same date', () => {
  const earliest = parseDate('0000-01-01T00:00:00+23:59')!
  const firstInUtc = parseDate('0000-01-01T00:00:00Z')!
  const lastInUtc = parseDate('9999-12-31T23:59:59Z')!
  const latest = parseDate('9999-12-31T23:59:59-23:59')!
  // A date with an offset may be outside the years that have four digits in UTC.
  const bounds = [earliest, firstInUtc - 1, firstInUtc, lastInUtc, lastInUtc + 1, latest]
  fc.assert(
    fc.property(fc.integer({ min: earliest, max: latest }), (seconds) =>
      expect(parseDate(dateText(seconds))).toBe(seconds),
    ),
    { numRuns: runs(1_000, 100_000), examples: bounds.map((seconds) => [seconds]) },
  )
})
