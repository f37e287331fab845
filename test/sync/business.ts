import fc from 'fast-check'
import type { Line } from '../../client/analytics/index.ts'
import type { Seed } from '../../tools/testing/index.ts'
import { businessOf } from '../client/analytics/biller.ts'
import { life } from '../client/analytics/businesses.ts'
import { paperHistories } from '../client/analytics/documented-figures.ts'
import { range } from '../support/range.ts'

/** A business as bodies of creates, for which the figures of the SQL and of the functions are compared. */

type Price = NonNullable<Line['price']>

const dateOf = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000).toISOString())

/** Each history with customers, subscriptions and prices of its own. */
const documentedInvoices = () =>
  paperHistories().flatMap(({ title, invoices }) =>
    invoices.map((invoice, index) => ({
      ...invoice,
      id: `${title} ${index}`,
      discounts: [],
      customer_id: `${title} ${invoice.customer_id}`,
      subscription_id: `${title} ${invoice.subscription_id}`,
      line_items: invoice.line_items!.map(({ price, ...line }, number) => ({
        ...line,
        price: price && { ...price, id: `${title} ${index} ${number}` },
      })),
    })),
  )

const pricesIn = (invoices: readonly { readonly line_items: readonly Pick<Line, 'price'>[] }[]): Price[] => {
  const named = invoices.flatMap(({ line_items }) => line_items.flatMap(({ price }) => price ?? []))
  return [...new Map(named.map((price) => [price.id, price])).values()]
}

/** For some indexes, tiered or in another currency, so that it does not determine prorations. */
const varied = (price: Price, index: number): Price => ({
  ...price,
  tiered: index % 5 === 0,
  currency: index % 5 === 1 ? 'JPY' : price.currency,
})

/** The metadata of the customers, in turn. */
const countries = [{ country: 'DE' }, { country: 'FR' }, { country: '' }, {}]

/** `lives` is the number of subscriptions, whose customers have up to two. */
export const business = (lives: number) => {
  const customers = range(Math.ceil(lives * 0.8)).map(String)
  // In the business of this seed, some prorations end on the last day of a month that lacks the day of the
  // anchor.
  const generated = businessOf(fc.sample(life, { numRuns: lives, seed: 28 }), customers, 'UTC').invoices
  const documented = documentedInvoices()
  const invoices = [...generated, ...documented]
  const prices = [...pricesIn(generated).map(varied), ...pricesIn(documented)]
  const products = new Map(prices.map(({ product }) => [product.id, product]))
  return {
    products: [...products.values()],
    prices: prices.map(({ id, price, product, interval, interval_count, tiered, currency }) => ({
      id,
      price,
      product_id: product.id,
      tiered,
      currency,
      ...(interval
        ? { type: 'recurring' as const, interval: interval as 'month', interval_count: interval_count! }
        : { type: 'one_time' as const }),
    })),
    discounts: [
      { id: 'welcome', name: 'A discount', duration: 'once', percent_off: 10, currency: 'EUR' },
      {
        id: 'loyal',
        name: 'A discount',
        duration: 'repeating',
        duration_in_months: 14,
        amount_off: 100,
        currency: 'EUR',
      },
    ],
    customers: [...new Set(invoices.map(({ customer_id }) => customer_id))].map((id, index) => ({
      id,
      metadata: countries[index % countries.length]!,
    })),
    invoices: invoices.map(({ changed: _recorded, ...invoice }) => ({
      ...invoice,
      created: dateOf(invoice.created)!,
      period_start: dateOf(invoice.period_start)!,
      period_end: dateOf(invoice.period_end)!,
      discounts: invoice.discounts.map(({ id }) => id),
      line_items: invoice.line_items.map(({ price, period_start, period_end, type, interval, ...line }) => ({
        ...line,
        type: type as 'one_time',
        interval: interval as 'month',
        price_id: price?.id ?? null,
        period_start: dateOf(period_start),
        period_end: dateOf(period_end),
      })),
    })),
  } satisfies Seed
}
