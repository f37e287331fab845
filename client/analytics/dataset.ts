import { activeLinesOf } from './active-lines.ts'
import { calendarOf } from './calendar.ts'
import { MAX_MONTHS, monthsBetween } from './charts.ts'
import { recognisedLines } from './recognised-lines.ts'
import type { Invoice } from './types.ts'
import { valuedLines } from './valued-lines.ts'

/** Returns the dataset of invoices at a time, in seconds since the epoch. Throws RangeError for an unknown time zone. */
export const datasetOf = (invoices: readonly Invoice[], time: number, timeZone: string) => {
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

/** What all figures are computed from. */
export type Dataset = ReturnType<typeof datasetOf>
