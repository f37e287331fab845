import type { Invoice, Line } from '../../../client/analytics/index.ts'

/** A price with its product, as lines embed it. */
export type Price = NonNullable<Line['price']>

/** Returns a date, or a date and time in UTC, as seconds since the epoch. */
export const seconds = (date: string): number =>
  Date.parse(date.length > 10 ? `${date.replace(/Z$/, '')}Z` : date) / 1000

/** Returns a monthly price of a product, with the fields that figures read. */
export const priceOf = (productName: string, price: Partial<Price> = {}, productId = productName): Price =>
  ({
    id: `price of ${productId}`,
    interval: 'month',
    interval_count: 1,
    product: { id: productId, name: productName },
    ...price,
  }) as Price

/** Returns a monthly line of February 2026, with the fields that figures read. */
export const lineOf = (line: Partial<Line> = {}): Line =>
  ({
    id: '1',
    amount: 1000,
    quantity: 1,
    discount_amount: null,
    tax_amount: null,
    currency: null,
    type: 'recurring',
    period_start: seconds('2026-02-01'),
    period_end: seconds('2026-03-01'),
    interval: 'month',
    interval_count: 1,
    price: null,
    ...line,
  }) as Line

/** The fields of a line that is a proration, as billing systems record it. */
export const proration = { type: 'one_time', interval: null, interval_count: null } as const

/** Returns an invoice of February 2026, with the fields that figures read. */
export const invoiceOf = (invoice: Partial<Invoice> = {}): Invoice =>
  ({
    id: 'inv_1',
    total: 1000,
    currency: 'EUR',
    customer_id: 'cus_1',
    subscription_id: 'sub_1',
    created: seconds('2026-02-01'),
    period_start: seconds('2026-02-01'),
    period_end: seconds('2026-03-01'),
    line_items: [],
    discounts: [],
    ...invoice,
  }) as Invoice

/** Returns the ids of an invoice of a customer who has one subscription. */
export const idsOf = (id: string) => ({ id, customer_id: id, subscription_id: id })

/** Returns an invoice with a line, both for a period such as "2026-02-01 to 2026-03-01". */
export const billedFor = (
  period: string,
  line: Partial<Line> = {},
  invoice: Partial<Invoice> = {},
): Invoice => {
  const [period_start, period_end] = period.split(' to ').map(seconds) as [number, number]
  const times = { period_start, period_end }
  return invoiceOf({
    created: period_start,
    ...times,
    line_items: [lineOf({ ...times, ...line })],
    ...invoice,
  })
}
