import { offsetIn } from '../../../../client/analytics/lines/calendar.ts'
import { UsageError } from '../../../cli/command.ts'

const DAY_SECONDS = 86_400

/** A time zone. Times are in seconds since the epoch; a local time is what a clock there shows, as if it were UTC. */
export interface Zone {
  /** Returns the first moment of a day. Where clocks are put forward at midnight, it is the moment of that. */
  startOfDay(local: number): number
  /** Returns the moments with a local time: none where clocks are put forward, two where they are put back. */
  momentsOf(local: number): number[]
}

/** Returns the time zone of a name such as "America/New_York". Throws UsageError for any other text. */
export const zoneOf = (name: string): Zone => {
  const offsetAt = offsetOf(name)
  const momentsOf = (local: number): number[] => {
    const offsets = new Set([offsetAt(local - DAY_SECONDS), offsetAt(local + DAY_SECONDS)])
    const moments = [...offsets].map((offset) => local - offset)
    return moments.filter((moment) => moment + offsetAt(moment) === local).sort((a, b) => a - b)
  }
  return {
    startOfDay: (local) => momentsOf(local)[0] ?? local - offsetAt(local - DAY_SECONDS),
    momentsOf,
  }
}

const offsetOf = (name: string): ((seconds: number) => number) => {
  try {
    return offsetIn(name)
  } catch (cause) {
    throw new UsageError(`--zone must be a time zone, such as America/New_York (got "${name}")`, { cause })
  }
}
