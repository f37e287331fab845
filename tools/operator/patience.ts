import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../../shared/errors.ts'

/** The pauses, in milliseconds, of a command that works for minutes; a request has no time for as many. */
const PAUSES_MILLIS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000]

/** Does `work` on the table, again after longer and longer pauses while the table is busy or cannot be reached. */
export const patiently = async <T>(
  work: () => Promise<T>,
  pauses: readonly number[] = PAUSES_MILLIS,
): Promise<T> => {
  for (let failures = 0; ; failures += 1) {
    try {
      return await work()
    } catch (error) {
      const millis = pauses[failures]
      if (!(error instanceof ApiError && error.kind === 'unavailable') || millis === undefined) throw error
      await pause(millis)
    }
  }
}
