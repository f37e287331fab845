import fc from 'fast-check'
import type { Invoice } from '../../../console/analytics.ts'

export type Line = Invoice['line_items'][number]

/** Returns a date as seconds since the epoch. */
export const seconds = (date: string): number => Date.parse(date) / 1000

/** The time at which histories are looked at. */
export const NOW = seconds('2026-03-15')

/** Returns a price of a product. */
export const priceOf = (product: string) => ({ product: { name: product } }) as Line['price']

/** Returns a discount. */
export const discountOf = (id: string, name: string | null) => ({ id, name }) as Invoice['discounts'][number]

/** Returns a monthly line of February 2026. */
export const lineOf = (line: Partial<Line> = {}): Line => ({
  ...{ id: '1', amount: 1000, quantity: 1, discount_amount: null, tax_amount: null, currency: null },
  type: 'recurring',
  ...{ period_start: seconds('2026-02-01'), period_end: seconds('2026-03-01') },
  ...{ interval: 'month', interval_count: 1, price: null },
  ...line,
})

/** Returns an invoice of February 2026. */
export const invoiceOf = (invoice: Partial<Invoice> = {}): Invoice => ({
  ...{ id: 'inv_1', total: 1000, currency: 'EUR', customer_id: 'cus_1', subscription_id: 'sub_1' },
  ...{
    created: seconds('2026-02-01'),
    period_start: seconds('2026-02-01'),
    period_end: seconds('2026-03-01'),
  },
  ...{ line_items: [], discounts: [] },
  ...invoice,
})

const amount = fc.integer({ min: -100_000, max: 100_000 })
const currency = fc.constantFrom('EUR', 'JPY')
const time = fc.integer({ min: seconds('2025-01-01'), max: NOW })
const name = fc.constantFrom('Basic', 'Pro', '__proto__', 'constructor')
const period = fc
  .tuple(time, fc.integer({ min: 0, max: 90 * 86_400 }))
  .map(([period_start, length]) => ({ period_start, period_end: period_start + length }))

const line = fc
  .record({
    amount,
    discount_amount: fc.option(amount),
    currency: fc.option(currency),
    type: fc.constantFrom('recurring', 'one_time', null),
    price: fc.option(name.map(priceOf)),
    period: fc.option(period),
  })
  .map(({ period: own, ...rest }) => lineOf({ period_start: null, period_end: null, ...rest, ...own }))

/** Any invoices of a year with lines that recur monthly. */
export const history: fc.Arbitrary<Invoice[]> = fc.array(
  fc
    .record({
      ...{ total: amount, currency, created: time, period },
      subscription_id: fc.constantFrom('a', 'b', 'c'),
      customer_id: fc.constantFrom('ann', 'bob', '__proto__'),
      line_items: fc.array(line, { maxLength: 4 }),
      discounts: fc.subarray([discountOf('d1', 'Welcome'), discountOf('d2', null)]),
    })
    .map(({ period: own, ...rest }) => invoiceOf({ ...rest, ...own })),
  { maxLength: 12 },
)
