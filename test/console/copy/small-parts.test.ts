import type { Movement, MovementsMonth } from '../../../client/analytics/index.ts'
import { retentionSince } from '../../../console/figures/retention.ts'
import { segmentMovements } from '../../../console/figures/segment-figures.ts'
import { sumsOf } from '../../../console/lists/list-sums.ts'
import { segmentOf } from '../../../console/records/segments.ts'
import { filledCopy, invoice } from './support.ts'

const movement = (customer_id: string, month: number, amount: number): Movement => ({
  customer_id,
  month,
  amount,
  currency: 'EUR',
  kind: 'new',
})

it('retention compares the end of a month with now, of those who paid then', () => {
  const movements = [
    movement('kept', 600, 1000),
    movement('grown', 599, 500),
    movement('grown', 601, 300),
    movement('gone', 600, 700),
    movement('gone', 602, -700),
    movement('back', 600, 200),
    movement('back', 601, -200),
    movement('back', 603, 250),
    movement('later', 601, 9000),
  ]
  expect(retentionSince(movements, 600)).toEqual({ start: 2400, kept: 2050, lost: 700 })
})

it('the movements of a segment add up over the months, and what is not there is 0', () => {
  const month = { name: '', start: 100, new: 20, reactivation: 3, expansion: 4, contraction: -5, churn: -10 }
  const months = new Map(
    [
      { ...month, month: 600, end: 112, customers: 1 },
      { ...month, month: 601, start: 112, end: 124, customers: 1 },
    ].map((each): [number, MovementsMonth] => [each.month, each]),
  )
  const empty = { value: 'empty', months: new Map(), billed: 0 }
  expect(segmentMovements([empty, { value: 'DE', months, billed: 0 }], [600, 601])).toEqual([
    {
      value: 'DE',
      start: 100,
      new: 40,
      reactivation: 6,
      expansion: 8,
      contraction: -10,
      churn: -20,
      end: 124,
    },
    { value: 'empty', start: 0, new: 0, reactivation: 0, expansion: 0, contraction: 0, churn: 0, end: 0 },
  ])
})

it.each([
  [{ country: 'DE' }, 'DE'],
  [{ country: '' }, 'none'],
  [{ country: null }, 'none'],
  [{}, 'none'],
  [undefined, 'none'],
  [{ country: 0 }, '0'],
  [{ country: false }, 'false'],
  [{ country: { code: 'DE' } }, '{"code":"DE"}'],
])('the segment of metadata %j is "%s"', (metadata, expected) => {
  expect(segmentOf(metadata === undefined ? {} : { metadata }, 'country')).toBe(expected)
})

it('an invoice of 0 is no credit', () => {
  const row = (id: string, amount: number) => ({
    path: ['invoices', id] as const,
    customer: 'ann',
    currency: 'EUR',
    cells: { total: { amount, currency: 'EUR' } },
  })
  const [sums] = sumsOf([row('free', 0), row('credit', -5), row('paid', 7)], ['EUR'])
  expect(sums).toEqual({ currency: 'EUR', count: 3, amounts: { total: 2 }, credits: { count: 1, total: -5 } })
})

it('the trend of a plan is of its last 24 months', async () => {
  const billed = Array.from({ length: 40 }, (_, month) => invoice(`${month}`, { days: month * 30 }))
  const [plan] = (await filledCopy([], billed)).answer('plan', 'Pro').currencies
  expect([plan!.months.length, plan!.months[0]!.name, plan!.months.at(-1)!.name]).toEqual([
    24,
    '2024-07',
    '2026-06',
  ])
})
