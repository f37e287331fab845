import { chartOf, MAX_MONTHS, monthsBetween, seriesOf } from './charts.ts'
import type { Dataset } from './dataset.ts'
import { byCurrency } from './groups.ts'
import type { RecognisedLine } from './recognised-lines.ts'
import { rounded } from './recurring-lines.ts'
import type { Chart } from './types.ts'

/** Returns amount × part ÷ whole, of integers, rounded half away from zero. */
const shareOf = (amount: number, part: number, whole: number): number => {
  const product = amount * part
  // Up to here, the quotient of floats is on the right side of a half.
  if (Math.abs(product) < 2 ** 52) return rounded(product / whole)
  const [dividend, divisor] = [2n * BigInt(Math.abs(amount)) * BigInt(part), 2n * BigInt(whole)]
  return Math.sign(amount) * Number((dividend + divisor / 2n) / divisor)
}

/** Returns what of a line is recognised before a moment. */
const recognisedUntil = ({ net, start, end }: RecognisedLine, moment: number): number =>
  moment >= end ? net : moment <= start ? 0 : shareOf(net, moment - start, end - start)

/**
 * Returns what of lines is billed and recognised between the ends of periods, the first of which begins before all time, and
 * what is recognised before each end of lines that are billed at it or later.
 */
const recognitionOf = (lines: readonly RecognisedLine[], ends: readonly number[]) => {
  const [billed, recognised, unbilled] = [ends.map(() => 0), ends.map(() => 0), ends.map(() => 0)]
  const indexOf = (moment: number): number => {
    const index = ends.findIndex((end) => end > moment)
    return index < 0 ? ends.length : index
  }
  for (const line of lines) {
    const created = indexOf(line.created)
    if (created < ends.length) billed[created]! += line.net
    let before = 0
    for (let index = indexOf(line.start); index < ends.length; index += 1) {
      if (before === line.net && index >= created) break
      const until = recognisedUntil(line, ends[index]!)
      recognised[index]! += until - before
      if (index < created) unbilled[index]! += until
      before = until
    }
  }
  return { billed, recognised, unbilled }
}

/** Returns what is billed, recognised, deferred and unbilled by month, a chart for each currency. */
export const revenueCharts = (dataset: Dataset): Chart[] => {
  const { months, calendar, now } = dataset
  const ends = [months[0]! - 1, ...months].map((month) => Math.min(calendar.startOf(month + 1), now))
  return byCurrency(dataset.recognised).map(([currency, lines]) => {
    const { billed, recognised, unbilled } = recognitionOf(lines, ends)
    let rest = 0
    const deferred = ends.map((_, index) => {
      rest += billed[index]! - recognised[index]!
      return rest + unbilled[index]!
    })
    const values = { Billed: billed, Recognised: recognised, Deferred: deferred, Unbilled: unbilled }
    const series = Object.entries(values).map(([name, all]) => seriesOf(name, all.slice(1)))
    return chartOf(months, currency, series)
  })
}

/** Returns what of the deferred amount of now will be recognised in each month, a chart for each currency. */
export const scheduleCharts = ({ recognised, calendar, now }: Dataset): Chart[] => {
  const isBilled = ({ created }: RecognisedLine): boolean => created < now
  const current = calendar.monthOf(now)
  let last = now
  for (const line of recognised) if (isBilled(line)) last = Math.max(last, line.end - 1)
  const months = monthsBetween(current, Math.min(calendar.monthOf(last), current + MAX_MONTHS - 1))
  // The last month has all that is left.
  const ends = [now, ...months.slice(1).map(calendar.startOf), Number.POSITIVE_INFINITY]
  return byCurrency(recognised).map(([currency, lines]) => {
    const values = recognitionOf(lines.filter(isBilled), ends).recognised.slice(1)
    return chartOf(months, currency, [seriesOf('Recognised', values)])
  })
}
