import { sum } from 'd3-array'
import { currencyOf } from '../../client/analytics/lines/line-properties.ts'
import { chosenCurrency } from '../figures/figures-query.ts'
import type { RecordedEntity } from '../records/entities.ts'
import { entityLabel, type Price, priceText } from '../records/entity-text.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { planInCurrency } from './plan.ts'

/** A product, or one of its prices, with what it brings in one currency. Amounts are net, in minor units. */
export interface ProductRow {
  readonly path: readonly [plural: string, id: string]
  readonly isPrice: boolean
  readonly label: string
  readonly customers: number
  readonly monthly: number
  readonly billed: number
  /** The recurring revenue at the end of each of the last months. Prices have none. */
  readonly trend?: readonly number[]
}

interface Holders {
  readonly productId: string
  readonly customers: Set<string>
  monthly: number
}

const holdersByPrice = ({ figures, billedPlansBySubscription }: Snapshot, currency: string) => {
  const holders = new Map<string, Holders>()
  for (const { subscription_id, customer_id, holds } of figures().subscriptionsNow) {
    const billedPlans = billedPlansBySubscription().get(subscription_id)
    for (const plan of holds) {
      const priceId = billedPlans?.get(`${plan.key} ${plan.currency}`)?.priceId
      if (plan.currency !== currency || priceId === undefined) continue
      const ofPrice = holders.get(priceId) ?? { productId: plan.key, customers: new Set(), monthly: 0 }
      ofPrice.customers.add(customer_id)
      ofPrice.monthly += plan.monthly
      holders.set(priceId, ofPrice)
    }
  }
  return holders
}

/** What was billed for each price in a currency, by its id. Like the figures, it omits invoices dated after this month. */
const billedByPrice = ({ invoices, endOfMonth, netAmounts }: Snapshot, currency: string) => {
  const billed = new Map<string, number>()
  for (const invoice of invoices) {
    if (invoice.created >= endOfMonth) continue
    const netOf = netAmounts(invoice)
    for (const line of invoice.line_items) {
      if (!line.price || currencyOf(line, invoice) !== currency) continue
      billed.set(line.price.id, (billed.get(line.price.id) ?? 0) + netOf(line))
    }
  }
  return billed
}

const byRevenue = (a: ProductRow, b: ProductRow): number => b.monthly - a.monthly || b.billed - a.billed

/** Products by revenue, each followed by the prices that customers have now. The sums count a customer once. */
export const productsOf = (snapshot: Snapshot, query: { readonly currency?: string | undefined }) => {
  const currency = chosenCurrency(snapshot, query) ?? ''
  const holders = holdersByPrice(snapshot, currency)
  const billed = billedByPrice(snapshot, currency)
  const prices = snapshot.entities('prices') as Price[]
  const priceRow = (price: Price, productId: string): ProductRow[] => {
    const ofPrice = holders.get(price.id)
    if (ofPrice?.productId !== productId) return []
    const { customers, monthly } = ofPrice
    const row = { path: ['prices', price.id], isPrice: true, label: priceText(price) } as const
    return [{ ...row, customers: customers.size, monthly, billed: billed.get(price.id) ?? 0 }]
  }
  const productRow = (product: RecordedEntity): ProductRow => {
    const plan = planInCurrency(snapshot, product.id, currency)
    const trend = plan.months.slice(-13).map(({ amount }) => amount)
    return {
      path: ['products', product.id],
      isPrice: false,
      label: entityLabel(product),
      customers: plan.customers,
      monthly: trend.at(-1) ?? 0,
      billed: plan.billed,
      trend,
    }
  }
  const products = snapshot.entities('products').map(productRow).sort(byRevenue)
  const customersInCurrency = snapshot
    .figures()
    .subscriptionsNow.filter(({ holds }) =>
      holds.some((plan) => plan.key !== '' && plan.currency === currency),
    )
  return {
    currency,
    currencies: snapshot.currencies(),
    rows: products.flatMap((product) => [
      product,
      ...prices.flatMap((price) => priceRow(price, product.path[1])).sort(byRevenue),
    ]),
    sums: {
      customers: new Set(customersInCurrency.map(({ customer_id }) => customer_id)).size,
      monthly: sum(products, ({ monthly }) => monthly),
      billed: sum(products, (row) => row.billed),
    },
  }
}
