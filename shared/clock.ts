/** The clock of this machine, in milliseconds since the epoch. */
const system = (): number => Date.now()

/** The clock in use: the machine's, or one that was set. */
let wall = system

/** Milliseconds by which two clocks may differ and count as equal: a server tells whole seconds, and an answer takes time. */
const TOLERANCE = 2_000

/** A moment by the wall clock and by the monotonic clock, in milliseconds. */
export interface Moment {
  readonly wall: number
  readonly monotonic: number
}

/** Returns the current moment by the clocks of this machine, which nothing corrects. */
export const moment = (): Moment => ({ wall: wall(), monotonic: performance.now() })

/**
 * Returns the milliseconds since a moment, by the clock that advanced more: the wall clock can be set back, and the
 * monotonic clock can stop while a function is frozen.
 */
export const elapsedSince = ({ wall: start, monotonic }: Moment): number =>
  Math.max(wall() - start, performance.now() - monotonic)

/** When the machine's clock was compared with a server's, and the milliseconds to add to it. */
let compared: { readonly at: Moment; readonly correction: number } | undefined

/**
 * Milliseconds since the epoch. All code reads the time here. A clock of the machine that is wrong by more than two
 * seconds is corrected as soon as it was compared with a server's, and at once if it is set back after that.
 */
export const now = (): number => {
  if (wall !== system || !compared) return wall()
  const { at, correction } = compared
  const elapsed = wall() - at.wall
  const running = performance.now() - at.monotonic
  return Math.round(at.wall + correction + (running - elapsed > TOLERANCE ? running : elapsed))
}

/** Compares the machine's clock with the time of a server, which told it in whole seconds after `sent` and before now. */
export const compareClock = (told: number, sent: Moment): void => {
  if (wall !== system || Number.isNaN(told)) return
  const at = moment()
  const [least, most] = [told - at.wall, told + 999 - sent.wall]
  compared = { at, correction: least > TOLERANCE || most < -TOLERANCE ? (least + most) / 2 : 0 }
}

/** Replaces the clock, for tests and the test double. Without an argument, restores the machine's clock. */
export const setClock = (clock: () => number = system): void => {
  wall = clock
}

/** Whether a clock was set, whose times may be the same in every run. */
export const clockIsSet = (): boolean => wall !== system

let last = 0
/** Whether instants were made by a clock that was set. A test double keeps their order even if it sets its clock back. */
let ofSetClock = false

/**
 * Returns microseconds since the epoch, strictly increasing within this process even if the clock stops or is set back, so
 * that the records of one process keep their order. Only a clock that was ahead by more than two seconds does not
 * count: the instants of other processes would come before ours until it is overtaken.
 */
export const recordingInstant = (): number => {
  const instant = now() * 1000
  ofSetClock ||= clockIsSet()
  const wasAhead = !ofSetClock && last - instant > TOLERANCE * 1000
  last = wasAhead ? instant : Math.max(instant, last + 1)
  return last
}

/** Resets the last instant, for a test double that forgets the records after it. */
export const forgetInstants = (instant = 0): void => {
  last = instant
  ofSetClock = false
}
