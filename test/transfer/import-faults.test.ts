import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '../../client/index.ts'
import { createTestService, type Fault, type TestService } from '../../tools/testing/index.ts'
import { importMain } from '../../tools/transfer/import-command.ts'
import { customerBody, invoiceBody } from '../support/bodies.ts'
import { type Entry, filesOf, importWith, linesOf, ndjson } from '../support/importing.ts'
import { upTo } from '../support/lists.ts'
import { runToEnd } from '../support/local-process.ts'
import { runs } from '../support/runs.ts'

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

const envOf = ({ baseUrl, appId, apiKey }: TestService) => ({
  BILLING_URL: baseUrl,
  BILLING_APP_ID: appId,
  BILLING_API_KEY: apiKey,
})

/** Returns customers with a subscription and two invoices each, invoices first. */
const history = (customers: number): Entry[] => {
  const ids = upTo(customers).map(String)
  const invoices = ids.flatMap((id) =>
    ['2024-02-01', '2024-03-01'].map((period_end, index): Entry => {
      const fields = { id: `${id}-${index}`, customer_id: id, subscription_id: id, period_end }
      return ['invoice', invoiceBody(fields)]
    }),
  )
  return [...invoices, ...ids.map((id): Entry => ['customer', customerBody({ id })])]
}

