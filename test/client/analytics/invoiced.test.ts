import {
  billedByPlan,
  coverageOf,
  discountedByDiscount,
  type Invoice,
  invoicedByCustomer,
  invoicedByMonth,
  type Ranking,
  recurringByMonth,
  subscriptionsNow,
} from '../../../client/analytics/index.ts'
import { invoiceOf, lineOf, priceOf, seconds } from './invoices.ts'

const NOW = seconds('2026-03-15')
const textOf = (rankings: readonly Ranking[]): string[] =>
  rankings.flatMap(({ currency, rows }) =>
    rows.map(({ key, name, amount }) => `${key}: ${name} ${amount} ${currency}`),
  )
const discountOf = (id: string, name: string) => ({ id, name }) as Invoice['discounts'][number]
const welcome = discountOf('d1', 'Welcome')
const loyal = discountOf('d2', 'Loyal')

it('adds up the totals of invoices, including credits, by the month of their creation', () => {
  const invoices = [
    invoiceOf({ created: seconds('2026-01-31 23:59:59'), total: 1000 }),
    invoiceOf({ created: seconds('2026-02-01'), total: 500 }),
    invoiceOf({ created: seconds('2026-02-28'), total: -200 }),
    invoiceOf({ created: seconds('2026-02-02'), total: 7, currency: 'JPY' }),
    invoiceOf({ created: seconds('2026-04-01'), total: 9000 }),
  ]
  const shown = (zone?: string) =>
    invoicedByMonth(invoices, NOW, zone).map(({ currency, names, series }) => [
      currency,
      names,
      series[0]!.values,
    ])
  expect(shown()).toEqual([
    ['EUR', ['2026-01', '2026-02', '2026-03'], [1000, 300, 0]],
    ['JPY', ['2026-01', '2026-02', '2026-03'], [0, 7, 0]],
  ])
  expect(shown('Europe/Berlin')[0]).toEqual(['EUR', ['2026-02', '2026-03'], [1300, 0]])
})

it('ranks customers in each currency by the totals of their invoices up to the current month', () => {
  const invoices = [
    invoiceOf({ customer_id: 'ann', total: 500 }),
    invoiceOf({ customer_id: 'bob', total: 900 }),
    invoiceOf({ customer_id: 'ann', total: 600 }),
    invoiceOf({ customer_id: 'bob', total: 70_000, currency: 'JPY' }),
    invoiceOf({ customer_id: 'bob', total: 5, created: seconds('2026-03-31') }),
    invoiceOf({ customer_id: 'bob', total: 5000, created: seconds('2026-04-01') }),
  ]
  expect(textOf(invoicedByCustomer(invoices, NOW))).toEqual([
    'ann: ann 1100 EUR',
    'bob: bob 905 EUR',
    'bob: bob 70000 JPY',
  ])
})

it('ranks plans by their lines without discount and tax, and keeps two plans of the same name apart', () => {
  const line_items = [
    lineOf({ amount: 1000, discount_amount: 100, tax_amount: 50, price: priceOf('Pro', 'p1') }),
    lineOf({ amount: 300, type: 'one_time', period_start: null, price: priceOf('Pro', 'p1') }),
    lineOf({ amount: 200, price: priceOf('Pro', 'p2') }),
    lineOf({ amount: 50 }),
    lineOf({ amount: 5, currency: 'USD', price: priceOf('Pro', 'p1') }),
  ]
  const invoices = [invoiceOf({ total: 1450, line_items })]
  expect(textOf(billedByPlan(invoices, NOW))).toEqual([
    'p1: Pro 1150 EUR',
    'p2: Pro 200 EUR',
    ': No plan named 50 EUR',
    'p1: Pro 5 USD',
  ])
  const [chart] = recurringByMonth(invoices, seconds('2026-02-15'))
  expect(chart!.series.map(({ key, name, values }) => [key, name, values[0]])).toEqual([
    ['All plans', 'All plans', 1100],
    ['p1', 'Pro', 850],
    ['p2', 'Pro', 200],
    ['', 'No plan named', 50],
  ])
})

it('ranks discounts by what they took off, combinations as rows of their own, and keeps two of the same name apart', () => {
  const off = (discount_amount: number | null) => [lineOf({ discount_amount })]
  const invoices = [
    invoiceOf({ discounts: [welcome], line_items: [...off(30), ...off(20)] }),
    invoiceOf({ discounts: [welcome, loyal], line_items: off(10) }),
    invoiceOf({ discounts: [loyal, welcome], line_items: off(5) }),
    invoiceOf({ discounts: [discountOf('d3', 'Welcome')], line_items: off(40) }),
    invoiceOf({ discounts: [], line_items: off(7) }),
    invoiceOf({ discounts: [loyal], line_items: off(null) }),
  ]
  expect(textOf(discountedByDiscount(invoices, NOW))).toEqual([
    'd1: Welcome 50 EUR',
    'd3: Welcome 40 EUR',
    'd1 + d2: Welcome + Loyal 15 EUR',
    ': No discount named 7 EUR',
  ])
})

it.each([
  ['2026-02-04', true],
  ['2026-02-04 00:00:01', false],
])('reports on %s whether invoices up to 1 February are complete: %s', (now, complete) => {
  const invoices = [
    invoiceOf({ created: seconds('2026-01-15') }),
    invoiceOf(),
    invoiceOf({ created: seconds('2026-03-01') }),
  ]
  const recordedUntil = seconds('2026-02-01')
  expect(coverageOf(invoices, seconds(now))).toMatchObject({ recordedUntil, complete, invoices: 3 })
})

it.each([
  { on: '2026-01-20', active: false, monthly: undefined },
  { on: '2026-02-10', active: true, monthly: 1000 },
  { on: '2026-02-25', active: false, monthly: undefined },
])(
  'reports on $on whether a subscription of February that was cancelled on the 20th is active: $active',
  ({ on, ...expected }) => {
    const rest = { period_start: seconds('2026-02-20'), period_end: seconds('2026-03-01') }
    const price = priceOf('Pro')
    const credit = lineOf({
      ...rest,
      amount: -321,
      type: 'one_time',
      interval: null,
      interval_count: null,
      price,
    })
    const invoices = [invoiceOf({ line_items: [lineOf({ price })] }), invoiceOf({ line_items: [credit] })]
    const [standing] = subscriptionsNow(invoices, seconds(on))
    expect(standing).toMatchObject({
      ...{ subscription_id: 'sub_1', customer_id: 'cus_1', active: expected.active },
      since: seconds('2026-02-01'),
      until: seconds('2026-02-20'),
    })
    expect(standing!.holds.map(({ name, monthly }) => [name, monthly])).toEqual(
      expected.monthly === undefined ? [] : [['Pro', expected.monthly]],
    )
  },
)
