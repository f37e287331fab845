import type { BillingConventions } from './billing-conventions.ts'
import type { Invoice, Line } from './invoice.ts'
import { hasPeriod, linesOf } from './line-properties.ts'
import { type NetLine, visitNets } from './net-lines.ts'
import { type Period, periodOf } from './recurring-lines.ts'

/** The net of a line, and the period over which it is recognised. Times are in seconds. */
export interface RecognisedLine extends NetLine, Period {}

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
  const recognised: readonly Partial<Line>[] = lines.length === 0 ? [totalAsLine] : lines
  return recognised.reduce(
    (first, line) => Math.min(first, recognitionPeriod(line, invoice, conventions).start),
    Number.POSITIVE_INFINITY,
  )
}

/** Calls `visit` with each line of the invoices as it is recognised. */
export const visitRecognised = (
  invoices: readonly Invoice[],
  conventions: BillingConventions,
  visit: (line: RecognisedLine) => void,
): void => {
  visitNets(invoices, conventions, ({ invoice, line, currency, net }) => {
    const { start, end } = recognitionPeriod(line ?? totalAsLine, invoice, conventions)
    visit({ invoice, line, currency, net, start, end })
  })
}
