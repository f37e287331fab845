import { DAY, offsetIn } from '../../client/analytics/lines/calendar.ts'
import { UTC } from './time-zone.ts'

/** Dates in the language of the browser, and in a time zone. */

/** Returns whether a text names a language. WebKit names that of a system without one "C". */
const isLanguage = (text: string): boolean => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(text).length > 0
  } catch {
    return false
  }
}

/** The browser's language, in which dates are written; undefined for the default of `Intl` if the browser names none. */
const dateLocale = globalThis.navigator?.languages?.find(isLanguage)

/** How dates are written in a time zone. */
interface DateFormats {
  /** Returns the offset from UTC at a time, both in seconds. */
  readonly offsetAt: (seconds: number) => number
  readonly day: Intl.DateTimeFormat
  readonly minute: Intl.DateTimeFormat
  readonly clock: Intl.DateTimeFormat
}

/** The formats by time zone. They are kept, since making one is slow. */
const dateFormats = new Map<string, DateFormats>()

/** Figures are by months of the Gregorian calendar, so that dates are too, whatever calendar the language prefers. */
const calendar = 'gregory'

const dateFormatsIn = (timeZone: string): DateFormats => {
  const kept = dateFormats.get(timeZone)
  if (kept) return kept
  const formatOf = (style: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(dateLocale, { ...style, calendar, timeZone })
  const formats = {
    offsetAt: offsetIn(timeZone),
    day: formatOf({ dateStyle: 'medium' }),
    minute: formatOf({ dateStyle: 'medium', timeStyle: 'short' }),
    clock: formatOf({ timeStyle: 'short' }),
  }
  dateFormats.set(timeZone, formats)
  return formats
}

/** Returns the day of a time in a time zone. The time is in seconds. */
export const day = (seconds: number, timeZone: string): string =>
  dateFormatsIn(timeZone).day.format(seconds * 1000)

/** Returns a function that returns the day of a time in a time zone, such as `2026-10-31`, for other programs. */
export const isoDayIn = (timeZone: string): ((seconds: number) => string) => {
  // The day of Sweden's format is that of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone })
  return (seconds) => format.format(seconds * 1000)
}

/** Returns the day and the minute of a time in a time zone; of midnight, the day alone. The time is in seconds. */
export const time = (seconds: number, timeZone: string): string => {
  const { offsetAt, minute } = dateFormatsIn(timeZone)
  const isMidnight = (seconds + offsetAt(seconds)) % DAY === 0
  return isMidnight ? day(seconds, timeZone) : minute.format(seconds * 1000)
}

/** Returns the hour and minute of a time in a time zone. The time is in seconds. */
export const clock = (seconds: number, timeZone: string): string =>
  dateFormatsIn(timeZone).clock.format(seconds * 1000)

const monthFormat = new Intl.DateTimeFormat(dateLocale, {
  month: 'short',
  year: 'numeric',
  calendar,
  timeZone: UTC,
})

/** Returns the name of a month, counted from January 1970. */
export const monthText = (month: number): string => monthFormat.format(Date.UTC(1970, month))

/** Returns the days from one time to another in a time zone, as `Nov 17 – Dec 17, 2026`. The times are in seconds. */
export const period = (start: number, end: number, timeZone: string): string =>
  start === end ? day(start, timeZone) : dateFormatsIn(timeZone).day.formatRange(start * 1000, end * 1000)
