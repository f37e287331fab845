import {
  billedBySegment,
  explainedMovementsOf,
  type Invoice,
  type Line,
  movementSums,
  movementsByMonth,
  movementsBySegment,
  planGrowth,
  retentionOver,
  segmentsBy,
} from '../../../client/analytics/index.ts'
import { segmentOfCustomer } from '../../../client/analytics/segments.ts'
import { idsOf, invoiceOf, lineOf, priceOf, seconds } from './invoices.ts'

/** Returns the invoice of a month of 2026 with lines that are for it. */
const invoiceFor = (month: number, lines: readonly Partial<Line>[], fields: Partial<Invoice> = {}) => {
  const period = { period_start: Date.UTC(2026, month - 1) / 1000, period_end: Date.UTC(2026, month) / 1000 }
  const line_items = lines.map((line) => lineOf({ ...period, price: priceOf('Pro'), ...line }))
  return invoiceOf({ created: period.period_start, line_items, ...fields })
}

it('explains a movement by the lines in its currency, with what the customer pays in it before and after', () => {
  const dollars = { amount: 700, currency: 'USD', price: priceOf('Extra') }
  const invoices = [
    invoiceFor(1, [{ amount: 1000 }, dollars]),
    invoiceFor(2, [{ amount: 1500 }, dollars]),
    invoiceFor(3, [{ amount: 1500 }, { ...dollars, amount: 400 }]),
  ]
  const movements = explainedMovementsOf(invoices, seconds('2026-03-15'))
  expect(movements.filter(({ kind }) => kind !== 'new')).toMatchObject([
    {
      currency: 'EUR',
      kind: 'expansion',
      before: 1000,
      after: 1500,
      reasons: [{ kind: 'price', plan: { key: 'Pro' } }],
    },
    {
      currency: 'USD',
      kind: 'contraction',
      before: 700,
      after: 400,
      reasons: [{ kind: 'price', plan: { key: 'Extra' } }],
    },
  ])
})

it('names only the discounts of lines that are discounted', () => {
  const discount = (name: string) => [{ id: name, name }] as Invoice['discounts']
  const invoices = [
    invoiceFor(1, [{ amount: 1000 }]),
    invoiceFor(2, [{ amount: 1000, discount_amount: 100 }], { discounts: discount('Loyal') }),
    invoiceFor(2, [{ amount: 500, discount_amount: 0 }], { discounts: discount('Unused') }),
  ]
  const movement = explainedMovementsOf(invoices, seconds('2026-02-15')).at(-1)!
  expect(movement.reasons).toContainEqual({
    kind: 'discount',
    plan: { key: 'Pro', name: 'Pro' },
    before: null,
    after: 'Loyal',
  })
})

it('compares the customers of some months ago with what they pay now, in each currency', () => {
  const [ann, bob, late] = ['ann', 'bob', 'late'].map(idsOf)
  const invoices = [
    invoiceFor(1, [{ amount: 1000 }, { amount: 100, currency: 'USD' }], ann),
    invoiceFor(2, [{ amount: 1500 }, { amount: 40, currency: 'USD' }], ann),
    invoiceFor(3, [{ amount: 1500 }, { amount: 40, currency: 'USD' }], ann),
    invoiceFor(1, [{ amount: 500 }], bob),
    invoiceFor(2, [{ amount: 9000 }], late),
  ]
  const now = seconds('2026-03-15')
  expect(retentionOver(invoices, now, { months: 2 })).toMatchObject([
    { currency: 'EUR', start: 1500, kept: 1500, lost: 500, netRetention: 1, grossChurn: 1 / 3 },
    { currency: 'USD', start: 100, kept: 40, lost: 60, netRetention: 0.4, grossChurn: 0.6 },
  ])
  expect(retentionOver(invoices, now)).toMatchObject([
    { start: 0, kept: 0, lost: 0, netRetention: null, grossChurn: null },
    { start: 0 },
  ])
})

