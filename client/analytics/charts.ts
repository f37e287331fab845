import type { Span } from './active-lines.ts'
import { monthName } from './calendar.ts'
import type { Chart, Month, Series } from './types.ts'

/** The maximum number of months in a chart. @example const months = Math.min(36, MAX_MONTHS) */
export const MAX_MONTHS = 120

/** Returns the months from one to another, both included. */
export const monthsBetween = (first: Month, last: Month): Month[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Returns a chart over consecutive months. */
export const chartOf = <Value>(
  months: readonly Month[],
  currency: string | undefined,
  series: readonly Series<Value>[],
): Chart<Value> => ({ currency, months, names: months.map(monthName), series })

/** Returns a series under a fixed name, which is also its key. */
export const seriesOf = <Value>(name: string, values: readonly Value[]): Series<Value> => ({
  key: name,
  name,
  values,
})

/** Returns the sum of amounts at the end of each of consecutive months. The spans are in months. */
export const sumsByMonth = (months: readonly Month[], spans: readonly Span[]): number[] => {
  const first = months[0]!
  const changes = [...months, 0].map(() => 0)
  for (const { from, to, monthly } of spans) {
    changes[Math.max(0, from - first)]! += monthly
    changes[Math.max(0, to - first)]! -= monthly
  }
  let sum = 0
  return months.map((_, index) => {
    sum += changes[index]!
    return sum
  })
}
