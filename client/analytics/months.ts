import { monthName } from './lines/calendar.ts'
import type { Month } from './lines/invoice.ts'
import type { Span } from './lines/spans.ts'
import type { CalendarMonth } from './types.ts'

/** The maximum number of months in a result. @example const months = Math.min(36, MAX_MONTHS) */
export const MAX_MONTHS = 120

/** The number of months of a quarter. */
export const QUARTER_MONTHS = 3

/** Returns the first month of a month's quarter: January, April, July or October. */
export const firstOfQuarter = (month: Month): Month => Math.floor(month / QUARTER_MONTHS) * QUARTER_MONTHS

/** Returns the months from one to another, both included. */
export const monthsBetween = (first: Month, last: Month): Month[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Returns a record for each month: the month, its name, and the figures that `figuresAt` returns for its index. */
export const recordsByMonth = <Figures extends object>(
  months: readonly Month[],
  figuresAt: (index: number) => Figures,
): (CalendarMonth & Figures)[] =>
  months.map((month, index) => ({ month, name: monthName(month), ...figuresAt(index) }))

/** Returns the sum of the spans at the end of each of consecutive months. The spans are in months. */
export const sumsByMonth = (months: readonly Month[], spans: readonly Span[]): number[] => {
  const first = months[0]!
  // The change of the sum in each month. One more element takes the changes after the last month.
  const changes = new Array<number>(months.length + 1).fill(0)
  const change = (month: Month, amount: number): void => {
    const index = Math.min(months.length, Math.max(0, month - first))
    changes[index]! += amount
  }
  for (const { from, to, monthly } of spans) {
    change(from, monthly)
    change(to, -monthly)
  }
  let sum = 0
  return months.map((_, index) => {
    sum += changes[index]!
    return sum
  })
}
