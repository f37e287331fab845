/** The clock of this machine, in milliseconds since the epoch. */
const system = (): number => Date.now()

/** The clock in use: the machine's, or one that was set. */
let wall = system

/** The tolerance between two clocks in milliseconds: servers report whole seconds, and responses take time. */
const TOLERANCE = 2_000

/** Returns the current moment by the uncorrected clocks of this machine, wall and monotonic, in milliseconds. */
export const moment = () => ({ wall: wall(), monotonic: performance.now() }) as const
export type Moment = ReturnType<typeof moment>

/**
 * Returns the milliseconds since a moment, by the clock that advanced more: the wall clock can be set back, and the
 * monotonic clock can stop while a function is frozen.
 */
export const elapsedSince = ({ wall: start, monotonic }: Moment): number =>
  Math.max(wall() - start, performance.now() - monotonic)

/** When the machine's clock was compared with a server's, and the milliseconds to add to it. */
let compared: { readonly at: Moment; readonly correction: number } | undefined

/**
 * Returns milliseconds since the epoch. All code reads the time here. If the machine's clock is wrong by more than two
 * seconds, it is corrected after the first comparison with a server's clock, and at once if it is set back later.
 */
export const now = (): number => {
  if (wall !== system || !compared) return wall()
  const { at, correction } = compared
  const elapsed = wall() - at.wall
  const running = performance.now() - at.monotonic
  return Math.round(at.wall + correction + (running - elapsed > TOLERANCE ? running : elapsed))
}

/**
 * Compares the machine's clock with a server's, which reported the time `reported`, in whole seconds, after `sent`. Keeps
 * the present correction while it is within the tolerance: one that moved back and forth would reorder records.
 */
export const compareClock = (reported: number, sent: Moment): void => {
  if (wall !== system || Number.isNaN(reported)) return
  const at = moment()
  const [min, max] = [reported - at.wall, reported + 999 - sent.wall]
  const { correction } = compared ?? { correction: 0 }
  const isRight = min - TOLERANCE <= correction && correction <= max + TOLERANCE
  compared = { at, correction: isRight ? correction : (min + max) / 2 }
}

/** Replaces the clock, for tests and the test double. Without an argument, restores the machine's clock. */
export const setClock = (clock: () => number = system): void => {
  wall = clock
}

/** Returns whether a test has set the clock, so that times may be the same in every run. */
export const clockIsSet = (): boolean => wall !== system

let last = 0
/** This process gives no instant before this second of the epoch any more: a reader was told that it is complete. */
let closed = 0
/** Whether instants come from a clock set by a test. A test double keeps their order even if it sets its clock back. */
let ofSetClock = false

/**
 * Returns microseconds since the epoch, strictly increasing within this process even if the clock stops or is set back, so
 * that the records of one process keep their order. Instants of a clock that was ahead by more than two seconds are dropped,
 * except in closed seconds: otherwise the instants of other processes would come before ours until they catch up.
 */
export const recordingInstant = (): number => {
  const instant = Math.max(now(), closed * 1000) * 1000
  ofSetClock ||= clockIsSet()
  const wasAhead = !ofSetClock && last - instant > TOLERANCE * 1000
  last = wasAhead ? instant : Math.max(instant, last + 1)
  return last
}

/**
 * Returns a second of the epoch before which this process gives no instant from now on: the current one, or a later one if
 * the clock was set back.
 */
export const closeSeconds = (): number => {
  const second = Math.floor(now() / 1000)
  const ofLast = Math.floor(last / 1_000_000)
  closed = Math.max(closed, second, ofSetClock && ofLast > second ? ofLast + 1 : 0)
  return closed
}

/** Resets the last instant, for a test double that forgets the records after it. */
export const forgetInstants = (instant = 0): void => {
  last = instant
  closed = 0
  ofSetClock = false
}
