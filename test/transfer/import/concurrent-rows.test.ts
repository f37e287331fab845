import { setImmediate as turn } from 'node:timers/promises'
import { createLimiter } from '../../../client/limiter.ts'
import { processRows } from '../../../tools/transfer/import/concurrent-rows.ts'
import { rowOf } from '../../../tools/transfer/row.ts'
import { range } from '../../support/range.ts'
import { customerBody, invoiceBody } from '../../support/requests/bodies.ts'
import type { Entry } from '../importing.ts'

const broken = new Error('the disk is full')

/**
 * Processes rows that take two turns of the event loop each. Returns when each started and ended, in order, and what stopped
 * them: the row `failing` fails after its first turn.
 */
const process = async (entries: readonly Entry[], failing?: number) => {
  const events: string[] = []
  const limiter = createLimiter(8)
  const rows = entries.map(([type, data], row) => rowOf({ file: '-', row, type, data }))
  const processing = processRows(
    rows,
    async ({ row }) => {
      events.push(`${row} starts`)
      await turn()
      if (row === failing) throw broken
      await turn()
      events.push(`${row} ends`)
    },
    limiter,
  )
  const stoppedBy = await processing.catch((error: unknown) => error)
  expect(limiter.signal.reason).toBe(stoppedBy)
  return { events, stoppedBy }
}

describe('processRows', () => {
  const customers = (ids: readonly unknown[]): Entry[] => ids.map((id) => ['customer', customerBody({ id })])
  const invoices = (subscriptionOf: (id: number) => string): Entry[] =>
    range(3).map((id) => ['invoice', invoiceBody({ id, subscription_id: subscriptionOf(id) })])

  it.each<[string, Entry[]]>([
    ['with one id, as a number and as text', customers(['7', 7, '7'])],
    ['of invoices of one subscription', invoices(() => 's')],
  ])('sends rows %s one after another, in order', async (_, entries) => {
    const { events } = await process(entries)
    expect(events).toEqual(range(3).flatMap((row) => [`${row} starts`, `${row} ends`]))
  })

  it.each<[string, Entry[]]>([
    ['of invoices of different subscriptions', invoices(String)],
    [
      'of different resources with one id',
      ['product', 'customer', 'discount'].map((type) => [type, { id: 'same' }]),
    ],
  ])('sends rows %s concurrently', async (_, entries) => {
    const { events } = await process(entries)
    expect(events.slice(0, 3)).toEqual(range(3).map((row) => `${row} starts`))
  })

  it('sends a row after the last one with its key, even if an earlier one has ended by then', async () => {
    // The last row is read when the first one has ended, since at most 2,000 are in memory.
    const ids = ['same', 'same', ...range(1_998), 'same']
    const { events } = await process(customers(ids))
    const order = events.filter((event) => /^(0|1|2000) /.test(event))
    expect(order).toEqual([0, 1, 2_000].flatMap((row) => [`${row} starts`, `${row} ends`]))
  })

  it.each([
    ['2,000 rows', 1, 2_001],
    ['64 MiB of rows', 16 * 1024 * 1024, 5],
  ])('reads no further row while %s are in progress', async (_, size, most) => {
    const row = rowOf({ file: '-', row: 1, type: 'customer', data: customerBody() })
    let read = 0
    function* rows() {
      for (; read < 3_000; yield { ...row, keys: [], body: 'x'.repeat(size) }) read += 1
    }
    const ends: (() => void)[] = []
    const held = () => new Promise<void>((resolve) => ends.push(resolve))
    const limiter = createLimiter(8)
    const processing = processRows(rows(), held, limiter)
    await turn()
    expect(read).toBe(most)
    limiter.stop(broken)
    for (const end of ends) end()
    await expect(processing).rejects.toBe(broken)
  })

  it('sends no further row after one has failed, and completes those in progress', async () => {
    const { events, stoppedBy } = await process(customers(range(9).map((id) => id % 3)), 1)
    expect(stoppedBy).toBe(broken)
    expect(events).toEqual(['0 starts', '1 starts', '2 starts', '0 ends', '2 ends'])
  })
})
