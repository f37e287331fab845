import { setTimeout as pause } from 'node:timers/promises'
import type { Tell } from './progress.ts'

/** What a command that waits needs. */
export interface Waiting {
  readonly tell: Tell
  /** Waits for some milliseconds; by default by the process's timer, which uses no wall clock. */
  readonly wait?: ((millis: number) => Promise<unknown>) | undefined
  /** See `CommandDatabase`. */
  readonly requestMillis?: number | undefined
}

/** Waits, and reports `what` and the remaining seconds each second. */
export const countDown = async (
  millis: number,
  what: string,
  { tell, wait = pause }: Waiting,
): Promise<void> => {
  for (let left = millis; left > 0; left -= 1_000) {
    tell(`${what} ${left / 1_000} s`)
    await wait(Math.min(left, 1_000))
  }
}
