import { setImmediate as turn } from 'node:timers/promises'
import { createLimiter } from '../../client/limiter.ts'
import { processRows } from '../../tools/transfer/concurrent-rows.ts'
import { type Row, rowOf } from '../../tools/transfer/row.ts'
import { customerBody, invoiceBody } from '../support/bodies.ts'
import type { Entry } from '../support/importing.ts'
import { upTo } from '../support/lists.ts'

const rowsOf = (entries: readonly Entry[]): Row[] =>
  entries.map(([type, data], index) => rowOf({ file: '-', row: index }, type, JSON.stringify(data))!)

/** Processes rows that take two turns of the event loop each. Returns when each started and ended, in order. */
const process = async (rows: readonly Row[]) => {
  const events: string[] = []
  async function* read() {
    yield* rows
  }
  await processRows(
    read(),
    async ({ row }) => {
      events.push(`${row} starts`)
      await turn()
      await turn()
      events.push(`${row} ends`)
    },
    createLimiter(8),
  )
  return events
}

describe('processRows', () => {
  const invoices = (subscriptionOf: (id: number) => string): Entry[] =>
    upTo(3).map((id) => ['invoice', invoiceBody({ id, subscription_id: subscriptionOf(id) })])

  it.each<[string, Entry[]]>([
    ['with one id, as a number and as text', ['7', 7, '7'].map((id) => ['customer', customerBody({ id })])],
    ['of invoices of one subscription', invoices(() => 's')],
  ])('sends rows %s one after another, in order', async (_, entries) => {
    const events = await process(rowsOf(entries))
    expect(events).toEqual(upTo(3).flatMap((row) => [`${row} starts`, `${row} ends`]))
  })

  it.each<[string, Entry[]]>([
    ['of invoices of different subscriptions', invoices(String)],
    [
      'of different resources with one id',
      ['product', 'customer', 'discount'].map((type) => [type, { id: 'same' }]),
    ],
  ])('sends rows %s concurrently', async (_, entries) => {
    const events = await process(rowsOf(entries))
    expect(events.slice(0, 3)).toEqual(upTo(3).map((row) => `${row} starts`))
  })

  it('sends no further row after one has failed, and completes those in progress', async () => {
    const [started, ended]: [number[], number[]] = [[], []]
    async function* read() {
      yield* rowsOf(upTo(9).map((id) => ['customer', customerBody({ id: `${id % 3}` })]))
    }
    const broken = new Error('the disk is full')
    const limiter = createLimiter(8)
    const processing = processRows(
      read(),
      async ({ row }) => {
        started.push(row)
        await turn()
        if (row === 1) throw broken
        await turn()
        ended.push(row)
      },
      limiter,
    )
    await expect(processing).rejects.toBe(broken)
    expect([started, ended]).toEqual([
      [0, 1, 2],
      [0, 2],
    ])
    expect(limiter.signal.reason).toBe(broken)
  })
})
