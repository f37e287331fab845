import {
  billedBySegment,
  movementSums,
  movementsByMonth,
  movementsBySegment,
  planGrowth,
  segmentsBy,
} from '../../../client/analytics/index.ts'
import { segmentOfCustomer } from '../../../client/analytics/segments.ts'
import { invoiceOf, lineOf, seconds } from './invoices.ts'

const NOW = seconds('2026-03-15')

/** Returns the invoice of a customer for a month, with a line in euros and one in US dollars, both of which count. */
const invoiceFor = (customer_id: string, month: string, euros: number, dollars = 0) => {
  const created = seconds(`${month}-01`)
  const period = { period_start: created, period_end: Date.UTC(2026, Number(month.slice(5)), 1) / 1000 }
  const lines = [
    lineOf({ ...period, amount: euros }),
    lineOf({ ...period, amount: dollars, currency: 'USD' }),
  ]
  const line_items = lines.filter(({ amount }) => amount !== 0)
  return invoiceOf({ customer_id, subscription_id: customer_id, created, line_items, total: euros })
}

const customers = [
  { id: 'ann', metadata: { country: 'DE' } },
  { id: 'bob', metadata: { country: 'DE' } },
  { id: 'cem', metadata: { country: 'FR' } },
]
const by = { segmentOf: segmentsBy(customers, 'country') }
const invoices = [
  invoiceFor('ann', '2026-01', 1000),
  invoiceFor('ann', '2026-02', 1500),
  invoiceFor('ann', '2026-03', 1500),
  invoiceFor('bob', '2026-02', 200),
  invoiceFor('cem', '2026-02', 100, 900),
  invoiceFor('cem', '2026-03', 80, 900),
  invoiceFor('dee', '2026-03', 7),
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

it('returns segments whose movements add up to those of the whole, month by month', () => {
  const segments = movementsBySegment(invoices, NOW, by)
  for (const { currency, months } of movementsByMonth(invoices, NOW)) {
    const ofCurrency = segments.filter((segment) => segment.currency === currency)
    for (const [index, month] of months.entries())
      for (const field of [
        'start',
        'new',
        'expansion',
        'contraction',
        'churn',
        'end',
        'customers',
      ] as const) {
        const values = ofCurrency.map((segment) => segment.months[index]![field])
        expect(values.reduce((sum, value) => sum + value, 0)).toBe(month[field])
      }
  }
})

it('divides what was billed up to the end of the current month by segment, each line in its currency', () => {
  const ahead = invoiceFor('cem', '2026-04', 5000)
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
