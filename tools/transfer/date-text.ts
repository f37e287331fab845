/** The first and the last second that RFC 3339 can express in UTC, in the years 0 and 9999. */
const FIRST_IN_UTC = -62_167_219_200
const LAST_IN_UTC = 253_402_300_799
/** The maximum offset from UTC, 23:59. With an offset, a date can be outside those years in UTC. */
const MAX_OFFSET_SECONDS = 23 * 3_600 + 59 * 60

const isoText = (seconds: number, zone: string): string =>
  new Date(seconds * 1_000).toISOString().replace('.000Z', zone)

/** A time in seconds as RFC 3339: in UTC, unless the year would not have four digits there. */
export const dateText = (seconds: number): string => {
  if (seconds < FIRST_IN_UTC) return isoText(seconds + MAX_OFFSET_SECONDS, '+23:59')
  if (seconds > LAST_IN_UTC) return isoText(seconds - MAX_OFFSET_SECONDS, '-23:59')
  return isoText(seconds, 'Z')
}
