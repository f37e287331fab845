/** The wall clock, in milliseconds since the epoch; the service asks nothing else for the time. */
let read: () => number = Date.now

/** Milliseconds since the epoch. */
export const now = (): number => read()

/** Replaces the clock, for tests and the test double; without an argument the real one is back. */
export const setClock = (clock: () => number = Date.now): void => {
  read = clock
}

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
