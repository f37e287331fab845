import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../../shared/errors.ts'

/** Longer than the delays of the store, which must respond to requests in time. */
const DELAYS_MILLIS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000]

/**
 * Repeats `work` while the table is overloaded or unreachable. Throws the error of the last attempt, and any
 * other at once.
 */
export const retryWhileBusy = async <T>(
  work: () => Promise<T>,
  delays: readonly number[] = DELAYS_MILLIS,
): Promise<T> => {
  for (let failures = 0; ; failures += 1) {
    try {
      return await work()
    } catch (error) {
      const delay = delays[failures]
      const isBusy = error instanceof ApiError && error.kind === 'unavailable'
      if (!isBusy || delay === undefined) throw error
      await pause(delay)
    }
  }
}
