import { setTimeout as pause } from 'node:timers/promises'
import type { Tell } from './progress.ts'

/** The means by which a command waits. `wait` waits for some milliseconds; it defaults to the process's timer, which uses no wall clock. */
export interface Waiting {
  readonly tell: Tell
  readonly wait?: ((millis: number) => Promise<unknown>) | undefined
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
