import { type ActiveLine, activeLinesOf } from './active-lines.ts'
import { type Calendar, calendarOf } from './calendar.ts'
import { type ValuedLine, valuedLines } from './recurring-lines.ts'
import type { Invoice, Month } from './types.ts'

/** What all figures are computed from. */
export interface Dataset {
  readonly invoices: readonly Invoice[]
  /** Seconds since the epoch. */
  readonly now: number
  readonly calendar: Calendar
  readonly lines: readonly ValuedLine[]
  readonly activeLines: readonly ActiveLine[]
  /** The months of the charts. */
  readonly months: readonly Month[]
}

/** The maximum number of months in a chart. */
export const MAX_MONTHS = 120

/** Returns the dataset of invoices at `now`, in seconds since the epoch. Throws RangeError for an unknown time zone. */
export const datasetOf = (invoices: readonly Invoice[], now: number, timeZone: string): Dataset => {
  const calendar = calendarOf(timeZone)
  const lines = valuedLines(invoices, calendar)
  let earliest = now
  for (const { created } of invoices) earliest = Math.min(earliest, created)
  for (const { start } of lines) earliest = Math.min(earliest, start)
  const last = calendar.monthOf(now)
  const first = Math.max(calendar.monthOf(earliest), last - MAX_MONTHS + 1)
  const months = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return { invoices, now, calendar, lines, activeLines: activeLinesOf(lines, now, calendar), months }
}
