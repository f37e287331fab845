import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setLogSink } from '../../shared/log.ts'
import { createApplication } from '../../tools/applications/applications.ts'
import { prepareTable } from '../../tools/local/database.ts'
import { startEngine } from '../../tools/local/engine.ts'
import { listen } from '../../tools/local/http-server.ts'
import { createGateway } from '../../tools/local/server.ts'
import { upTo } from '../support/lists.ts'
import { runs } from '../support/runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ENTITIES = runs(300, 1_000_000)
const CHUNK = 1_000
/** Both commands need more if they keep a hundredth of a million entities in memory. */
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

/** Writes so many lines, and returns the sum of their SHA-256. */
const write = (file: string, type: string, count: number, dataOf: (number: number) => object): string => {
  let sum = 0n
  for (let from = 0; from < count; from += CHUNK) {
    const lines = upTo(Math.min(CHUNK, count - from)).map((number) =>
      JSON.stringify({ type, data: dataOf(from + number) }),
    )
    for (const line of lines) sum += BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)
    appendFileSync(file, `${lines.join('\n')}\n`)
  }
  return BigInt.asUintN(256, sum).toString(16).padStart(64, '0')
}

it(`${ENTITIES} entities that were imported are exported as they were, in a heap of 64 MB`, async () => {
  const [folder, engine] = [temporaryFolder(), await startEngine()]
  await prepareTable(engine.endpoint, 'large')
  const { app_id, api_key } = await createApplication('Large')
  const env = { ...process.env, BILLING_API_KEY: api_key }
  const node = (...args: string[]) => promisify(execFile)(process.execPath, args, { env })
  const [customers, invoices] = [join(folder, 'customers.ndjson'), join(folder, 'invoices.ndjson')]
  const half = ENTITIES / 2
  const expected = [
    { type: 'customer', count: half, lines_sha256: write(customers, 'customer', half, customer) },
    { type: 'invoice', count: half, lines_sha256: write(invoices, 'invoice', half, invoice) },
  ]
  setLogSink(() => undefined)
  const server = createGateway()
  const url = await listen(server, { host: '127.0.0.1', port: 0 })
  const access = ['--url', url, '--app-id', app_id]
  await node(HEAP, 'bin/import.ts', customers, invoices, ...access)
  server.close()
  await node(HEAP, 'bin/export.ts', '--app', app_id, '--out', join(folder, 'out'))
  const { files } = JSON.parse(readFileSync(join(folder, 'out', 'manifest.json'), 'utf8'))
  await engine.stop()
  expect(files.filter(({ count }: { count: number }) => count > 0)).toMatchObject(expected)
})
