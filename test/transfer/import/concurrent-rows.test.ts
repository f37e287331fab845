import { setImmediate as turn } from 'node:timers/promises'
import { BillingApiError } from '../../../client/error.ts'
import { createLimiter } from '../../../client/limiter.ts'
import { processRows } from '../../../tools/transfer/import/concurrent-rows.ts'
import { rowSender } from '../../../tools/transfer/import/row-sender.ts'
import type { Result, Row } from '../../../tools/transfer/row.ts'
import { range } from '../../support/range.ts'
import { customerBody, invoiceBody } from '../../support/requests/bodies.ts'
import type { Entry } from '../importing.ts'

const diskFull = new Error('the disk is full')

/**
 * Processes rows that take two turns of the event loop each. Returns the starts and ends of rows, in order, and the error that
 * ended the processing. The row with the index `failing` fails after its first turn.
 */
const process = async (entries: readonly Entry[], failing?: number) => {
  const events: string[] = []
  const limiter = createLimiter(8)
  const rows = entries.map(([type, data], row) => ({ file: '-', row, type, data }))
  const processing = processRows(
    rows,
    async ({ row }) => {
      events.push(`${row} starts`)
      await turn()
      if (row === failing) throw diskFull
      await turn()
      events.push(`${row} ends`)
    },
    limiter,
  )
  const error = await processing.catch((reason: unknown) => reason)
  expect(limiter.signal.reason).toBe(error)
  return { events, error }
}

const sequence = (rows: readonly number[]): string[] =>
  rows.flatMap((row) => [`${row} starts`, `${row} ends`])

describe('processRows', () => {
  const customers = (ids: readonly unknown[]): Entry[] => ids.map((id) => ['customer', customerBody({ id })])
  const invoices = (subscriptionOf: (id: number) => string): Entry[] =>
    range(3).map((id) => ['invoice', invoiceBody({ id, subscription_id: subscriptionOf(id) })])

  it.each<[string, Entry[]]>([
    ['with one id, as a number and as text', customers(['7', 7, '7'])],
    ['of invoices of one subscription', invoices(() => 's')],
  ])('sends rows %s one after another, in order', async (_, entries) => {
    const { events } = await process(entries)
    expect(events).toEqual(sequence([0, 1, 2]))
  })

  it.each<[string, Entry[]]>([
    ['of invoices of different subscriptions', invoices(String)],
    [
      'of different resources with one id',
      ['product', 'customer', 'discount'].map((type) => [type, { id: 'same' }]),
    ],
  ])('sends rows %s concurrently', async (_, entries) => {
    const { events } = await process(entries)
    expect(events.slice(0, 3)).toEqual(['0 starts', '1 starts', '2 starts'])
  })

  it('sends a row after the last earlier row with its key, even if another one has ended by then', async () => {
    // At most 2,000 rows are in memory, so the last row is read when the first one has ended.
    const ids = ['same', 'same', ...range(1_998), 'same']
    const { events } = await process(customers(ids))
    const ofSame = events.filter((event) => /^(0|1|2000) /.test(event))
    expect(ofSame).toEqual(sequence([0, 1, 2_000]))
  })

  it.each([
    ['2,000 rows', 1, 2_001],
    ['64 MiB of rows', 16 * 1024 * 1024, 5],
  ])('reads only one more row while %s are in progress', async (_, size, expectedReads) => {
    let reads = 0
    function* rows() {
      while (reads < 3_000) {
        reads += 1
        yield { file: '-', row: reads, type: 'customer', data: { id: reads, name: 'x'.repeat(size) } }
      }
    }
    const endings: (() => void)[] = []
    const waitForEnd = () => new Promise<void>((resolve) => endings.push(resolve))
    const limiter = createLimiter(8)
    const processing = processRows(rows(), waitForEnd, limiter)
    await turn()
    expect(reads).toBe(expectedReads)
    limiter.stop(diskFull)
    for (const end of endings) end()
    await expect(processing).rejects.toBe(diskFull)
  })

  it('sends no further row after one has failed, and completes the rows in progress', async () => {
    const { events, error } = await process(customers(range(9).map((id) => id % 3)), 1)
    expect(error).toBe(diskFull)
    expect(events).toEqual(['0 starts', '1 starts', '2 starts', '0 ends', '2 ends'])
  })
})

describe('rowSender', () => {
  const row: Row = { file: '-', row: 1, type: 'customer', data: customerBody() }
  const created: Result = { outcome: 'created', server_id: 'cus_1', errors: [] }
  const MINUTE = 60_000

  beforeEach(() => void jest.useFakeTimers())
  afterEach(() => void jest.useRealTimers())

  interface Response {
    readonly minutes: number
    readonly status: number
  }

  /** Returns a function that sends a row to a service, which responds to each call with the next response. */
  const senderTo = (responses: readonly Response[]) => {
    const remaining = [...responses]
    const create = async () => {
      const { minutes, status } = remaining.shift()!
      jest.advanceTimersByTime(minutes * MINUTE)
      if (status === 200) return created
      throw new BillingApiError(`answered ${status}`, { status })
    }
    const send = rowSender({
      url: 'the service',
      appId: 'app',
      limiter: createLimiter(1),
      create,
      find: async () => undefined,
      isRecorded: async () => false,
    })
    return () => send(row)
  }

  it('reports a row as failed if all its attempts failed while others succeeded, and ends the import if none did', async () => {
    const send = senderTo([
      { minutes: 8, status: 200 },
      { minutes: 9, status: 503 },
      { minutes: 2, status: 503 },
    ])
    expect(await send()).toEqual(created)
    expect(await send()).toEqual({ outcome: 'failed', server_id: null, errors: ['answered 503'] })
    await expect(send()).rejects.toThrow('the service has processed no request for 10 minutes (answered 503)')
  })

  it.each([
    { outcome: 'conflict', statuses: [409] },
    { outcome: 'invalid', statuses: [400, 403, 413, 415, 422] },
    { outcome: 'failed', statuses: [500] },
  ])('reports a row as $outcome if the response is one of $statuses', async ({ outcome, statuses }) => {
    for (const status of statuses)
      expect(await senderTo([{ minutes: 11, status }])()).toMatchObject({ outcome, server_id: null })
  })

  it.each([401, 404, 405])(
    'ends the import after a response with status %s, which no create returns',
    (status) =>
      expect(senderTo([{ minutes: 0, status }])()).rejects.toThrow(
        `the service refuses a request: answered ${status}`,
      ),
  )
})
