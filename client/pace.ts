import type { BillingApiError } from './error.ts'
import { isTransient, pause } from './retry.ts'

/** The maximum number of concurrent requests at the start. */
const FIRST_LIMIT = 16

/** How many requests of a bulk operation are sent at a time. */
export interface Pace {
  /** Aborted by `stop`. */
  readonly signal: AbortSignal
  /** Waits until a request may start; resolves with the number of halvings before it. Rejects after `stop`. */
  start(): Promise<number>
  /** Ends a request that started after so many halvings, with its error if it failed. */
  end(halvings: number, error: BillingApiError | undefined): void
  /** Lets no further request start, and ends all waiting. Requests under way are not disturbed. */
  stop(reason?: unknown): void
}

/**
 * Adapts the number of concurrent requests, at most `maximum`, to what the service admits, by additive increase and
 * multiplicative decrease: a round of responses adds one, an overload halves. After a 429, which concerns the whole
 * application, no request starts until its `Retry-After` is over.
 */
export const createPace = (maximum: number): Pace => {
  const stopping = new AbortController()
  const { signal } = stopping
  const waiting: (() => void)[] = []
  const highest = Math.max(1, maximum)
  let limit = Math.min(highest, FIRST_LIMIT)
  let [active, halvings, pauses] = [0, 0, 0]
  const startWaiting = () => {
    // Written so that a limit that is not a number means none.
    while (waiting[0] && (signal.aborted || !(pauses || active + 1 > limit))) {
      active += 1
      waiting.shift()?.()
    }
  }
  const resume = () => {
    pauses -= 1
    startWaiting()
  }
  return {
    signal,
    start: () =>
      new Promise((resolve, reject) => {
        waiting.push(() => (signal.aborted ? reject(signal.reason) : resolve(halvings)))
        startWaiting()
      }),
    end: (before, error) => {
      active -= 1
      if (!error || !isTransient(error)) limit = Math.min(highest, limit + 1 / limit)
      // A request from before the last halving says nothing about the limit since then.
      else if (before === halvings) {
        limit = Math.max(1, limit / 2)
        halvings += 1
      }
      if (error?.status === 429 && error.retryAfter) {
        pauses += 1
        pause(error.retryAfter * 1000, signal).then(resume, resume)
      }
      startWaiting()
    },
    stop: (reason) => {
      stopping.abort(reason)
      startWaiting()
    },
  }
}
