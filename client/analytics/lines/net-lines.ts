import type { BillingConventions } from './billing-conventions.ts'
import type { Invoice, Line } from './invoice.ts'
import { currencyOf, linesOf } from './line-properties.ts'

/** A line with its net. An invoice without lines counts as one line with its total, since its tax is unknown. */
export interface NetLine {
  readonly invoice: Invoice
  /** Undefined for the total of an invoice without lines. */
  readonly line: Line | undefined
  readonly currency: string
  readonly net: number
}

/** Calls `visit` with each line of the invoices. No list of the lines is made, since it would be longer than that of the invoices. */
export const visitNets = (
  invoices: readonly Invoice[],
  conventions: BillingConventions,
  visit: (line: NetLine) => void,
): void => {
  for (const invoice of invoices) {
    const lines = linesOf(invoice)
    if (lines.length === 0)
      visit({ invoice, line: undefined, currency: invoice.currency, net: invoice.total })
    const netAmountOf = conventions.netAmounts(invoice)
    for (const line of lines)
      visit({ invoice, line, currency: currencyOf(line, invoice), net: netAmountOf(line) })
  }
}
