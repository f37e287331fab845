import { currencyOf, hasPeriod, linesOf, netAmounts, periodOf } from './recurring-lines.ts'
import type { Invoice, Line } from './types.ts'

/** Returns the period over which a line is recognised: the second at which its invoice was created if it has none. */
const recognitionPeriod = (line: Partial<Line>, invoice: Invoice) => {
  const { start, end } = periodOf(line, invoice)
  const isOverTime = end > start && (line.type === 'recurring' || hasPeriod(line))
  return isOverTime ? { start, end } : { start: invoice.created, end: invoice.created + 1 }
}

/** Returns the lines of invoices as they are recognised. An invoice without lines is one line over its own period. */
export const recognisedLines = (invoices: readonly Invoice[]) =>
  invoices.flatMap((invoice) => {
    const { created, currency, total } = invoice
    const lines = linesOf(invoice)
    if (lines.length === 0)
      return [{ currency, net: total, created, ...recognitionPeriod({ type: 'recurring' }, invoice) }]
    const netAmountOf = netAmounts(invoice)
    return lines.map((line) => ({
      ...{ currency: currencyOf(line, invoice), net: netAmountOf(line), created },
      ...recognitionPeriod(line, invoice),
    }))
  })

/** What a line comes to without discount and tax, and the period over which it is recognised. Times are in seconds. */
export type RecognisedLine = ReturnType<typeof recognisedLines>[number]
