import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../../shared/errors.ts'

/** The delays between attempts in milliseconds. A command may retry for longer than the store does within a request. */
const DELAYS_MILLIS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000]

/** Runs `work`, and repeats it after growing delays while the table is overloaded or unreachable. */
export const retryWhileBusy = async <T>(
  work: () => Promise<T>,
  delays: readonly number[] = DELAYS_MILLIS,
): Promise<T> => {
  for (let failures = 0; ; failures += 1) {
    try {
      return await work()
    } catch (error) {
      const millis = delays[failures]
      if (!(error instanceof ApiError && error.kind === 'unavailable') || millis === undefined) throw error
      await pause(millis)
    }
  }
}
