import type { Month } from './types.ts'

/** Months and intervals by the calendar of a time zone. */
export interface Calendar {
  /** Returns the month that a time falls in. */
  monthOf(seconds: number): Month
  /** Returns the same time of day a number of intervals later, or earlier if negative; a day that the month lacks is its last. */
  shift(seconds: number, unit: string, count: number): number
}

const DAY = 86_400

/** The length of intervals in months: a month is a twelfth of a year of 365.25 days. */
export const monthsIn: ReadonlyMap<string, number> = new Map([
  ['day', 12 / 365.25],
  ['week', 84 / 365.25],
  ['month', 1],
  ['year', 12],
])

/** More months than between any two dates that the service takes; a `Date` ends not much later. */
const MOST_MONTHS = 120_000

/** Returns a month as `2026-02`. */
export const monthName = (month: Month): string => new Date(Date.UTC(1970, month)).toISOString().slice(0, 7)

const monthOfDate = (date: Date): Month => (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()

const shiftMonths = (local: number, months: number): number => {
  if (Math.abs(months) > MOST_MONTHS) return local + (months * DAY * 365.25) / 12
  const date = new Date(local * 1000)
  const month = monthOfDate(date) + months
  const lastDay = new Date(Date.UTC(1970, month + 1, 0)).getUTCDate()
  const midnight = Date.UTC(1970, month, Math.min(date.getUTCDate(), lastDay)) / 1000
  return midnight + (local - Math.floor(local / DAY) * DAY)
}

const shiftLocal = (local: number, unit: string, count: number): number => {
  if (unit === 'day' || unit === 'week') return local + count * DAY * (unit === 'week' ? 7 : 1)
  return shiftMonths(local, unit === 'year' ? count * 12 : count)
}

/** Returns the function that returns how many seconds a zone is ahead of UTC at a time. Throws RangeError for an unknown zone. */
const offsetIn = (timeZone: string): ((seconds: number) => number) => {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  if (timeZone === 'UTC') return () => 0
  const read = (seconds: number): number => {
    const [, sign, ...parts] = /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(format.format(seconds * 1000)) ?? []
    const [hours = 0, minutes = 0, rest = 0] = parts.map((part) => Number(part ?? 0))
    return (sign === '-' ? -1 : 1) * (hours * 3600 + minutes * 60 + rest)
  }
  /** The offset at the start of each day. A day whose end has another offset is read moment by moment. */
  const days = new Map<number, number>()
  const atStartOf = (day: number): number => {
    const known = days.get(day)
    if (known !== undefined) return known
    const offset = Math.abs(day) > 1e8 ? 0 : read(day * DAY)
    days.set(day, offset)
    return offset
  }
  return (seconds) => {
    const day = Math.floor(seconds / DAY)
    const offset = atStartOf(day)
    return offset === atStartOf(day + 1) ? offset : read(seconds)
  }
}

/** Returns the calendar of a time zone, such as `Europe/Berlin`. Throws RangeError for an unknown one. */
export const calendarOf = (timeZone: string): Calendar => {
  const offsetAt = offsetIn(timeZone)
  const toLocal = (seconds: number): number => seconds + offsetAt(seconds)
  /** Of a time that the clocks show twice, the later one; of one that they leave out, the one after as much time. */
  const fromLocal = (local: number): number => {
    const later = offsetAt(local + DAY)
    return offsetAt(local - later) === later ? local - later : local - offsetAt(local - DAY)
  }
  return {
    monthOf: (seconds) => monthOfDate(new Date(toLocal(seconds) * 1000)),
    shift: (seconds, unit, count) => fromLocal(shiftLocal(toLocal(seconds), unit, count)),
  }
}
