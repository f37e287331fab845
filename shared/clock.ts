/** The wall clock, in milliseconds since the epoch; the service asks nothing else for the time. */
let read: () => number = Date.now

/** Milliseconds since the epoch. */
export const now = (): number => read()

/** Replaces the clock, for tests and the test double; without an argument the real one is back. */
export const setClock = (clock: () => number = Date.now): void => {
  read = clock
}

/** A moment by the wall clock and by the monotonic clock, in milliseconds. */
export interface Moment {
  readonly wall: number
  readonly monotonic: number
}

/** This moment. */
export const moment = (): Moment => ({ wall: now(), monotonic: performance.now() })

/**
 * Milliseconds since a moment, by whichever clock has advanced more: the wall clock may be put back, and the
 * monotonic clock may stand still while a function is frozen.
 */
export const elapsedSince = ({ wall, monotonic }: Moment): number =>
  Math.max(now() - wall, performance.now() - monotonic)

let last = 0

/**
 * Microseconds since the epoch, greater at every call in this process even when the clock stands still or steps
 * back, so that what one process records keeps its order (L1).
 */
export const recordingInstant = (): number => {
  last = Math.max(now() * 1000, last + 1)
  return last
}

/** Forgets the last instant, where everything that was recorded is gone too. */
export const forgetInstants = (): void => {
  last = 0
}
