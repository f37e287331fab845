import type { Month } from '../../client/analytics/index.ts'
import { type Calendar, monthName } from '../../client/analytics/lines/calendar.ts'
import { monthText, period } from './dates.ts'
import { UTC } from './time-zone.ts'

/** The time spans to which a list can be limited, as an address names them. */

/** One or more whole months: a month, a quarter or a year. */
export interface Months {
  readonly first: Month
  readonly count: 1 | 3 | 12
}

/** Whole days, such as `2026-10-01`, the last included. */
interface Days {
  readonly from: string
  readonly to: string
}

/** A time span; "week" is the current week. */
export type TimeSpan = Months | Days | 'week'

const YEAR_MONTHS = 12
const MONTH = /^(\d{4})-(\d{2})$/
const QUARTER = /^(\d{4})-Q([1-4])$/
const YEAR = /^\d{4}$/
const DAYS = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/

export const MONTHS_EXAMPLES = 'a month such as 2026-10, a quarter such as 2026-Q4 or a year such as 2026'

export const TIME_SPAN_EXAMPLES =
  'a month such as 2026-10, a quarter such as 2026-Q4, a year such as 2026, days such as 2026-10-01..2026-10-15, or "week"'

const monthOfYear = (year: string, month: number): Month => (Number(year) - 1970) * YEAR_MONTHS + month

/** Returns the month that a text such as `2026-10` names; undefined if it names none. */
export const monthFrom = (text: string): Month | undefined => {
  const [, year, month] = MONTH.exec(text) ?? []
  if (!year || Number(month) < 1 || Number(month) > YEAR_MONTHS) return undefined
  return monthOfYear(year, Number(month) - 1)
}

const isDay = (text: string): boolean => {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** Returns the day that a text such as `2026-10-31` names, as a time span; undefined if it names none. */
export const dayFrom = (text: string): Days | undefined =>
  isDay(text) ? { from: text, to: text } : undefined

/** The month, quarter or year that a text such as `2026-10`, `2026-Q4` or `2026` names; undefined if it names none. */
export const monthsFrom = (text: string): Months | undefined => {
  const month = monthFrom(text)
  if (month !== undefined) return { first: month, count: 1 }
  const [, year, quarter] = QUARTER.exec(text) ?? []
  if (year) return { first: monthOfYear(year, (Number(quarter) - 1) * 3), count: 3 }
  return YEAR.test(text) ? { first: monthOfYear(text, 0), count: YEAR_MONTHS } : undefined
}

/** Returns the span of time that a text names, as `TIME_SPAN_EXAMPLES` says; undefined if it names none. */
export const timeSpanFrom = (text: string): TimeSpan | undefined => {
  if (text === 'week') return 'week'
  const months = monthsFrom(text)
  if (months) return months
  const [, from = '', to = ''] = DAYS.exec(text) ?? []
  return isDay(from) && isDay(to) && from <= to ? { from, to } : undefined
}

/** Returns a month, quarter or year as an address names it, such as `2026-10`, `2026-Q4` or `2026`. */
export const monthsParameter = ({ first, count }: Months): string => {
  const name = monthName(first)
  if (count === 1) return name
  const year = name.slice(0, 4)
  return count === YEAR_MONTHS ? year : `${year}-Q${Math.floor((first % YEAR_MONTHS) / 3) + 1}`
}

/** Returns the month itself, or the quarter or year that contains it. */
export const monthsAround = (month: Month, count: Months['count']): Months => ({
  first: month - (month % count),
  count,
})

/** Returns the label of a time span, such as `Oct 2026`, `Q4 2026` or `This week`. */
export const timeSpanLabel = (span: TimeSpan): string => {
  if (span === 'week') return 'This week'
  // A day such as `2026-10-01` is parsed, and thus written, in UTC. It is the same day in every time zone.
  if ('from' in span) return period(Date.parse(span.from) / 1000, Date.parse(span.to) / 1000, UTC)
  if (span.count === 1) return monthText(span.first)
  return monthsParameter(span).split('-').toReversed().join(' ')
}

/** Such as `First invoice in 2026` or `Created this week`; the name of the date alone without a span. */
export const dateInSpan = (date: string, span: TimeSpan | undefined): string => {
  if (span === undefined) return `${date}: any time`
  if (span === 'week') return `${date} this week`
  return 'from' in span ? `${date} ${timeSpanLabel(span)}` : `${date} in ${timeSpanLabel(span)}`
}

/** Returns the first second of a day such as `2026-10-01`, or of the day `daysLater` days after it. */
const startOfDay = (day: string, daysLater: number, calendar: Calendar): number => {
  const month = monthFrom(day.slice(0, 7))!
  return calendar.shift(calendar.startOf(month), 'day', Number(day.slice(8)) - 1 + daysLater)
}

/** Returns the first second of the week of a time. It begins on Monday. */
const startOfWeek = (now: number, calendar: Calendar): number => {
  const month = calendar.monthOf(now)
  const start = calendar.startOf(month)
  let today = 0
  while (calendar.shift(start, 'day', today + 1) <= now) today += 1
  const weekday = new Date(Date.UTC(1970, month, today + 1)).getUTCDay()
  const sinceMonday = (weekday + 6) % 7
  return calendar.shift(start, 'day', today - sinceMonday)
}

/** The bounds of a time span in seconds: its first second, and the first second after it. `now` is in seconds, too. */
export const boundsOf = (span: TimeSpan, now: number, calendar: Calendar) => {
  if (span === 'week') {
    const start = startOfWeek(now, calendar)
    return { start, end: calendar.shift(start, 'day', 7) }
  }
  if ('from' in span)
    return { start: startOfDay(span.from, 0, calendar), end: startOfDay(span.to, 1, calendar) }
  return { start: calendar.startOf(span.first), end: calendar.startOf(span.first + span.count) }
}
