import type { Month } from './invoice.ts'

/** Months and intervals in a time zone. Times are in seconds since the epoch. */
export interface Calendar {
  readonly timeZone: string
  /** Returns the local time of a time, in seconds, as if it were in UTC. */
  localTime(seconds: number): number
  /** Returns the month of a time. */
  monthOf(seconds: number): Month
  /** Returns the first second of a month. */
  startOf(month: Month): number
  /**
   * Returns the same time of day `count` intervals of a `unit` (day, week, month, year) later; earlier if negative. In a
   * month without that day, it is the last day.
   */
  shift(seconds: number, unit: string, count: number): number
}

/** The seconds of a day. */
export const DAY = 86_400

export const HOUR = DAY / 24

/** The average length of a month in seconds. */
export const AVERAGE_MONTH = (365.25 * DAY) / 12

/** The average length of each unit in months, where a year has 365.25 days. */
export const monthsPerUnit: ReadonlyMap<string, number> = new Map([
  ['day', 12 / 365.25],
  ['week', 84 / 365.25],
  ['month', 1],
  ['year', 12],
])

/** The largest shift that is counted by calendar. It exceeds any difference of two dates that the service accepts, and fits a `Date`. */
const MAX_SHIFT_MONTHS = 120_000

/** Returns a month as text, such as "2026-02". @example monthName(673) */
export const monthName = (month: Month): string => new Date(Date.UTC(1970, month)).toISOString().slice(0, 7)

/** Returns the month of a date that has a zone's local time as if it were UTC. */
const monthOfDate = (date: Date): Month => (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()

/** Returns the same local time some months later, or on the last day of a month that has no such day. In seconds. */
const shiftMonths = (local: number, months: number): number => {
  if (Math.abs(months) > MAX_SHIFT_MONTHS) return local + months * AVERAGE_MONTH
  const date = new Date(local * 1000)
  const month = monthOfDate(date) + months
  const day = date.getUTCDate()
  // Every month has 28 days, so that few dates need the length of their month.
  const lastDay = day <= 28 ? day : new Date(Date.UTC(1970, month + 1, 0)).getUTCDate()
  const midnight = Date.UTC(1970, month, Math.min(day, lastDay)) / 1000
  const timeOfDay = local - Math.floor(local / DAY) * DAY
  return midnight + timeOfDay
}

/** Returns a local time, in seconds, some units later: days, weeks, months or years. */
const shiftLocal = (local: number, unit: string, count: number): number => {
  if (unit === 'day') return local + count * DAY
  if (unit === 'week') return local + count * 7 * DAY
  if (unit === 'year') return shiftMonths(local, count * 12)
  return shiftMonths(local, count)
}

/** Matches the offset in a formatted date, such as "GMT+05:30"; "GMT" alone has no offset. */
const GMT_OFFSET = /GMT([+-])(\d+):(\d+)(?::(\d+))?/

/** Returns the offset from UTC in the text of a formatted date, in seconds. */
const parseOffset = (text: string): number => {
  const found = GMT_OFFSET.exec(text)
  if (!found) return 0
  const [, sign, hours, minutes, seconds = '0'] = found
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return sign === '-' ? -size : size
}

/** The greatest distance of a day from 1970 that a `Date` can express, in days. Days beyond it are taken to be in UTC. */
const MAX_DAYS = 1e8

/** Returns a function from a time to the zone's offset from UTC, both in seconds. Throws RangeError for an unknown zone. */
export const offsetIn = (timeZone: string): ((seconds: number) => number) => {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  if (timeZone === 'UTC') return () => 0
  const read = (seconds: number): number => parseOffset(format.format(seconds * 1000))
  /** The offsets at the start of days. They are kept, since formatting is slow. */
  const offsets = new Map<number, number>()
  const offsetAtStartOf = (day: number): number => {
    const cached = offsets.get(day)
    if (cached !== undefined) return cached
    const offset = Math.abs(day) > MAX_DAYS ? 0 : read(day * DAY)
    offsets.set(day, offset)
    return offset
  }
  return (seconds) => {
    const day = Math.floor(seconds / DAY)
    const offset = offsetAtStartOf(day)
    // If the offset changes during the day, the offset at the time itself is read.
    return offset === offsetAtStartOf(day + 1) ? offset : read(seconds)
  }
}

/** Returns the calendar of a time zone, such as `Europe/Berlin`. Throws RangeError for an unknown time zone. */
export const calendarOf = (timeZone: string): Calendar => {
  const offsetAt = offsetIn(timeZone)
  const localTime = (seconds: number): number => seconds + offsetAt(seconds)
  /**
   * Returns the time with a local time. If clocks were set back, so that there are two, returns the later one. If clocks were set
   * forward over the local time, so that there is none, returns the time as much later as the clocks were set forward.
   */
  const fromLocal = (local: number): number => {
    const offsetAfter = offsetAt(local + DAY)
    const offsetBefore = offsetAt(local - DAY)
    const isAfterChange = offsetAt(local - offsetAfter) === offsetAfter
    return local - (isAfterChange ? offsetAfter : offsetBefore)
  }
  return {
    timeZone,
    localTime,
    monthOf: (seconds) => monthOfDate(new Date(localTime(seconds) * 1000)),
    // The second after the last one of the month before, because clocks may be set forward over a month's first second.
    startOf: (month) => fromLocal(Date.UTC(1970, month) / 1000 - 1) + 1,
    shift: (seconds, unit, count) => fromLocal(shiftLocal(localTime(seconds), unit, count)),
  }
}
