import type { Ranking } from '../../client/analytics/index.ts'
import type { BillingConventions } from '../../client/analytics/lines/billing-conventions.ts'
import { currencyOf, linesOf } from '../../client/analytics/lines/line-properties.ts'
import type { Invoice } from './entities.ts'

/** What an invoice comes to in its currency, in minor units. */
export interface InvoiceAmounts {
  /** Without discount and tax, as the analytics count what is billed. */
  readonly net: number
  readonly tax: number
  readonly discount: number
  /** As recorded. */
  readonly total: number
}

/** Returns the amounts of an invoice. One without lines does not say its tax: its total is net, as the analytics have it. */
export const amountsOf = (invoice: Invoice, conventions: BillingConventions): InvoiceAmounts => {
  const { currency, total } = invoice
  const lines = linesOf(invoice).filter((line) => currencyOf(line, invoice) === currency)
  if (linesOf(invoice).length === 0) return { net: total, tax: 0, discount: 0, total }
  const netAmountOf = conventions.netAmounts(invoice)
  let net = 0
  let tax = 0
  let discount = 0
  for (const line of lines) {
    net += netAmountOf(line)
    tax += line.tax_amount ?? 0
    discount += line.discount_amount ?? 0
  }
  return { net, tax, discount, total }
}

/** Returns the amounts billed to each customer in each currency, without discounts and taxes, largest amount first. */
export const billedByCustomer = (
  invoices: readonly Invoice[],
  netOf: (invoice: Invoice) => number,
): Ranking[] =>
  [...Map.groupBy(invoices, ({ currency }) => currency)].map(([currency, inCurrency]) => ({
    currency,
    rows: [...Map.groupBy(inCurrency, ({ customer_id }) => customer_id)]
      .map(([key, theirs]) => ({
        key,
        name: key,
        amount: theirs.reduce((sum, invoice) => sum + netOf(invoice), 0),
      }))
      .sort((a, b) => b.amount - a.amount || (a.key < b.key ? -1 : 1)),
  }))
