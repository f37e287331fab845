import { type ActiveLine, activeLinesOf } from './active-lines.ts'
import { type Calendar, calendarOf } from './calendar.ts'
import { MAX_MONTHS, monthsBetween } from './charts.ts'
import { type RecognisedLine, recognisedLines } from './recognised-lines.ts'
import type { Invoice, Month } from './types.ts'
import { type ValuedLine, valuedLines } from './valued-lines.ts'

/** What all figures are computed from. */
export interface Dataset {
  readonly invoices: readonly Invoice[]
  /** Seconds since the epoch. */
  readonly now: number
  readonly calendar: Calendar
  readonly lines: readonly ValuedLine[]
  readonly activeLines: readonly ActiveLine[]
  readonly recognised: readonly RecognisedLine[]
  /** The months of the charts. */
  readonly months: readonly Month[]
}

/** Returns the dataset of invoices at a time, in seconds since the epoch. Throws RangeError for an unknown time zone. */
export const datasetOf = (invoices: readonly Invoice[], time: number, timeZone: string): Dataset => {
  const now = Math.floor(time)
  const calendar = calendarOf(timeZone)
  const lines = valuedLines(invoices, calendar)
  const recognised = recognisedLines(invoices)
  let earliest = now
  for (const { created } of invoices) earliest = Math.min(earliest, created)
  for (const { start } of recognised) earliest = Math.min(earliest, start)
  const last = calendar.monthOf(now)
  const first = Math.max(calendar.monthOf(earliest), last - MAX_MONTHS + 1)
  const months = monthsBetween(first, last)
  const activeLines = activeLinesOf(lines, now, calendar)
  return { invoices, now, calendar, lines, activeLines, recognised, months }
}
