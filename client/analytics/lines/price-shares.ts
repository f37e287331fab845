import { AVERAGE_MONTH, type Calendar, DAY, monthsPerUnit } from './calendar.ts'
import type { Line } from './invoice.ts'
import { currencyOf } from './line-properties.ts'
import type { Period, Recurrence, RecurringLine } from './recurring-lines.ts'
import { holdsInZoneOrUtc, isWholeIn, TWO_HOURS } from './whole-periods.ts'

/** A part of an interval and the whole interval, both measured in the same way, such as in seconds or in days. */
interface Share {
  readonly part: number
  readonly whole: number
}

/**
 * Returns the intervals of a calendar that end or begin with a period and are longer. An interval that ends or begins on the last
 * day of a month may have begun, or end, up to three days later, as on 31 January for 28 February.
 */
const longerIntervals = (
  { shift }: Calendar,
  { start, end }: Period,
  { unit, count }: Recurrence,
): Period[] => {
  const previous = shift(end, unit, -count)
  if (previous >= start) return []
  const upToThreeDaysLater = (time: number): number[] => [0, 1, 2, 3].map((days) => shift(time, 'day', days))
  const starts = upToThreeDaysLater(previous).filter(
    (time) => time < start && (time === previous || shift(time, unit, count) === end),
  )
  const next = shift(start, unit, count)
  const ends = upToThreeDaysLater(next).filter(
    (time) => time > end && (time === next || shift(time, unit, -count) === start),
  )
  return [...starts.map((time) => ({ start: time, end })), ...ends.map((time) => ({ start, end: time }))]
}

const localDays = ({ localTime }: Calendar, { start, end }: Period): number =>
  Math.floor(localTime(end) / DAY) - Math.floor(localTime(start) / DAY)

/** Returns the days of a period in a year of twelve months of 30 days. */
const daysOf360 = ({ localTime }: Calendar, { start, end }: Period): number => {
  const [from, to] = [new Date(localTime(start) * 1000), new Date(localTime(end) * 1000)]
  const years = to.getUTCFullYear() - from.getUTCFullYear()
  const months = years * 12 + to.getUTCMonth() - from.getUTCMonth()
  return months * 30 + Math.min(to.getUTCDate(), 30) - Math.min(from.getUTCDate(), 30)
}

/** Returns the shares by seconds, by seconds of local time, and by local days with and without the day of the change. */
const sharesByTime = (calendar: Calendar, period: Period, interval: Period): Share[] => {
  const seconds = ({ start, end }: Period): number => end - start
  const localSeconds = ({ start, end }: Period): number => calendar.localTime(end) - calendar.localTime(start)
  const days = localDays(calendar, period)
  const wholeDays = localDays(calendar, interval)
  return [
    { part: seconds(period), whole: seconds(interval) },
    { part: localSeconds(period), whole: localSeconds(interval) },
    { part: days, whole: wholeDays },
    { part: days - 1, whole: wholeDays },
  ]
}

/** Returns the shares of an interval of some months: by days of 30/360, by days of months of 30 days, and by whole months. */
const sharesByMonths = (calendar: Calendar, period: Period, months: number): Share[] => {
  const days = 30 * months
  const wholeMonths = Math.round((period.end - period.start) / AVERAGE_MONTH)
  const isWhole = isWholeIn(calendar, period, 'month', wholeMonths, TWO_HOURS)
  return [
    { part: daysOf360(calendar, period), whole: days },
    { part: Math.min(localDays(calendar, period), days), whole: days },
    { part: isWhole ? wholeMonths : 0, whole: months },
  ]
}

/** Returns the shares of an interval for a period that begins or ends with it, in all ways in which billers compute them. */
const sharesIn = (calendar: Calendar, period: Period, recurrence: Recurrence): Share[] => {
  const { unit, count } = recurrence
  const intervals = longerIntervals(calendar, period, recurrence)
  if (intervals.length === 0) return []
  const byTime = intervals.flatMap((interval) => sharesByTime(calendar, period, interval))
  if (unit !== 'month' && unit !== 'year') return byTime
  const months = monthsPerUnit.get(unit)! * count
  // An interval of several months may be billed in monthly instalments.
  const instalments = months === 1 ? [] : sharesIn(calendar, period, { unit: 'month', count: 1 })
  const ofInstalments = instalments.map(({ part, whole }) => ({ part, whole: whole * months }))
  return [...byTime, ...sharesByMonths(calendar, period, months), ...ofInstalments]
}

/** Returns the amount of a whole interval by the line's price, without its sign. */
export const fullIntervalAmount = ({ price, quantity }: Line): number =>
  Math.abs(price!.price * (quantity ?? 1))

/** Returns whether the amount for an interval follows from the line's price: a price without tiers, in the line's currency and for its interval. */
export const hasPriceOfInterval = ({
  line,
  invoice,
  unit,
  count,
}: Omit<RecurringLine, 'hasPeriod'>): boolean => {
  const { price } = line
  if (!price || price.tiered || price.currency !== currencyOf(line, invoice)) return false
  return price.interval === unit && (price.interval_count || 1) === count
}

/** Returns whether the amount of a line is its price's share for a part of an interval, to a minor unit. */
export const isShareOfPrice = (recurring: RecurringLine, calendar: Calendar): boolean => {
  const { line, hasPeriod } = recurring
  if (!hasPeriod || !line.amount || !hasPriceOfInterval(recurring)) return false
  const amount = Math.abs(line.amount)
  const fullAmount = fullIntervalAmount(line)
  const isMet = ({ part, whole }: Share): boolean =>
    part > 0 && part <= whole && Math.abs(fullAmount * part - amount * whole) <= whole
  return holdsInZoneOrUtc(calendar, (followed) => sharesIn(followed, recurring, recurring).some(isMet))
}
