import { setTimeout as pause } from 'node:timers/promises'
import type { ShowProgress } from './progress.ts'

export interface WaitOptions {
  readonly show: ShowProgress
  /** Waits for some milliseconds. By default a timer, which does not depend on the clock. */
  readonly wait?: ((millis: number) => Promise<unknown>) | undefined
  /**
   * How many milliseconds a request may still use an application's keys as they are now. Undefined if
   * programs other than one local service may write to the database.
   */
  readonly requestMillis?: number | undefined
}

/** Each second, shows `label` and the remaining seconds. */
export const countDown = async (
  millis: number,
  label: string,
  { show, wait = pause }: WaitOptions,
): Promise<void> => {
  for (let remaining = millis; remaining > 0; remaining -= 1_000) {
    show(`${label} ${remaining / 1_000} s`)
    await wait(Math.min(remaining, 1_000))
  }
}
