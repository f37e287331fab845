import fc from 'fast-check'
import type { Seed } from '../../tools/testing/index.ts'
import { businessOf } from '../client/analytics/biller.ts'
import { life } from '../client/analytics/businesses.ts'

/** A generated business as bodies of creates, to compare the figures of programs. */

const dateOf = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000).toISOString())

/** Returns a business of some lives, whose customers have up to two subscriptions. Some prices do not determine prorations. */
export const business = (lives: number) => {
  const customers = Array.from({ length: Math.ceil(lives * 0.8) }, (_, number) => `${number}`)
  // In the business of this seed, some prorations end on a day that was clamped to the month's last.
  const { invoices } = businessOf(fc.sample(life, { numRuns: lives, seed: 28 }), customers, 'UTC')
  const named = invoices.flatMap(({ line_items }) => line_items.flatMap(({ price }) => price ?? []))
  const prices = [...new Map(named.map((price) => [price.id, price])).values()]
  return {
    products: ['Basic', 'Pro', 'constructor'].map((id) => ({ id, name: id === 'constructor' ? 'Pro' : id })),
    prices: prices.map(({ id, price, product, interval, interval_count, ...rest }, index) => ({
      ...{ id, price, product_id: product.id, type: 'recurring' as const },
      ...{ interval: interval as 'month', interval_count: interval_count! },
      ...{ tiered: index % 5 === 0, currency: index % 5 === 1 ? 'JPY' : rest.currency },
    })),
    discounts: ['welcome', 'loyal'].map((id) => ({
      ...{ id, name: 'A discount', duration: 'once' as const, percent_off: 10, currency: 'EUR' },
    })),
    customers: customers.map((id) => ({ id })),
    invoices: invoices.map((invoice) => ({
      ...invoice,
      created: dateOf(invoice.created)!,
      period_start: dateOf(invoice.period_start)!,
      period_end: dateOf(invoice.period_end)!,
      discounts: invoice.discounts.map(({ id }) => id),
      line_items: invoice.line_items.map(({ price, period_start, period_end, type, interval, ...line }) => ({
        ...{ ...line, type: type as 'one_time', interval: interval as 'month', price_id: price?.id ?? null },
        ...{ period_start: dateOf(period_start), period_end: dateOf(period_end) },
      })),
    })),
  } satisfies Seed
}
