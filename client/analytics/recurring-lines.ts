import { type Calendar, monthsIn } from './calendar.ts'
import type { Invoice, Line, Plan } from './types.ts'

/** A line that recurs, with its interval and its period in seconds since the epoch. */
interface RecurringLine {
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

/** A recurring line with its monthly value in minor units: without discount and tax, per month of its interval. */
export interface ValuedLine extends RecurringLine {
  readonly monthly: number
}

const DAY = 86_400

/** Returns the lines of an invoice, which a list without `include=line_items` does not have. */
export const linesOf = (invoice: Invoice): readonly Line[] => invoice.line_items ?? []

/** Returns the currency of a line: its own or that of its invoice. */
export const currencyOf = (line: Line, invoice: Invoice): string => line.currency ?? invoice.currency

/** Returns the plan of a line: the product of its price. */
export const planOf = ({ price }: Line): Plan =>
  price ? { key: price.product.id, name: price.product.name } : { key: '', name: 'No plan named' }

/** Returns whether a line has a period of its own. */
export const hasPeriod = ({ period_start, period_end }: Line): boolean =>
  period_start != null && period_end != null

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

/** Returns the exclusive end of a period. An end at second 59 was meant to be inclusive. */
const exclusive = (end: number): number => (end % 60 === 59 ? end + 1 : end)

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
      start: line.period_start ?? invoice.period_start,
      end: exclusive(line.period_end ?? invoice.period_end),
      hasPeriod: hasPeriod(line),
    }
  )
}

/** Rounds half away from zero. */
const rounded = (amount: number): number => Math.sign(amount) * Math.round(Math.abs(amount)) + 0

/** Returns the number of intervals that a line's period is closest to. */
const intervalsIn = ({ unit, count, start, end, hasPeriod }: RecurringLine): number => {
  const length = (monthsIn.get(unit)! * count * DAY * 365.25) / 12
  return hasPeriod ? Math.max(1, Math.round((end - start) / length)) : 1
}

/**
 * Returns the factor that extrapolates the amount of a line for a part of its interval, such as a proration, to the whole
 * interval of `units`; 1 if the line is for a whole one.
 */
const extrapolationOf = (recurring: RecurringLine, units: number, calendar: Calendar): number => {
  const { line, unit, start, end } = recurring
  if (!recurring.hasPeriod) return 1
  const next = calendar.shift(start, unit, units)
  const previous = calendar.shift(end, unit, -units)
  const isRecurring = line.type === 'recurring'
  const tolerance = isRecurring ? DAY / 2 : DAY / 12
  if (Math.min(Math.abs(next - end), Math.abs(previous - start)) <= tolerance) return 1
  const factor = (end - previous) / (end - start)
  // Months differ by up to 31 / 28, and the change to summer time takes an hour more.
  return isRecurring && Math.max(factor, 1 / factor) <= 1.11 ? 1 : factor
}

/** Returns the monthly value of a line with this net amount. */
const monthlyOf = (recurring: RecurringLine, netAmount: number, calendar: Calendar): number => {
  const units = recurring.count * intervalsIn(recurring)
  const factor = extrapolationOf(recurring, units, calendar)
  return rounded((netAmount * factor) / (monthsIn.get(recurring.unit)! * units))
}

/** Returns the recurring lines of invoices with their monthly values, without lines whose period is empty. */
export const valuedLines = (invoices: readonly Invoice[], calendar: Calendar): ValuedLine[] =>
  invoices.flatMap((invoice) => {
    const netAmountOf = netAmounts(invoice)
    return linesOf(invoice).flatMap((line) => {
      const recurring = recurringLine(line, invoice)
      if (!recurring || recurring.end <= recurring.start) return []
      return [{ ...recurring, monthly: monthlyOf(recurring, netAmountOf(line), calendar) }]
    })
  })
