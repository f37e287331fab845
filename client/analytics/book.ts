import { type Calendar, calendarOf, monthName } from './calendar.ts'
import { type Holding, holdingsOf } from './holdings.ts'
import { type ValuedLine, valuedLines } from './recurring-lines.ts'
import type { Chart, Invoice, Month, Series } from './types.ts'

/** Invoices as they stand at `now`, in seconds. */
export interface Invoiced {
  readonly invoices: readonly Invoice[]
  readonly now: number
  readonly calendar: Calendar
}

/** What all figures of a business are counted from. */
export interface Book extends Invoiced {
  readonly lines: readonly ValuedLine[]
  readonly holdings: readonly Holding[]
  /** The months of its charts. */
  readonly months: readonly Month[]
}

/** The most months that a chart has. */
export const MOST_MONTHS = 120

/** Returns the months from the first invoice or recurring period to `now`, at most the last 120. */
const monthsOf = ({ invoices, lines, now, calendar }: Omit<Book, 'months' | 'holdings'>): Month[] => {
  let earliest = now
  for (const { created } of invoices) earliest = Math.min(earliest, created)
  for (const { start } of lines) earliest = Math.min(earliest, start)
  const last = calendar.monthOf(now)
  const first = Math.max(calendar.monthOf(earliest), last - MOST_MONTHS + 1)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** Opens the book of invoices as it stands at `now`, in seconds. Throws RangeError for an unknown time zone. */
export const bookOf = (invoices: readonly Invoice[], now: number, timeZone: string): Book => {
  const calendar = calendarOf(timeZone)
  const lines = valuedLines(invoices, calendar)
  const book = { invoices, now, calendar, lines }
  return { ...book, holdings: holdingsOf(lines, now, calendar), months: monthsOf(book) }
}

/** Returns items by a key, in the order of the keys. */
export const sortedGroups = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): readonly (readonly [string, Item[]])[] =>
  [...Map.groupBy(items, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1))

/** Returns a chart of the book's months. */
export const chartOf = <Value>(
  { months }: Book,
  currency: string | undefined,
  series: readonly Series<Value>[],
): Chart<Value> => ({ currency, months, names: months.map(monthName), series })

/** Returns a series that is not a plan's. */
export const named = <Value>(name: string, values: readonly Value[]): Series<Value> => ({
  key: name,
  name,
  values,
})
