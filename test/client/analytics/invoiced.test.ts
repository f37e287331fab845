import * as analytics from '../../../client/analytics/index.ts'
import { billedFor, invoiceOf, lineOf, priceOf, proration, seconds } from './invoices.ts'

const NOW = seconds('2026-03-15')

/** Returns the rows of rankings, one for each currency, as text: "p1: Pro 1150 EUR". */
const rankedRows = (rankings: readonly analytics.Ranking[]): string[] =>
  rankings.flatMap(({ currency, rows }) =>
    rows.map(({ key, name, amount }) => `${key}: ${name} ${amount} ${currency}`),
  )
const yen = { currency: 'JPY' }
const april = { created: seconds('2026-04-01') }

it('adds up the totals of invoices, including credits, by the month of their creation in a time zone', () => {
  const invoices = [
    invoiceOf({ created: seconds('2026-01-31 23:59:59'), total: 1000 }),
    invoiceOf({ created: seconds('2026-02-01'), total: 500 }),
    invoiceOf({ created: seconds('2026-02-28'), total: -200 }),
    invoiceOf({ created: seconds('2026-02-02'), total: 7, ...yen }),
    invoiceOf({ ...april, total: 9000 }),
  ]
  const [euros, inYen] = analytics.invoicedByMonth(invoices, NOW)
  expect(euros).toMatchObject({
    currency: 'EUR',
    months: [
      { name: '2026-01', invoiced: 1000 },
      { name: '2026-02', invoiced: 300 },
      { name: '2026-03', invoiced: 0 },
    ],
  })
  expect(inYen).toMatchObject({
    currency: 'JPY',
    months: [{ invoiced: 0 }, { invoiced: 7 }, { invoiced: 0 }],
  })
  const [inBerlin] = analytics.invoicedByMonth(invoices, NOW, 'Europe/Berlin')
  expect(inBerlin!.months).toMatchObject([
    { name: '2026-02', invoiced: 1300 },
    { name: '2026-03', invoiced: 0 },
  ])
})

it('ranks customers in each currency by the totals of their invoices up to the current month', () => {
  const invoices = [
    invoiceOf({ customer_id: 'ann', total: 500 }),
    invoiceOf({ customer_id: 'bob', total: 905, created: seconds('2026-03-31') }),
    invoiceOf({ customer_id: 'ann', total: 600 }),
    invoiceOf({ customer_id: 'bob', total: 70_000, ...yen }),
    invoiceOf({ customer_id: 'bob', total: 5000, ...april }),
  ]
  const expected = ['ann: ann 1100 EUR', 'bob: bob 905 EUR', 'bob: bob 70000 JPY']
  expect(rankedRows(analytics.invoicedByCustomer(invoices, NOW))).toEqual(expected)
})

it('ranks plans by their lines without discount and tax, and keeps two plans of the same name apart', () => {
  const pro = (productId: string) => priceOf('Pro', {}, productId)
  const line_items = [
    lineOf({ amount: 1000, discount_amount: 100, tax_amount: 50, price: pro('p1') }),
    lineOf({ amount: 300, type: 'one_time', period_start: null, price: pro('p1') }),
    lineOf({ amount: 200, price: pro('p2') }),
    lineOf({ amount: 50 }),
    lineOf({ amount: 5, currency: 'USD', price: pro('p1') }),
  ]
  const invoices = [invoiceOf({ total: 1450, line_items })]
  const expected = ['p1: Pro 1150 EUR', 'p2: Pro 200 EUR', ': null 50 EUR', 'p1: Pro 5 USD']
  expect(rankedRows(analytics.billedByPlan(invoices, NOW))).toEqual(expected)
  const recurring = analytics.recurringByMonth(invoices, seconds('2026-02-15'))[0]!
  expect(recurring.months).toEqual([
    {
      month: 673,
      name: '2026-02',
      total: 1100,
      plans: [
        { key: 'p1', name: 'Pro', amount: 850 },
        { key: 'p2', name: 'Pro', amount: 200 },
        { key: '', name: null, amount: 50 },
      ],
    },
  ])
})

