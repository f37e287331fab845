import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { currentService } from '../../../shared/store/service.ts'
import { temporaryFolder } from '../../support/processes/temporary-folder.ts'
import { range } from '../../support/range.ts'
import { newClient, serveForTests } from '../../support/requests/service.ts'
import { runs } from '../../support/runs.ts'

serveForTests()

const ENTITIES = runs(100, 1_000_000)
const CHUNK = 1_000
/** Too little for commands that keep even one in a hundred of a million entities in memory. */
const HEAP = '--max-old-space-size=64'

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

/** Writes lines to a file. Returns the sum of their SHA-256. */
const write = (file: string, type: string, count: number, dataOf: (number: number) => object): string => {
  let sum = 0n
  for (let from = 0; from < count; from += CHUNK) {
    const lines = range(Math.min(CHUNK, count - from)).map((number) =>
      JSON.stringify({ type, data: dataOf(from + number) }),
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
  const node = (...args: string[]) => promisify(execFile)(process.execPath, [HEAP, ...args], { env })
  const folder = temporaryFolder()
  const [customers, invoices] = [join(folder, 'customers.ndjson'), join(folder, 'invoices.ndjson')]
  const half = ENTITIES / 2
  const expected = [
    { type: 'customer', count: half, lines_sha256: write(customers, 'customer', half, customer) },
    { type: 'invoice', count: half, lines_sha256: write(invoices, 'invoice', half, invoice) },
  ]
  const app = credentials.app_id
  await node('bin/import.ts', customers, invoices, '--url', baseUrl, '--app-id', app)
  await node('bin/export.ts', '--app', app, '--out', join(folder, 'out'))
  const { files } = JSON.parse(readFileSync(join(folder, 'out', 'manifest.json'), 'utf8'))
  expect(files.filter(({ count }: { count: number }) => count > 0)).toMatchObject(expected)
})
