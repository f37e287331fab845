import { monthsIn } from './calendar.ts'
import type { Invoice, Line, Plan } from './types.ts'

/** A line that recurs, with its interval and its period in seconds since the epoch. */
export interface RecurringLine {
  readonly invoice: Invoice
  readonly line: Line
  readonly currency: string
  readonly plan: Plan
  /** The unit of the interval, such as `month`, and how many of them it has. */
  readonly unit: string
  readonly count: number
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** Whether the period is the line's, not its invoice's. */
  readonly hasPeriod: boolean
}

/** Returns the lines of an invoice, which a list without `include=line_items` does not have. */
export const linesOf = (invoice: Invoice): readonly Line[] => invoice.line_items ?? []

/** Returns the currency of a line: its own or that of its invoice. */
export const currencyOf = (line: Line, invoice: Invoice): string => line.currency ?? invoice.currency

/** Returns the plan of a line: the product of its price. */
export const planOf = ({ price }: Line): Plan =>
  price ? { key: price.product.id, name: price.product.name } : { key: '', name: null }

/** Returns whether a line has a period of its own. */
export const hasPeriod = <Of extends Partial<Line>>(
  line: Of,
): line is Of & { readonly period_start: number; readonly period_end: number } =>
  line.period_start != null && line.period_end != null

const afterDiscount = ({ amount, discount_amount }: Line): number => (amount ?? 0) - (discount_amount ?? 0)

/**
 * Compares an invoice with its lines in its currency. Returns by how much the total exceeds the sum of the lines after
 * discount, the sum of their taxes, and their number.
 */
const comparisonOf = (invoice: Invoice) => {
  const lines = linesOf(invoice).filter((line) => currencyOf(line, invoice) === invoice.currency)
  const excess = lines.reduce((rest, line) => rest - afterDiscount(line), invoice.total)
  const tax = lines.reduce((sum, { tax_amount }) => sum + (tax_amount ?? 0), 0)
  return { excess, tax, lines: lines.length }
}

/** Returns whether the total of an invoice is the sum of its lines, with tax added or without, to a minor unit per line. */
export const isTotalOfLines = (invoice: Invoice): boolean => {
  const { excess, tax, lines } = comparisonOf(invoice)
  return lines === 0 || Math.min(Math.abs(excess), Math.abs(excess - tax)) <= lines
}

/** Returns whether the amounts of an invoice's lines exclude tax: they add up to its total only with the taxes added. */
const isTaxExclusive = (invoice: Invoice): boolean => {
  const { excess, tax, lines } = comparisonOf(invoice)
  return Math.abs(excess - tax) <= lines && Math.abs(excess - tax) < Math.abs(excess)
}

/** Returns a function that returns the amount of one of the invoice's lines without discount and tax. */
export const netAmounts = (invoice: Invoice): ((line: Line) => number) => {
  const isExclusive = isTaxExclusive(invoice)
  return (line) => afterDiscount(line) - (isExclusive ? 0 : (line.tax_amount ?? 0))
}

/** Returns the interval in which a line recurs: its own or, if it has a period, that of its price. */
const intervalOf = (line: Line) => {
  const hasInterval = line.type === 'recurring' && line.interval
  const { interval, interval_count } = (hasInterval ? line : hasPeriod(line) && line.price) || {}
  return interval && monthsIn.has(interval) ? { unit: interval, count: interval_count || 1 } : undefined
}

/** Returns the period of a line: its own or that of its invoice. Its end is exclusive; one at second 59 was meant to be inclusive. */
export const periodOf = (line: Partial<Line>, invoice: Invoice): { start: number; end: number } => {
  const { period_start, period_end } = hasPeriod(line) ? line : invoice
  const isInclusive = period_end % 60 === 59 && period_end > period_start
  return { start: period_start, end: isInclusive ? period_end + 1 : period_end }
}

/** Returns a line with its interval and period; undefined if it does not recur. */
export const recurringLine = (line: Line, invoice: Invoice): RecurringLine | undefined => {
  const interval = intervalOf(line)
  return (
    interval && {
      invoice,
      line,
      currency: currencyOf(line, invoice),
      plan: planOf(line),
      ...interval,
      ...periodOf(line, invoice),
      hasPeriod: hasPeriod(line),
    }
  )
}

/** Rounds half away from zero. */
export const rounded = (amount: number): number => Math.sign(amount) * Math.round(Math.abs(amount)) + 0
