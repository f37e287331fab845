import type { BillingApiError } from './error.ts'
import { argumentError } from './request.ts'
import { isTransient } from './retry.ts'
import { pause } from './timers.ts'

/** The limit with which a bulk operation starts. */
const FIRST_LIMIT = 16

/** The part of an attempt's result from which the limiter learns how busy the service is. */
interface Limited {
  readonly error?: BillingApiError | undefined
}

/** Limits the concurrency of a bulk operation to the load that the service can handle. */
export interface Limiter {
  /** Aborted by `stop`. */
  readonly signal: AbortSignal
  /**
   * Makes an attempt as soon as the limit allows it. After `stop`, rejects with its reason instead. An attempt that rejects,
   * such as for an error in a hook, stops the limiter. All rejected attempts have the reason of the first one.
   */
  run<T extends Limited>(attempt: () => Promise<T>): Promise<T>
  /** Prevents further requests from starting. Requests in progress continue. */
  stop(reason?: unknown): void
}

/**
 * Creates a limiter that allows at most `maximum` concurrent requests. Each round of responses raises the limit by one, and
 * each overload halves it. A 429 concerns the whole application, so no request starts until its `Retry-After` is over.
 * Throws TypeError if `maximum` is not a number of at least 1.
 */
export const createLimiter = (maximum: number): Limiter => {
  if (typeof maximum !== 'number' || !(maximum >= 1)) {
    throw argumentError('a number of at least 1', 'concurrency', maximum)
  }
  const stopping = new AbortController()
  const { signal } = stopping
  const waiting: (() => void)[] = []
  let limit = Math.min(maximum, FIRST_LIMIT)
  let active = 0
  let halvings = 0
  /** The number of `Retry-After` times that are not over. */
  let pauses = 0

  const mayStart = () => signal.aborted || (pauses === 0 && active + 1 <= limit)
  const startWaiting = () => {
    while (mayStart()) {
      const start = waiting.shift()
      if (!start) return
      active += 1
      start()
    }
  }
  const stop = (reason?: unknown) => {
    stopping.abort(reason)
    startWaiting()
  }
  const adapt = (error: BillingApiError | undefined, halvingsAtStart: number) => {
    if (!error || !isTransient(error)) {
      limit = Math.min(maximum, limit + 1 / limit)
    } else if (halvingsAtStart === halvings) {
      // Only once for all requests in flight: their failures do not show whether the halved limit is too high.
      limit = Math.max(1, limit / 2)
      halvings += 1
    }
  }
  const waitFor = async (seconds: number) => {
    pauses += 1
    await pause(seconds * 1000, signal).catch(() => undefined)
    pauses -= 1
  }
  const end = async (error: BillingApiError | undefined, halvingsAtStart: number) => {
    active -= 1
    adapt(error, halvingsAtStart)
    if (error?.status === 429 && error.retryAfter) await waitFor(error.retryAfter)
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
      const halvingsAtStart = halvings
      try {
        const result = await attempt()
        void end(result.error, halvingsAtStart)
        return result
      } catch (reason) {
        stop(reason)
        void end(undefined, halvingsAtStart)
        throw signal.reason
      }
    },
    stop,
  }
}
