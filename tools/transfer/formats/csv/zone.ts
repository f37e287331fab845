import { offsetIn } from '../../../../client/analytics/lines/calendar.ts'
import { UsageError } from '../../../cli/command.ts'

const DAY_SECONDS = 86_400

/**
 * A time zone. Moments are in seconds since the epoch. A local time is a date and time that clocks in the zone show. It is also in
 * seconds since the epoch, as if it were a time in UTC.
 */
export interface Zone {
  /**
   * Returns the first moment of a day, given by its midnight as a local time. If clocks skip midnight, that is the moment at which
   * they do.
   */
  startOfDay(local: number): number
  /** Returns the moments at which clocks show a local time: none if they skip it, two if they are put back over it. */
  momentsOf(local: number): number[]
}

/**
 * Returns a function that returns the offset of a zone from UTC at a moment, in seconds. Throws UsageError for an unknown name.
 */
const offsetAtMoment = (name: string): ((moment: number) => number) => {
  try {
    return offsetIn(name)
  } catch (cause) {
    throw new UsageError(`--zone must be a time zone, such as America/New_York (got "${name}")`, { cause })
  }
}

const newZone = (name: string): Zone => {
  const offsetAt = offsetAtMoment(name)
  const momentsOf = (local: number): number[] => {
    // If clocks change near that time, these are the offsets before and after the change.
    const offsets = new Set([offsetAt(local - DAY_SECONDS), offsetAt(local + DAY_SECONDS)])
    const moments = [...offsets].map((offset) => local - offset)
    return moments.filter((moment) => moment + offsetAt(moment) === local).sort((a, b) => a - b)
  }
  return {
    startOfDay: (local) => momentsOf(local)[0] ?? local - offsetAt(local - DAY_SECONDS),
    momentsOf,
  }
}

const zones = new Map<string, Zone>()

/** Returns the time zone with a name, such as "America/New_York". Throws UsageError for an unknown name. */
export const timeZone = (name: string): Zone => {
  const zone = zones.get(name) ?? newZone(name)
  zones.set(name, zone)
  return zone
}