it('ranks discounts by the amounts that they took off, in a row for each combination, and keeps two of the same name apart', () => {
  const names: Readonly<Record<string, string>> = { d1: 'Welcome', d2: 'Loyal', d3: 'Welcome' }
  /** Returns an invoice with these discounts, whose lines have these discount amounts. */
  const discounted = (ids: string[], ...amounts: (number | null)[]) => {
    const discounts = ids.map((id) => ({ id, name: names[id]! })) as analytics.Invoice['discounts']
    const line_items = amounts.map((discount_amount) => lineOf({ discount_amount }))
    return invoiceOf({ discounts, line_items })
  }
  const invoices = [
    discounted(['d1'], 30, 20),
    discounted(['d1', 'd2'], 10),
    discounted(['d2', 'd1'], 5),
    discounted(['d3'], 40),
    discounted([], 7),
    discounted(['d2'], null),
  ]
  expect(rankedRows(analytics.discountedByDiscount(invoices, NOW))).toEqual([
    'd1: Welcome 50 EUR',
    'd3: Welcome 40 EUR',
    'd1 + d2: Welcome + Loyal 15 EUR',
    ': null 7 EUR',
  ])
})

it.each([
  { now: '2026-02-04', complete: true },
  { now: '2026-02-04 00:00:01', complete: false },
])('reports at $now whether invoices up to 1 February are complete: $complete', ({ now, complete }) => {
  const invoices = [invoiceOf({ created: seconds('2026-01-15') }), invoiceOf(), invoiceOf(april)]
  const recordedUntil = seconds('2026-02-01')
  const coverage = analytics.coverageOf(invoices, seconds(now))
  expect(coverage).toMatchObject({ recordedUntil, complete, invoices: 3 })
})

it.each([
  { date: '2026-01-20', active: false, holds: [] },
  { date: '2026-02-10', active: true, holds: [{ name: 'Pro', monthly: 1000 }] },
  { date: '2026-02-25', active: false, holds: [] },
])(
  'reports on $date whether a subscription that was cancelled on 20 February is active: $active',
  ({ date, active, holds }) => {
    const price = priceOf('Pro')
    const invoices = [
      billedFor('2026-02-01 to 2026-03-01', { price }),
      billedFor('2026-02-20 to 2026-03-01', { ...proration, price, amount: -321 }),
    ]
    const [subscription] = analytics.subscriptionsNow(invoices, seconds(date))
    expect(subscription).toMatchObject({
      subscription_id: 'sub_1',
      customer_id: 'cus_1',
      active,
      since: seconds('2026-02-01'),
      until: seconds('2026-02-20'),
      holds,
    })
  },
)

it('reports a subscription as ended once credits exceed its revenue, although its last period still runs', () => {
  const price = priceOf('Pro', { interval: 'year' })
  const invoices = [
    billedFor('2026-01-01 to 2027-01-01', { price, interval: 'year', amount: 49_000 }),
    billedFor('2026-03-01 to 2027-01-01', { ...proration, price, amount: -49_000 }),
  ]
  const [subscription] = analytics.subscriptionsNow(invoices, seconds('2026-03-20'))
  // The charge is 49,000 ÷ 12 = 4,083 a month, and the credit 49,000 × 365 ÷ 306 ÷ 12 = 4,871.
  expect(subscription).toMatchObject({ active: false, holds: [{ monthly: -788 }] })
})

it('gives a line that has only a start the period of its invoice', () => {
  const line_items = [lineOf({ period_start: seconds('2026-02-15'), period_end: null })]
  const { months } = analytics.revenueByMonth([invoiceOf({ line_items })], seconds('2026-02-15'))[0]!
  expect(months.map(({ recognised }) => recognised)).toEqual([500])
})
