import type { BillingApiError } from './error.ts'
import { isTransient, pause } from './retry.ts'

const FIRST_LIMIT = 16

interface Attempted {
  readonly error?: BillingApiError | undefined
}

/** Limits the concurrency of a bulk operation to what the service can take. */
export interface Limiter {
  /** Aborted by `stop`. */
  readonly signal: AbortSignal
  /**
   * Makes an attempt as soon as the limit allows it. After `stop`, rejects with its reason instead. An attempt that rejects,
   * such as for an error in a hook, stops the limiter. All rejected attempts have the reason of the first one.
   */
  run<T extends Attempted>(attempt: () => Promise<T>): Promise<T>
  /** Prevents further requests from starting. Requests in progress continue. */
  stop(reason?: unknown): void
}

/**
 * Creates a limiter that allows at most `maximum` concurrent requests. Each round of responses raises the limit by one, and
 * each overload halves it. A 429 concerns the whole application, so no request starts until its `Retry-After` is over.
 */
export const createLimiter = (maximum: number): Limiter => {
  const stopping = new AbortController()
  const { signal } = stopping
  const waiting: (() => void)[] = []
  const highest = Math.max(1, maximum)
  let limit = Math.min(highest, FIRST_LIMIT)
  let [active, halvings, pauses] = [0, 0, 0]
  const startWaiting = () => {
    // Not `active < limit`, so that a limit of NaN means no limit.
    while (waiting[0] && (signal.aborted || !(pauses || active + 1 > limit))) {
      active += 1
      waiting.shift()?.()
    }
  }
  const stop = (reason?: unknown) => {
    stopping.abort(reason)
    startWaiting()
  }
  const end = async (before: number, result: Promise<Attempted>) => {
    const { error } = await result.catch((): Attempted => ({}))
    active -= 1
    if (!error || !isTransient(error)) limit = Math.min(highest, limit + 1 / limit)
    // A request sent before the last halving says nothing about the current limit.
    else if (before === halvings) {
      limit = Math.max(1, limit / 2)
      halvings += 1
    }
    if (error?.status === 429 && error.retryAfter) {
      pauses += 1
      await pause(error.retryAfter * 1000, signal).catch(() => undefined)
      pauses -= 1
    }
    startWaiting()
  }
  return {
    signal,
    run: async (attempt) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        startWaiting()
      })
      signal.throwIfAborted()
      const result = attempt().catch((reason) => {
        stop(reason)
        throw signal.reason
      })
      void end(halvings, result)
      return result
    },
    stop,
  }
}
