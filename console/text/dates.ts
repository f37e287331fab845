import { DAY, offsetIn } from '../../client/analytics/lines/calendar.ts'
import { UTC } from './time-zone.ts'

/** Dates in the language of the page, and in a time zone. */

/** Dates are in English like the words of the page, and have their month as a word, which no reader takes for a day. */
const DATE_LOCALE = 'en-GB'

interface DateFormats {
  /** Returns the offset from UTC at a time, both in seconds. */
  readonly offsetAt: (seconds: number) => number
  readonly day: Intl.DateTimeFormat
  readonly minute: Intl.DateTimeFormat
  readonly clock: Intl.DateTimeFormat
}

/** The formats by time zone. They are cached, since creating a format is slow. */
const dateFormats = new Map<string, DateFormats>()

const dateFormatsIn = (timeZone: string): DateFormats => {
  const cached = dateFormats.get(timeZone)
  if (cached) return cached
  const formatOf = (style: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(DATE_LOCALE, { ...style, timeZone })
  const formats = {
    offsetAt: offsetIn(timeZone),
    day: formatOf({ dateStyle: 'medium' }),
    minute: formatOf({ dateStyle: 'medium', timeStyle: 'short' }),
    clock: formatOf({ timeStyle: 'short' }),
  }
  dateFormats.set(timeZone, formats)
  return formats
}

export const day = (seconds: number, timeZone: string): string =>
  dateFormatsIn(timeZone).day.format(seconds * 1000)

/** A function that returns the day of a time in a time zone, such as `2026-10-31`, for other programs. */
export const isoDayIn = (timeZone: string): ((seconds: number) => string) => {
  // The short date format of Sweden is the one of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone })
  return (seconds) => format.format(seconds * 1000)
}

/** The day, hour and minute of a time in a time zone, or only the day if it is midnight. The time is in seconds. */
export const time = (seconds: number, timeZone: string): string => {
  const { offsetAt, minute } = dateFormatsIn(timeZone)
  const isMidnight = (seconds + offsetAt(seconds)) % DAY === 0
  return isMidnight ? day(seconds, timeZone) : minute.format(seconds * 1000)
}

export const clock = (seconds: number, timeZone: string): string =>
  dateFormatsIn(timeZone).clock.format(seconds * 1000)

const monthFormat = new Intl.DateTimeFormat(DATE_LOCALE, { month: 'short', year: 'numeric', timeZone: UTC })

/** Returns the name of a month, such as `Oct 2026`. The month is the number of months since January 1970. */
export const monthText = (month: number): string => monthFormat.format(Date.UTC(1970, month))

/** The name of a month for the axis of a plot: its first three letters, or its year if it is January. */
export const shortMonth = (month: number): string => {
  const [name = '', year = ''] = monthText(month).split(' ')
  return month % 12 === 0 ? year : name.slice(0, 3)
}

/** The days from one time to another in a time zone, as `Nov 17 – 17 Dec 2026`. The times are in seconds. */
export const period = (start: number, end: number, timeZone: string): string =>
  start === end ? day(start, timeZone) : dateFormatsIn(timeZone).day.formatRange(start * 1000, end * 1000)
