import type { BillingConventions } from './billing-conventions.ts'
import { monthsPerUnit } from './calendar.ts'
import type { Invoice, Line } from './invoice.ts'
import { hasPeriod } from './line-properties.ts'

/** How often a line recurs: the unit of its interval, such as `month`, and how many of these units one interval has. */
export interface Recurrence {
  readonly unit: string
  readonly count: number
}

/** A period in seconds since the epoch. Its end is exclusive. */
export interface Period {
  readonly start: number
  readonly end: number
}

/** A line that recurs, with its interval and its period. */
export interface RecurringLine extends Recurrence, Period {
  readonly invoice: Invoice
  readonly line: Line
  /** Whether the period is the line's, not its invoice's. */
  readonly hasPeriod: boolean
}

/** Returns how often a line recurs: by its own interval or, if it has a period, by that of its price. Undefined if it does not recur. */
export const recurrenceOf = (line: Line): Recurrence | undefined => {
  const hasOwnInterval = line.type === 'recurring' && Boolean(line.interval)
  if (!hasOwnInterval && !hasPeriod(line)) return undefined
  const interval = hasOwnInterval ? line.interval : line.price?.interval
  const count = hasOwnInterval ? line.interval_count : line.price?.interval_count
  return interval && monthsPerUnit.has(interval) ? { unit: interval, count: count || 1 } : undefined
}

/** Returns the period of a line: its own or that of its invoice. An end that was meant to be inclusive becomes the next second or minute. */
export const periodOf = (line: Partial<Line>, invoice: Invoice, conventions: BillingConventions): Period => {
  const { period_start: start, period_end: end } = hasPeriod(line) ? line : invoice
  return { start, end: end > start ? conventions.exclusiveEnd(end, invoice.subscription_id) : end }
}

/** Returns a line with its interval and period; undefined if it does not recur. */
export const recurringLine = (
  line: Line,
  invoice: Invoice,
  conventions: BillingConventions,
): RecurringLine | undefined => {
  const recurrence = recurrenceOf(line)
  if (!recurrence) return undefined
  const { start, end } = periodOf(line, invoice, conventions)
  const { unit, count } = recurrence
  return { invoice, line, unit, count, start, end, hasPeriod: hasPeriod(line) }
}
