import { type Calendar, calendarOf, DAY } from './calendar.ts'
import type { Period } from './recurring-lines.ts'

/** By how many seconds a whole period may differ from its intervals. */
export const HALF_A_DAY = DAY / 2

/** By how many seconds a whole proration may differ from its intervals: fewer, because prorations begin and end at any second. */
export const TWO_HOURS = DAY / 12

const utc = calendarOf('UTC')

/** Returns whether a test holds in the calendar of a time zone or in that of UTC, which most billers use for intervals. */
export const holdsInZoneOrUtc = (calendar: Calendar, holdsIn: (calendar: Calendar) => boolean): boolean =>
  holdsIn(calendar) || (calendar.timeZone !== 'UTC' && holdsIn(utc))

/** Returns whether a period is some units long, from its start or back from its end, to a tolerance in seconds. */
export const isWholeIn = (
  calendar: Calendar,
  { start, end }: Period,
  unit: string,
  units: number,
  tolerance: number,
): boolean =>
  Math.abs(calendar.shift(start, unit, units) - end) <= tolerance ||
  Math.abs(calendar.shift(end, unit, -units) - start) <= tolerance

/** Returns the same in the calendar of a time zone or of UTC. */
export const isWhole = (
  period: Period,
  unit: string,
  units: number,
  tolerance: number,
  calendar: Calendar,
): boolean => holdsInZoneOrUtc(calendar, (followed) => isWholeIn(followed, period, unit, units, tolerance))
