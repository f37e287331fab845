import type { Invoice } from '../../client/analytics/index.ts'
import type { Business } from '../../tools/business/business.ts'

const byId = <Entity extends { readonly id: string | number }>(entities: readonly Entity[]) =>
  new Map(entities.map((entity) => [entity.id, entity]))

/** As a list returns them with `include=line_items,price,discounts`. All days begin at `secondOfDay`. */
export const recordedInvoices = (
  { products, prices, discounts, invoices }: Business,
  secondOfDay = 0,
): Invoice[] => {
  const productById = byId(products)
  const priceById = byId(prices)
  const discountById = byId(discounts)
  const secondsOf = (date: unknown): number | null =>
    date === undefined || date === null ? null : Date.parse(String(date)) / 1000 + secondOfDay
  const priceOf = (id: unknown) => {
    const price = priceById.get(id as string)
    return price
      ? {
          interval: null,
          interval_count: null,
          tiered: false,
          ...price,
          product: productById.get(price.product_id),
        }
      : null
  }
  return invoices.map((invoice) => ({
    ...invoice,
    created: secondsOf(invoice.created),
    period_start: secondsOf(invoice.period_start),
    period_end: secondsOf(invoice.period_end),
    discounts: invoice.discounts?.map((id) => discountById.get(id)),
    line_items: invoice.line_items?.map((line) => ({
      interval: null,
      interval_count: null,
      discount_amount: null,
      ...line,
      period_start: secondsOf(line.period_start),
      period_end: secondsOf(line.period_end),
      price: priceOf(line.price_id),
    })),
  })) as never
}
