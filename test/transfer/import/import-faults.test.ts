import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '../../../client/index.ts'
import { createTestService, type Fault, type TestService } from '../../../tools/testing/index.ts'
import { importMain } from '../../../tools/transfer/import/import-command.ts'
import { runToEnd } from '../../support/processes/local-process.ts'
import { range } from '../../support/range.ts'
import { customerBody, invoiceBody } from '../../support/requests/bodies.ts'
import { runs } from '../../support/runs.ts'
import { type Entry, importWith, ndjson, reportLines, writeFiles } from '../importing.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  await service.reset()
  // Retries are immediate unless Retry-After asks for a pause.
  jest.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => jest.restoreAllMocks())

const environment = () => ({
  BILLING_URL: service.baseUrl,
  BILLING_APP_ID: service.appId,
  BILLING_API_KEY: service.apiKey,
})

/** Returns lines with customers who have a subscription and two invoices each, invoices first. */
const history = (customers: number): string => {
  const ids = range(customers).map(String)
  const invoices = ids.flatMap((id) =>
    ['2024-02-01', '2024-03-01'].map((period_end, index): Entry => {
      const fields = { id: `${id}-${index}`, customer_id: id, subscription_id: id, period_end }
      return ['invoice', invoiceBody(fields)]
    }),
  )
  return ndjson([...invoices, ...ids.map((id): Entry => ['customer', customerBody({ id })])])
}

