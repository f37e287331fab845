import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../../shared/errors.ts'

/** The delays of a command that runs for minutes, in milliseconds. The store's own retries only suit requests. */
const DELAYS_MILLIS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000]

/** Runs `work` on the table, and repeats it after growing delays while the table is busy or unreachable. */
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
