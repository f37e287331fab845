import type { BillingConventions } from './billing-conventions.ts'
import type { Invoice, Line } from './invoice.ts'
import { currencyOf, hasPeriod, linesOf } from './line-properties.ts'
import { type Period, periodOf } from './recurring-lines.ts'

/** The net of a line, and the period over which it is recognised. Times are in seconds. */
export interface RecognisedLine extends Period {
  readonly invoice: Invoice
  /** Undefined for the total of an invoice without lines. */
  readonly line: Line | undefined
  readonly currency: string
  readonly net: number
}

/** The line that stands for the total of an invoice without lines. It is recognised over the period of its invoice. */
const totalAsLine = { type: 'recurring' } as const

/** Returns the period over which a line is recognised: the second at which its invoice was created if it has none. */
export const recognitionPeriod = (
  line: Partial<Line>,
  invoice: Invoice,
  conventions: BillingConventions,
): Period => {
  const period = periodOf(line, invoice, conventions)
  const isOverTime = period.end > period.start && (line.type === 'recurring' || hasPeriod(line))
  return isOverTime ? period : { start: invoice.created, end: invoice.created + 1 }
}

/** Returns when the first line of an invoice begins to be recognised. */
export const firstRecognition = (invoice: Invoice, conventions: BillingConventions): number => {
  const lines = linesOf(invoice)
  if (lines.length === 0) return recognitionPeriod(totalAsLine, invoice, conventions).start
  return lines.reduce(
    (first, line) => Math.min(first, recognitionPeriod(line, invoice, conventions).start),
    Number.POSITIVE_INFINITY,
  )
}

/**
 * Calls `visit` with each line of the invoices as it is recognised. An invoice without lines is visited as one line over its
 * own period. No list of the lines is made, since it would be longer than that of the invoices.
 */
export const visitRecognised = (
  invoices: readonly Invoice[],
  conventions: BillingConventions,
  visit: (line: RecognisedLine) => void,
): void => {
  for (const invoice of invoices) {
    const { currency, total } = invoice
    const lines = linesOf(invoice)
    if (lines.length === 0)
      visit({
        invoice,
        line: undefined,
        currency,
        net: total,
        ...recognitionPeriod(totalAsLine, invoice, conventions),
      })
    const netAmountOf = conventions.netAmounts(invoice)
    for (const line of lines) {
      const { start, end } = recognitionPeriod(line, invoice, conventions)
      visit({ invoice, line, currency: currencyOf(line, invoice), net: netAmountOf(line), start, end })
    }
  }
}
