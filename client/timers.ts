/** The longest delay of a timer in milliseconds, 24 days. A timer with a longer delay would fire at once. */
export const MAX_TIMER_MILLIS = 2 ** 31 - 1

/** Calls `end` after some milliseconds or, with the signal's reason, once the signal is aborted. Returns a function that cancels both. */
export const endAfter = (
  millis: number,
  signal: AbortSignal | undefined,
  end: (reason: unknown) => void,
): (() => void) => {
  const cancel = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', finish)
  }
  const finish = () => {
    cancel()
    end(signal?.reason)
  }
  const timer = setTimeout(finish, Math.min(millis, MAX_TIMER_MILLIS))
  signal?.addEventListener('abort', finish)
  if (signal?.aborted) finish()
  return cancel
}

/** Waits for some milliseconds. Rejects with the signal's reason once the signal is aborted. */
export const pause = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    endAfter(millis, signal, (reason) => (reason === undefined ? resolve() : reject(reason)))
  })
