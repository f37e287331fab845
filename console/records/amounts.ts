import type { BillingConventions } from '../../client/analytics/lines/billing-conventions.ts'
import { currencyOf, linesOf } from '../../client/analytics/lines/line-properties.ts'
import type { Invoice } from './entities.ts'

/** The amounts of an invoice in its currency, in minor units. */
export interface InvoiceAmounts {
  /** The billed amount without discount and tax, as in the figures. */
  readonly net: number
  /** The part of the net amount that is neither for a plan nor credits one. */
  readonly oneOff: number
  readonly tax: number
  readonly discount: number
  /** As recorded. */
  readonly total: number
}

/** The tax of an invoice without lines is unknown, so its net amount is its total, as in the figures. */
export const amountsOf = (invoice: Invoice, conventions: BillingConventions): InvoiceAmounts => {
  const { currency, total } = invoice
  const lines = linesOf(invoice)
  if (lines.length === 0) return { net: total, oneOff: 0, tax: 0, discount: 0, total }
  const netAmountOf = conventions.netAmounts(invoice)
  let net = 0
  let oneOff = 0
  let tax = 0
  let discount = 0
  for (const line of lines) {
    if (currencyOf(line, invoice) !== currency) continue
    const netOfLine = netAmountOf(line)
    net += netOfLine
    if (!(line.price ?? line).interval) oneOff += netOfLine
    tax += line.tax_amount ?? 0
    discount += line.discount_amount ?? 0
  }
  return { net, oneOff, tax, discount, total }
}
