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
import { type Entry, filesOf, importWith, linesOf, ndjson } from '../importing.ts'

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

/** Returns customers with a subscription and two invoices each, invoices first. */
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

/** Expects that everything in `history` is recorded, once. */
const expectRecorded = async (customers: number): Promise<void> => {
  const client = createClient(service)
  expect(await Array.fromAsync(client.customers.all())).toHaveLength(customers)
  expect(await Array.fromAsync(client.invoices.all())).toHaveLength(customers * 2)
  const subscriptions = await Array.fromAsync(client.subscriptions.all())
  const ends = subscriptions.map(({ current_period_end }) => current_period_end)
  expect(ends).toEqual(range(customers).map(() => Date.UTC(2024, 2, 1) / 1000))
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

describe('import', () => {
  it('records every row if responses are 429, 503 or lost', async () => {
    const { paths } = filesOf({ 'rows.ndjson': history(5) })
    const transient: Fault[] = [
      { answer: 429, retryAfter: 0 },
      { answer: 503, retryAfter: 0 },
      { lose: 'request' },
      { lose: 'answer' },
    ]
    for (const operation of ['customers.create', 'invoices.create'] as const)
      for (const [index, fault] of transient.entries())
        await service.faults.add({ ...fault, operation, call: index + 1, times: 2 })
    const { counts } = await importWith(environment(), paths)
    expect(counts).toMatchObject({ rows: 15, conflict: 0, invalid: 0, failed: 0 })
    expect(counts.created + counts.unchanged).toBe(15)
    expect(await service.faults.pending()).toEqual([])
    await expectRecorded(5)
  })

  it('records everything once, however often it is killed and repeated', async () => {
    const customers = runs(40, 400)
    const { paths, report } = filesOf({ 'rows.ndjson': history(customers) })
    const args = ['bin/import.ts', ...paths, '--report', report, '--concurrency', '4']
    for (let kills = 0; kills < runs(2, 20); kills += 1) {
      const env = { ...process.env, ...environment() }
      const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
      const ended = once(child, 'exit')
      // It is killed some time after it has recorded something.
      for (const before = sizeOf(report); sizeOf(report) <= before && child.exitCode === null; )
        await pause(5)
      await pause(randomInt(100))
      child.kill('SIGKILL')
      await ended
    }
    const { code, out, err } = await runToEnd(process.execPath, args, environment())
    const all = (customers * 3).toLocaleString('en')
    expect([code, err]).toEqual([0, expect.stringContaining(`Rows recorded: all ${all} (`)])
    const { rows, resumed, created, unchanged } = JSON.parse(out)
    expect(resumed + created + unchanged).toBe(rows)
    await expectRecorded(customers)
    const numbers = linesOf(report).map(({ row }) => row)
    expect(numbers.sort((a, b) => a - b)).toEqual(range(customers * 3).map((each) => each + 1))
  })

  it.each([
    ['a file is missing', []],
    ['--from must be one of ndjson, csv, stripe', ['-', '--from', 'x']],
    ['--concurrency must be a number from 1 to 1000', ['-', '--concurrency', '0']],
    ['"-" is named twice', ['-', '-']],
    ['--map must be a column and a field, such as "Customer ID=id" (got "id")', ['-', '--map', 'id']],
    ['--decimal must be "," or "." (got ";")', ['a.csv', '--decimal', ';']],
    ['--dates must be DD, MM and YYYY in any order, with ', ['a.csv', '--dates', 'dd.mm.yy']],
    ['--dates must be DD, MM and YYYY in any order, with ', ['a.csv', '--dates', 'DD.MM']],
    ['--zone must be a time zone, such as America/New_York (got "Berlin")', ['a.csv', '--zone', 'Berlin']],
    ['--zone is for CSV files, and there is none', ['a.ndjson', '--zone', 'UTC']],
    ['--empty is for CSV files, and there is none', ['a.ndjson', '--empty', 'NULL']],
    [
      '--set must be a field and a value, such as "prices:type=recurring" (got "type")',
      ['a.csv', '--set', 'type'],
    ],
    ['--leave-out must be REST', ['a.csv', '--leave-out', 'Notes']],
    ['--decimal is for CSV files, and there is none', ['a.ndjson', '--decimal', ',']],
    ['--dates is for CSV files, and there is none', ['a.csv', '--from', 'stripe', '--dates', 'DD.MM.YYYY']],
    ['refuses the application id and the API key', ['-', '--app-id', 'app_x']],
    ['--app-id or BILLING_APP_ID must be the id of an application', ['-', '--app-id', 'ä']],
    ['unknown option --api-key', ['-', '--api-key', 'x']],
    ['cannot read "absent.ndjson"', ['absent.ndjson']],
    ['cannot read "/tmp": EISDIR', ['/tmp']],
    ['"package.json": it exists and is not a report', ['-', '--report', 'package.json']],
  ])('explains in one line why it cannot run: %s', async (message, args) => {
    await expect(importWith(environment(), args, '{}\n')).rejects.toThrow(message)
  })

  it('reads the key from a pipe where the environment has none, unless the rows come from there', async () => {
    const { BILLING_API_KEY: key, ...env } = environment()
    const { paths } = filesOf({ 'rows.ndjson': ndjson([['customer', customerBody()]]) })
    expect((await importWith(env, paths, `${key}\n`)).counts).toMatchObject({ created: 1 })
    const message = 'BILLING_API_KEY or the standard input must be an API key'
    for (const input of ['', 'bdk_ä\n']) await expect(importWith(env, paths, input)).rejects.toThrow(message)
    await expect(importWith(env, ['-'])).rejects.toThrow('BILLING_API_KEY is required where - reads')
  })

  it('refuses a read-only key before the first row, unless it is a dry run', async () => {
    const env = { ...environment(), BILLING_API_KEY: service.readOnlyApiKey }
    await expect(importWith(env, ['-'], '{}')).rejects.toThrow(
      'the API key is read-only ("bdr_…"), enough for --dry-run: an import needs one that begins with "bdk_"',
    )
  })

  it('repeats a row for as long as the service may take to recover, and then ends', async () => {
    await service.faults.add({ answer: 503, operation: 'customers.create', times: 1_000_000, retryAfter: 0 })
    const start = performance.now()
    const { now } = performance
    const MINUTES_A_SECOND = 10 * 60
    jest
      .spyOn(performance, 'now')
      .mockImplementation(() => start + (now.call(performance) - start) * MINUTES_A_SECOND)
    const { paths } = filesOf({ 'rows.ndjson': ndjson([['customer', customerBody()]]) })
    await expect(importWith(environment(), paths)).rejects.toThrow('has processed nothing for 600 s')
  })

  it('gives up after a while if the service does not respond', async () => {
    const { now } = performance
    jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) * 10)
    const importing = importWith(environment(), ['-', '--url', 'http://127.0.0.1:2'])
    await expect(importing).rejects.toThrow(
      /^http:\/\/127.0.0.1:2 does not respond as this service does \(.*ECONNREFUSED/,
    )
  })

  it('exits with 2 if rows were refused, with 1 for wrong arguments, and shows its usage', async () => {
    const said: string[] = []
    for (const name of ['log', 'error'] as const)
      jest.spyOn(console, name).mockImplementation((...texts) => void said.push(...texts))
    jest.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { paths } = filesOf({ 'rows.ndjson': '{}\n' })
    const codes: unknown[] = []
    for (const args of [paths, [], ['--help']]) {
      await importMain('npx import', args, environment())
      codes.push(process.exitCode)
      process.exitCode = undefined
    }
    expect(codes).toEqual([2, 1, undefined])
    const missing = 'import: a file is missing; - is standard input (--help shows the usage)'
    expect(said).toEqual([
      expect.stringMatching(/^{"rows":1,.*"invalid":1,/),
      missing,
      expect.stringMatching(/^usage: npx import FILE…/),
    ])
  })
})
