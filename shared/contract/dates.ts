// RFC 3339 date-time with offset, YYYY-MM-DD (midnight UTC), or YYYY-MM-DD hh:mm:ss (UTC).
const form = /^(\d{4})-(\d\d)-(\d\d)(?:([Tt ])(\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)?)?$/

/** Returns whether a text has the form of a date; the day or the time may not exist, and the offset may be missing. */
export const isDateForm = (text: string): boolean => form.test(text)

type Parts = readonly [year: number, month: number, day: number, hour: number, minute: number, second: number]

const utc = ([year, month, day, hour, minute, second]: Parts): number => {
  // Date.UTC reads the years 0–99 as 1900–1999, setUTCFullYear does not.
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  return date.getTime() / 1000
}

const daysIn = (year: number, month: number): number =>
  month === 2
    ? year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
      ? 29
      : 28
    : [4, 6, 9, 11].includes(month)
      ? 30
      : 31

const offsetSeconds = (zone: string): number | undefined => {
  if (!/^[+-]/.test(zone)) return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4, 6))]
  if (hours > 23 || minutes > 59) return undefined
  return (zone[0] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60)
}

/**
 * Returns the seconds since the epoch of a date in one of the three accepted forms; undefined for any other text, or a
 * day or time that does not exist. Truncates fractions of a second. A leap second is the first second of the next
 * minute.
 */
export const parseDate = (text: string): number | undefined => {
  const match = form.exec(text)
  if (!match) return undefined
  const [, year, month, day, separator, hour = '0', minute = '0', second = '0', fraction, zone] = match
  // With a T the offset is required; with a space the time is UTC and has neither offset nor fraction.
  if (separator && (separator === ' ') !== (zone === undefined && fraction === undefined)) return undefined
  if (separator && separator !== ' ' && zone === undefined) return undefined
  const parts = [year, month, day, hour, minute, second].map(Number) as unknown as Parts
  const [y, mo, d, h, mi, s] = parts
  const offset = offsetSeconds(zone ?? 'Z')
  if (offset === undefined || mo < 1 || mo > 12 || d < 1 || d > daysIn(y, mo) || h > 23 || mi > 59 || s > 60)
    return undefined
  const seconds = utc(parts) - offset
  // RFC 3339 has second 60 only at the end of a UTC day.
  return s === 60 && seconds % 86_400 !== 0 ? undefined : seconds
}
