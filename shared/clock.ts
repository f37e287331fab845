/** The wall clock in milliseconds since the epoch. All code reads the time here. */
let read: () => number = Date.now

/** Milliseconds since the epoch. */
export const now = (): number => read()

/** Replaces the clock, for tests and the test double. Without an argument, restores the real clock. */
export const setClock = (clock: () => number = Date.now): void => {
  read = clock
}

/** A moment by the wall clock and by the monotonic clock, in milliseconds. */
export interface Moment {
  readonly wall: number
  readonly monotonic: number
}

/** Returns the current moment. */
export const moment = (): Moment => ({ wall: now(), monotonic: performance.now() })

/**
 * Returns the milliseconds since a moment, by the clock that advanced more: the wall clock can be set back, and the
 * monotonic clock can stop while a function is frozen.
 */
export const elapsedSince = ({ wall, monotonic }: Moment): number =>
  Math.max(now() - wall, performance.now() - monotonic)

let last = 0

/**
 * Returns microseconds since the epoch, strictly increasing within this process even if the clock stops or is set back,
 * so that the records of one process keep their order (L1).
 */
export const recordingInstant = (): number => {
  last = Math.max(now() * 1000, last + 1)
  return last
}

/** Resets the last instant, for a test double that forgets its records. */
export const forgetInstants = (): void => {
  last = 0
}