describe('segments', () => {
  const NOW = seconds('2026-03-15')

  /** Returns the invoice of a customer for a month, with a line in euros, and one in US dollars if they are billed. */
  const billed = (id: string, month: number, amount: number, dollars = 0) => {
    const lines = dollars === 0 ? [{ amount }] : [{ amount }, { amount: dollars, currency: 'USD' }]
    return invoiceFor(month, lines, { ...idsOf(id), total: amount })
  }

  const customers = [
    { id: 'ann', metadata: { country: 'DE' } },
    { id: 'bob', metadata: { country: 'DE' } },
    { id: 'cem', metadata: { country: 'FR' } },
  ]
  const by = { segmentOf: segmentsBy(customers, 'country') }
  const invoices = [
    billed('ann', 1, 1000),
    billed('ann', 2, 1500),
    billed('ann', 3, 1500),
    billed('bob', 2, 200),
    billed('cem', 2, 100, 900),
    billed('cem', 3, 80, 900),
    billed('dee', 3, 7),
  ]

  it('divides the movements by segment, also those of lines in another currency than that of their invoice', () => {
    const movements = movementsBySegment(invoices, NOW, by).map(({ currency, segment, months }) => ({
      currency,
      segment,
      ...movementSums(months),
    }))
    const none = { start: 0, new: 0, reactivation: 0, expansion: 0, contraction: 0, churn: 0 }
    expect(movements).toEqual([
      { ...none, currency: 'EUR', segment: 'DE', new: 1200, expansion: 500, churn: -200, end: 1500 },
      { ...none, currency: 'EUR', segment: 'FR', new: 100, contraction: -20, end: 80 },
      { ...none, currency: 'EUR', segment: 'none', new: 7, end: 7 },
      { ...none, currency: 'USD', segment: 'FR', new: 900, end: 900 },
    ])
  })

  it('divides what was billed up to the end of the current month by segment, each line in its currency', () => {
    const ahead = billed('cem', 4, 5000)
    const withoutLines = invoiceOf({ customer_id: 'bob', line_items: [], total: 11 })
    const lastSecond = invoiceOf({ ...ahead, created: seconds('2026-03-31 23:59:59') })
    expect(billedBySegment([...invoices, ahead, withoutLines, lastSecond], NOW, by)).toEqual([
      {
        currency: 'EUR',
        rows: [
          { key: 'FR', name: 'FR', amount: 5180 },
          { key: 'DE', name: 'DE', amount: 4211 },
          { key: 'none', name: 'none', amount: 7 },
        ],
      },
      { currency: 'USD', rows: [{ key: 'FR', name: 'FR', amount: 1800 }] },
    ])
  })

  it('adds up the movements of consecutive months, from the first start to the last end', () => {
    const [euros] = movementsByMonth(invoices, NOW)
    expect(movementSums(euros!.months.slice(1))).toMatchObject({ start: 1000, new: 307, end: 1587 })
    expect(movementSums([])).toMatchObject({ start: 0, new: 0, end: 0 })
  })

  it('returns the growth of plans: their revenue now less the revenue before the months, largest first', () => {
    const monthWith = (plans: Readonly<Record<string, number>>) => ({
      month: 600,
      name: '',
      total: 0,
      plans: Object.entries(plans).map(([key, amount]) => ({ key, name: key, amount })),
    })
    const before = monthWith({ shrinks: 500, ends: 100, grows: 100 })
    const last = monthWith({ shrinks: 450, grows: 300, begins: 40 })
    expect(planGrowth(before, last)).toEqual([
      { key: 'grows', name: 'grows', start: 100, end: 300 },
      { key: 'begins', name: 'begins', start: 0, end: 40 },
      { key: 'shrinks', name: 'shrinks', start: 500, end: 450 },
      { key: 'ends', name: 'ends', start: 100, end: 0 },
    ])
    expect(planGrowth(undefined, last).map(({ start }) => start)).toEqual([0, 0, 0])
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
  ])('puts metadata %j into the segment "%s"', (metadata, expected) => {
    expect(segmentOfCustomer(metadata === undefined ? {} : { metadata }, 'country')).toBe(expected)
  })
})
