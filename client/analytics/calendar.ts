import type { Month } from './types.ts'

/** Months and intervals in a time zone. Times are in seconds since the epoch. */
export interface Calendar {
  readonly timeZone: string
  monthOf(seconds: number): Month
  startOf(month: Month): number
  /**
   * Returns the same time of day `count` intervals of a `unit` (day, week, month, year) later; earlier if negative. In a
   * month without that day, it is the last day.
   */
  shift(seconds: number, unit: string, count: number): number
}

/** The seconds of a day. */
export const DAY = 86_400

/** The average length of each unit in months, where a year has 365.25 days. */
export const monthsPerUnit: ReadonlyMap<string, number> = new Map([
  ['day', 12 / 365.25],
  ['week', 84 / 365.25],
  ['month', 1],
  ['year', 12],
])

/** More than between any two dates that the service accepts, and less than a `Date` can express. */
const MAX_SHIFT_MONTHS = 120_000

/** Returns a month as text, such as "2026-02". @example monthName(673) */
export const monthName = (month: Month): string => new Date(Date.UTC(1970, month)).toISOString().slice(0, 7)

const monthOfDate = (date: Date): Month => (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()

const shiftMonths = (local: number, months: number): number => {
  if (Math.abs(months) > MAX_SHIFT_MONTHS) return local + (months * DAY * 365.25) / 12
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

/** Returns a function from a time to the zone's offset from UTC in seconds. Throws RangeError for an unknown zone. */
export const offsetIn = (timeZone: string): ((seconds: number) => number) => {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  if (timeZone === 'UTC') return () => 0
  const read = (seconds: number): number => {
    const [, sign, ...parts] = /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(format.format(seconds * 1000)) ?? []
    const [hours = 0, minutes = 0, rest = 0] = parts.map((part) => Number(part ?? 0))
    return (sign === '-' ? -1 : 1) * (hours * 3600 + minutes * 60 + rest)
  }
  /** The offsets at the start of days, since formatting is slow. */
  const cache = new Map<number, number>()
  const atStartOf = (day: number): number => {
    const cached = cache.get(day)
    if (cached !== undefined) return cached
    const offset = Math.abs(day) > 1e8 ? 0 : read(day * DAY)
    cache.set(day, offset)
    return offset
  }
  return (seconds) => {
    const day = Math.floor(seconds / DAY)
    const offset = atStartOf(day)
    // If the offset changes during the day, that of the time itself is read.
    return offset === atStartOf(day + 1) ? offset : read(seconds)
  }
}

/** The average length of a month in seconds. */
export const AVERAGE_MONTH = (365.25 * DAY) / 12

/** Returns the calendar of a time zone, such as `Europe/Berlin`. Throws RangeError for an unknown one. */
export const calendarOf = (timeZone: string): Calendar => {
  const offsetAt = offsetIn(timeZone)
  const toLocal = (seconds: number): number => seconds + offsetAt(seconds)
  /** Returns the later of two times with the same local time. Moves a local time that was skipped forward by as much. */
  const fromLocal = (local: number): number => {
    const later = offsetAt(local + DAY)
    return offsetAt(local - later) === later ? local - later : local - offsetAt(local - DAY)
  }
  return {
    timeZone,
    monthOf: (seconds) => monthOfDate(new Date(toLocal(seconds) * 1000)),
    // The last second of the month before occurs twice or once; the first one of the month may be skipped.
    startOf: (month) => fromLocal(Date.UTC(1970, month) / 1000 - 1) + 1,
    shift: (seconds, unit, count) => fromLocal(shiftLocal(toLocal(seconds), unit, count)),
  }
}