const expectRecorded = async (customers: number): Promise<void> => {
  const client = createClient(service)
  expect(await Array.fromAsync(client.customers.all())).toHaveLength(customers)
  expect(await Array.fromAsync(client.invoices.all())).toHaveLength(customers * 2)
  const subscriptions = await Array.fromAsync(client.subscriptions.all())
  const ends = subscriptions.map(({ current_period_end }) => current_period_end)
  expect(ends).toEqual(range(customers).map(() => Date.UTC(2024, 2, 1) / 1000))
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Runs an import in a process, and kills it some time after it has recorded something. */
const importAndKill = async (args: readonly string[], report: string): Promise<void> => {
  const env = { ...process.env, ...environment() }
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
  const ended = once(child, 'exit')
  const sizeBefore = sizeOf(report)
  while (sizeOf(report) <= sizeBefore && child.exitCode === null) await pause(5)
  await pause(randomInt(100))
  child.kill('SIGKILL')
  await ended
}

const wrongArguments: [message: string, args: string[]][] = [
  ['the name of a file is missing; "-" is the standard input', []],
  ['--from must be one of ndjson, csv, stripe', ['-', '--from', 'x']],
  ['--concurrency must be a number from 1 to 1000', ['-', '--concurrency', '0']],
  ['"-" is named twice', ['-', '-']],
  ['--map must be a column and a field, such as "Customer ID=id" (got "id")', ['-', '--map', 'id']],
  ['--decimal must be "," or "." (got ";")', ['a.csv', '--decimal', ';']],
  ['--dates must be DD, MM and YYYY in any order, with ', ['a.csv', '--dates', 'dd.mm.yy']],
  ['--dates must be DD, MM and YYYY in any order, with ', ['a.csv', '--dates', 'DD.MM']],
  ['--zone must be a time zone, such as America/New_York (got "Berlin")', ['a.csv', '--zone', 'Berlin']],
  ['--ends must be inclusive or exclusive (got "open")', ['a.csv', '--ends', 'open']],
  ['--zone concerns only CSV files, and there are none', ['a.ndjson', '--zone', 'UTC']],
  ['--empty concerns only CSV files, and there are none', ['a.ndjson', '--empty', 'NULL']],
  ['--only concerns only CSV files, and there are none', ['a.ndjson', '--only', 'a=b']],
  ['--map concerns only CSV files, and there are none', ['a.ndjson', '--map', 'Number=id']],
  [
    '--set must be a field and a value, such as "prices:type=recurring" (got "type")',
    ['a.csv', '--set', 'type'],
  ],
  ['--leave-out must be REST', ['a.csv', '--leave-out', 'Notes']],
  ['--decimal concerns only CSV files, and there are none', ['a.ndjson', '--decimal', ',']],
  [
    '--dates concerns only CSV files, and there are none',
    ['a.csv', '--from', 'stripe', '--dates', 'DD.MM.YYYY'],
  ],
  ['refuses the application id and the API key', ['-', '--app-id', 'app_x']],
  ['--app-id or BILLING_APP_ID must be the id of an application', ['-', '--app-id', 'ä']],
  ['unknown option --api-key', ['-', '--api-key', 'x']],
  ['cannot read "absent.ndjson"', ['absent.ndjson']],
  ['cannot read "/tmp": EISDIR', ['/tmp']],
  ['"package.json": it exists and is not a report', ['-', '--report', 'package.json']],
]

describe('import', () => {
  it('records every row if responses are 429, 503 or lost', async () => {
    const { paths } = writeFiles({ 'rows.ndjson': history(5) })
    const transientFaults: Fault[] = [
      { answer: 429, retryAfter: 0 },
      { answer: 503, retryAfter: 0 },
      { lose: 'request' },
      { lose: 'answer' },
    ]
    for (const operation of ['customers.create', 'invoices.create'] as const)
      for (const [index, fault] of transientFaults.entries())
        await service.faults.add({ ...fault, operation, call: index + 1, times: 2 })
    const { counts } = await importWith(environment(), paths)
    expect(counts).toMatchObject({ rows: 15, conflict: 0, invalid: 0, failed: 0 })
    expect(counts.created + counts.unchanged).toBe(15)
    expect(await service.faults.pending()).toEqual([])
    await expectRecorded(5)
  })

  it('records everything once, however often it is killed and repeated', async () => {
    const customers = runs(40, 400)
    const rowCount = customers * 3
    const { paths, report } = writeFiles({ 'rows.ndjson': history(customers) })
    const args = ['bin/import.ts', ...paths, '--report', report, '--concurrency', '4']
    for (let kills = 0; kills < runs(2, 20); kills += 1) await importAndKill(args, report)
    const { code, out, err } = await runToEnd(process.execPath, args, environment())
    const total = rowCount.toLocaleString('en')
    expect(err).toContain(`Recorded ${total} of ${total} rows (`)
    expect(code).toBe(0)
    const { rows, resumed, created, unchanged } = JSON.parse(out)
    expect(resumed + created + unchanged).toBe(rows)
    await expectRecorded(customers)
    const numbers = reportLines(report).map(({ row }) => row)
    expect(numbers.sort((a, b) => a - b)).toEqual(range(rowCount).map((index) => index + 1))
  })

  it.each(wrongArguments)('explains in one line why it cannot run: %s', async (message, args) => {
    await expect(importWith(environment(), args, '{}\n')).rejects.toThrow(message)
  })

  it('reads the key from a pipe if the environment has none, unless the pipe contains the rows', async () => {
    const { BILLING_API_KEY: key, ...env } = environment()
    const { paths } = writeFiles({ 'rows.ndjson': ndjson([['customer', customerBody()]]) })
    expect((await importWith(env, paths, `${key}\n`)).counts).toMatchObject({ created: 1 })
    const message = 'BILLING_API_KEY or the standard input must be an API key'
    for (const input of ['', 'bdk_ä\n']) await expect(importWith(env, paths, input)).rejects.toThrow(message)
    await expect(importWith(env, ['-'])).rejects.toThrow(
      'BILLING_API_KEY is required if "-" reads the standard input',
    )
  })

  it('refuses a read-only key before the first row, unless it is a dry run', async () => {
    const env = { ...environment(), BILLING_API_KEY: service.readOnlyApiKey }
    await expect(importWith(env, ['-'], '{}')).rejects.toThrow(
      'the API key is read-only ("bdr_…"), which is sufficient only for --dry-run: an import needs a key that begins with "bdk_"',
    )
  })

  /** Makes the clock of `performance` run faster. */
  const accelerateClock = (factor: number): void => {
    const { now } = performance
    const start = now.call(performance)
    jest.spyOn(performance, 'now').mockImplementation(() => start + (now.call(performance) - start) * factor)
  }

  it('retries a row for as long as the service may take to recover, and then ends', async () => {
    await service.faults.add({ answer: 503, operation: 'customers.create', times: 1_000_000, retryAfter: 0 })
    const TEN_MINUTES_A_SECOND = 10 * 60
    accelerateClock(TEN_MINUTES_A_SECOND)
    const { paths } = writeFiles({ 'rows.ndjson': ndjson([['customer', customerBody()]]) })
    await expect(importWith(environment(), paths)).rejects.toThrow('has processed no request for 10 minutes')
  })

  it('gives up after a while if the service does not respond', async () => {
    accelerateClock(10)
    const importing = importWith(environment(), ['-', '--url', 'http://127.0.0.1:2'])
    await expect(importing).rejects.toThrow(
      /^http:\/\/127.0.0.1:2 does not respond like this API \(.*ECONNREFUSED/,
    )
  })

  it('exits with 2 if rows were refused, with 1 for wrong arguments, and shows its usage', async () => {
    const printed: string[] = []
    for (const name of ['log', 'error'] as const)
      jest.spyOn(console, name).mockImplementation((...texts) => void printed.push(...texts))
    jest.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { paths } = writeFiles({ 'rows.ndjson': '{}\n' })
    const exitCodes: unknown[] = []
    for (const args of [paths, [], ['--help']]) {
      await importMain('npx import', args, environment())
      exitCodes.push(process.exitCode)
      process.exitCode = undefined
    }
    expect(exitCodes).toEqual([2, 1, undefined])
    expect(printed).toEqual([
      expect.stringMatching(/^{"rows":1,.*"invalid":1,/),
      'import: the name of a file is missing; "-" is the standard input (--help shows the usage)',
      expect.stringMatching(/^usage: npx import FILE…/),
    ])
  })
})