/** Expects that everything in `history` is recorded, once. */
const expectRecorded = async (customers: number): Promise<void> => {
  const client = createClient(service)
  const count = async (all: AsyncIterable<unknown>) => (await Array.fromAsync(all)).length
  expect(await count(client.customers.all())).toBe(customers)
  expect(await count(client.invoices.all())).toBe(customers * 2)
  const subscriptions = await Array.fromAsync(client.subscriptions.all())
  expect(subscriptions).toHaveLength(customers)
  const march = Date.UTC(2024, 2, 1) / 1000
  for (const { current_period_end } of subscriptions) expect(current_period_end).toBe(march)
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

describe('import', () => {
  it('records every row if responses are 429, 503 or lost', async () => {
    const { paths } = filesOf({ 'rows.ndjson': ndjson(history(5)) })
    const transient: Fault[] = [
      { answer: 429, retryAfter: 0 },
      { answer: 503, retryAfter: 0 },
      { lose: 'request' },
      { lose: 'answer' },
    ]
    for (const operation of ['customers.create', 'invoices.create'] as const)
      for (const [index, fault] of transient.entries())
        await service.faults.add({ ...fault, operation, call: index + 1, times: 2 })
    const { counts } = await importWith(envOf(service), paths)
    expect(counts).toMatchObject({ rows: 15, conflict: 0, invalid: 0, failed: 0 })
    expect(counts.created + counts.unchanged).toBe(15)
    expect(await service.faults.pending()).toEqual([])
    await expectRecorded(5)
  })

  it('records everything once, however often it is killed and repeated', async () => {
    const customers = runs(60, 400)
    const { paths, report } = filesOf({ 'rows.ndjson': ndjson(history(customers)) })
    const args = ['bin/import.ts', ...paths, '--report', report, '--concurrency', '4']
    const env = { ...process.env, ...envOf(service) }
    for (let kills = 0; kills < runs(2, 20); kills += 1) {
      const child: ChildProcess = spawn(process.execPath, args, { env, stdio: 'ignore' })
      const ended = once(child, 'exit')
      // It is killed some time after it has recorded something.
      for (const before = sizeOf(report); sizeOf(report) <= before && child.exitCode === null; )
        await pause(5)
      await pause(randomInt(200))
      child.kill('SIGKILL')
      await ended
    }
    const { code, out, err } = await runToEnd(process.execPath, args, envOf(service))
    const all = (customers * 3).toLocaleString('en')
    expect([code, err]).toEqual([0, expect.stringContaining(`Rows recorded: all ${all} (`)])
    const { rows, resumed, created, unchanged } = JSON.parse(out)
    expect(resumed + created + unchanged).toBe(rows)
    await expectRecorded(customers)
    const lines = linesOf(report)
    expect(lines.map(({ row }) => row).sort((a, b) => a - b)).toEqual(
      upTo(customers * 3).map((each) => each + 1),
    )
  })

  it.each([
    ['a file is missing', []],
    ['--from must be one of ndjson, csv, stripe', ['-', '--from', 'x']],
    ['--concurrency must be a number from 1 to 1000', ['-', '--concurrency', '0']],
    ['"-" is named twice', ['-', '-']],
    ['--map must be a column and a field, such as "Customer ID=id" (got "id")', ['-', '--map', 'id']],
    ['--decimal must be "," or "." (got ";")', ['a.csv', '--decimal', ';']],
    [
      '--dates must be DD, MM and YYYY in any order, with "." "/" "-" or a space between them, such as DD.MM.YYYY (got "dd.mm.yy")',
      ['a.csv', '--dates', 'dd.mm.yy'],
    ],
    ['--decimal is for CSV files, and there is none', ['a.ndjson', '--decimal', ',']],
    ['--dates is for CSV files, and there is none', ['a.csv', '--from', 'stripe', '--dates', 'DD.MM.YYYY']],
    ['refuses the application id and the API key', ['-', '--app-id', 'app_x']],
    ['--app-id or BILLING_APP_ID must be the id of an application', ['-', '--app-id', 'ä']],
    ["Unknown option '--api-key'", ['-', '--api-key', 'x']],
    ['cannot read "absent.ndjson"', ['absent.ndjson']],
    ['cannot read "/dev/null": it is not a file; "-" reads standard input', ['/dev/null']],
    [
      'cannot write the report "package.json": it exists and is not a report',
      ['-', '--report', 'package.json'],
    ],
  ])('explains in one line why it cannot run: %s', async (message, args) => {
    await expect(importWith(envOf(service), args, '{}\n')).rejects.toThrow(message)
  })

  it('reads the key from a pipe where the environment has none, unless the rows come from there', async () => {
    const { BILLING_API_KEY: key, ...env } = envOf(service)
    const { paths } = filesOf({ 'rows.ndjson': ndjson([['customer', customerBody()]]) })
    expect((await importWith(env, paths, `${key}\n`)).counts).toMatchObject({ created: 1 })
    const message = 'BILLING_API_KEY or the standard input must be an API key'
    for (const input of ['', 'bdk_ä\n']) await expect(importWith(env, paths, input)).rejects.toThrow(message)
    await expect(importWith(env, ['-'])).rejects.toThrow('BILLING_API_KEY is required where - reads')
  })

  it('refuses a read-only key before the first row, unless it is a dry run', async () => {
    const env = { ...envOf(service), BILLING_API_KEY: service.readOnlyApiKey }
    const { paths } = filesOf({ 'rows.ndjson': ndjson([['customer', customerBody()]]) })
    await expect(importWith(env, paths)).rejects.toThrow(
      'the API key is read-only ("bdr_…"), enough for --dry-run: an import needs one that begins with "bdk_"',
    )
  })

  it('gives up after a while if the service does not respond', async () => {
    const { now } = performance
    jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) * 10)
    const importing = importWith(envOf(service), ['-', '--url', 'http://127.0.0.1:2'])
    await expect(importing).rejects.toThrow(
      /^http:\/\/127.0.0.1:2 does not respond as this service does \(.*ECONNREFUSED/,
    )
  })

  it('exits with 2 if rows were refused, with 1 for wrong arguments, and shows its usage', async () => {
    const ended = await runToEnd(process.execPath, ['bin/import.ts', '-'], envOf(service), '{}\n')
    const { code, out, err } = ended
    expect([code, JSON.parse(out)]).toMatchObject([2, { rows: 1, invalid: 1 }])
    expect(err).toMatch(/-, line 1: invalid\. The line must be JSON such as/)
    const said: string[] = []
    for (const name of ['log', 'error'] as const)
      jest.spyOn(console, name).mockImplementation((...texts) => void said.push(...texts))
    await importMain('npx import', [], {})
    expect(process.exitCode).toBe(1)
    process.exitCode = undefined
    await importMain('npx import', ['--help'], {})
    const missing = 'import: a file is missing; - is standard input (--help shows the usage)'
    expect(said).toEqual([missing, expect.stringMatching(/^usage: npx import FILE…/)])
    expect(process.exitCode).toBeUndefined()
  })
})
