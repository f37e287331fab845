import type { Span } from './active-lines.ts'
import { monthName } from './calendar.ts'
import type { Dataset } from './dataset.ts'
import type { Chart, Series } from './types.ts'

/** Returns a chart over the months of the dataset. */
export const chartOf = <Value>(
  { months }: Dataset,
  currency: string | undefined,
  series: readonly Series<Value>[],
): Chart<Value> => ({ currency, months, names: months.map(monthName), series })

/** Returns a series under a fixed name, which is also its key. */
export const seriesOf = <Value>(name: string, values: readonly Value[]): Series<Value> => ({
  key: name,
  name,
  values,
})

/** Returns the sum of amounts at the end of each month. The spans are in months. */
export const sumsByMonth = ({ months }: Dataset, spans: readonly Span[]): number[] => {
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
