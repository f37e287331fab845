// A day, alone or with a time after T or a space. The time can be without seconds and zone; Go prints `+0000 UTC`.
const form =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,]\d+)?)?( ?[Zz]| UTC| ?[+-]\d\d(?::?\d\d)?| [+-]0000 UTC)?)?$/

/** Returns whether a text has the form of a date. The day or the time may not exist. */
export const isDateForm = (text: string): boolean => form.test(text)

const offsetSeconds = (zone: string): number | undefined => {
  const [, sign, hours, minutes = '00'] = /([+-])(\d\d):?(\d\d)?/.exec(zone) ?? []
  if (sign === undefined) return 0
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
}

/**
 * Returns the seconds since the epoch of a date: RFC 3339, a day (midnight UTC), or a day and time in a spelling of ISO 8601
 * or of SQL that has one meaning; without a zone it is UTC. Undefined for any other text, or a day or time that does not
 * exist. Truncates fractions of a second. A leap second is the first second of the next minute.
 */
export const parseDate = (text: string): number | undefined => {
  const match = form.exec(text)
  if (!match) return undefined
  const [, day = '', minute = '00:00', second = '00', zone = ''] = match
  const isLeap = second === '60'
  const local = new Date(`${day}T${minute}:${isLeap ? '59' : second}Z`)
  // Date moves hour 24, and a day that its month does not have, to another day.
  if (local.getUTCDate() !== Number(day.slice(-2))) return undefined
  const offset = offsetSeconds(zone)
  if (offset === undefined) return undefined
  const seconds = local.getTime() / 1000 + (isLeap ? 1 : 0) - offset
  // RFC 3339 has second 60 only at the end of a UTC day.
  return isLeap && seconds % 86_400 !== 0 ? undefined : seconds
}

/** Returns whether a text is a date that `parseDate` reads. */
export const isDate = (text: string): boolean => parseDate(text) !== undefined
