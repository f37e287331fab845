import { currencyOf, hasPeriod, linesOf, netAmounts, periodOf } from './recurring-lines.ts'
import type { Invoice, Line } from './types.ts'

/** What a line comes to without discount and tax, and the period over which it is recognised. Times are in seconds. */
export interface RecognisedLine {
  readonly currency: string
  readonly net: number
  /** When its invoice was created. */
  readonly created: number
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

/** What stands for the lines of an invoice that has none: its total, over its own period. */
const totalAsLine = { type: 'recurring' } as const

/** Returns the period over which a line is recognised: the second at which its invoice was created if it has none. */
const recognitionPeriod = (line: Partial<Line>, invoice: Invoice): { start: number; end: number } => {
  const period = periodOf(line, invoice)
  const isOverTime = period.end > period.start && (line.type === 'recurring' || hasPeriod(line))
  return isOverTime ? period : { start: invoice.created, end: invoice.created + 1 }
}

/** Returns when the first line of an invoice begins to be recognised. */
export const firstRecognition = (invoice: Invoice): number => {
  const lines = linesOf(invoice)
  if (lines.length === 0) return recognitionPeriod(totalAsLine, invoice).start
  return lines.reduce(
    (first, line) => Math.min(first, recognitionPeriod(line, invoice).start),
    Number.POSITIVE_INFINITY,
  )
}

/** Returns the lines of invoices as they are recognised. An invoice without lines is one line over its own period. */
export const recognisedLines = (invoices: readonly Invoice[]): RecognisedLine[] =>
  invoices.flatMap((invoice) => {
    const { created, currency, total } = invoice
    const lines = linesOf(invoice)
    if (lines.length === 0)
      return [{ currency, net: total, created, ...recognitionPeriod(totalAsLine, invoice) }]
    const netAmountOf = netAmounts(invoice)
    return lines.map((line) => ({
      currency: currencyOf(line, invoice),
      net: netAmountOf(line),
      created,
      ...recognitionPeriod(line, invoice),
    }))
  })
