import { setTimeout as pause } from 'node:timers/promises'
import type { Tell } from './progress.ts'

/** How a command waits. */
export interface Waiting {
  readonly tell: Tell
  /** Waits for some milliseconds. By default a timer, which does not depend on the clock. */
  readonly wait?: ((millis: number) => Promise<unknown>) | undefined
  /** See `CommandDatabase`. */
  readonly requestMillis?: number | undefined
}

/** Waits for some milliseconds. Each second, it tells `what` followed by the remaining seconds. */
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
