// RFC 3339 date-time with offset, YYYY-MM-DD (midnight UTC), or YYYY-MM-DD hh:mm:ss (UTC).
const form = /^(\d{4}-\d\d-\d\d)(?:([Tt ])(\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)?)?$/

/** Returns whether a text has the form of a date; the day or the time may not exist, and the offset may be missing. */
export const isDateForm = (text: string): boolean => form.test(text)

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
  const [, day = '', separator, time = '00:00:00', fraction, zone] = match
  // With a T the offset is required; with a space the time is UTC and has neither offset nor fraction.
  if (separator && (separator === ' ') !== (zone === undefined && fraction === undefined)) return undefined
  if (separator && separator !== ' ' && zone === undefined) return undefined
  const isLeap = time.endsWith('60')
  const local = new Date(`${day}T${isLeap ? time.replace(/60$/, '59') : time}Z`)
  // Date moves hour 24, and a day that its month does not have, to another day.
  if (local.getUTCDate() !== Number(day.slice(-2))) return undefined
  const offset = offsetSeconds(zone ?? 'Z')
  if (offset === undefined) return undefined
  const seconds = local.getTime() / 1000 + (isLeap ? 1 : 0) - offset
  // RFC 3339 has second 60 only at the end of a UTC day.
  return isLeap && seconds % 86_400 !== 0 ? undefined : seconds
}
