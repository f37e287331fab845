/** A day, alone or with a time after T or a space, which may lack seconds and zone. Go prints `+0000 UTC`. */
const datePattern =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,]\d+)?)?( ?[Zz]| UTC| ?[+-]\d\d(?::?\d\d)?| [+-]0000 UTC)?)?$/

/** Whether a text has the form of a date, even if there is no such day or time. */
export const hasDateForm = (text: string): boolean => datePattern.test(text)

/**
 * The offset of a zone from UTC in seconds, such as 3600 for `+01:00`; undefined for an impossible offset.
 */
const offsetSeconds = (zone: string): number | undefined => {
  const [, sign, hours, minutes = '00'] = /([+-])(\d\d):?(\d\d)?/.exec(zone) ?? []
  if (sign === undefined) return 0
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined
  const seconds = Number(hours) * 3600 + Number(minutes) * 60
  return sign === '-' ? -seconds : seconds
}

/**
 * The seconds since the epoch of a date: RFC 3339, a day (midnight UTC), or a day and time in a spelling of
 * ISO 8601 or of SQL that has one meaning; without a zone it is UTC. Undefined for any other text, or a day
 * or time that does not exist. Truncates fractions of a second. A leap second is the first second of the next
 * minute.
 */
export const parseDate = (text: string): number | undefined => {
  const match = datePattern.exec(text)
  if (!match) return undefined
  const [, day = '', hourAndMinute = '00:00', second = '00', zone = ''] = match
  const isLeap = second === '60'
  const local = new Date(`${day}T${hourAndMinute}:${isLeap ? '59' : second}Z`)
  // Date moves hour 24, and a day that does not exist in its month, to another day.
  if (local.getUTCDate() !== Number(day.slice(-2))) return undefined
  const offset = offsetSeconds(zone)
  if (offset === undefined) return undefined
  const seconds = local.getTime() / 1000 + (isLeap ? 1 : 0) - offset
  // RFC 3339 has second 60 only at the end of a UTC day.
  return isLeap && seconds % 86_400 !== 0 ? undefined : seconds
}

export const isDate = (text: string): boolean => parseDate(text) !== undefined
