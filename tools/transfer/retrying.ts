import { pause, retryAfterFrom } from '../../client/retry.ts'
import { StartError } from '../local/settings.ts'
import { ConcurrencyLimit } from './concurrency-limit.ts'
import type { Answer, Target } from './target.ts'

/** How requests are sent. */
export interface RetryOptions {
  /** The maximum number of concurrent requests. */
  readonly concurrency: number
  /** Ends all waiting when it is aborted. */
  readonly signal: AbortSignal
}

/** How long a request is retried. The import ends if its target processes nothing for as long. */
const GIVE_UP_MILLIS = 600_000
const FIRST_DELAY_MILLIS = 250
const MAX_DELAY_MILLIS = 30_000
const MAX_RETRY_AFTER_MILLIS = 600_000
/** An error of the service (500) may be temporary, or the row may cause it every time. */
const MAX_RETRIES_OF_500 = 3

/** Throttled, overloaded, or no complete answer (0). */
const transientStatuses: ReadonlySet<number> = new Set([0, 429, 502, 503, 504])

/** Whether a retry would get the same answer. A 200 that does not come from the service is not final either. */
export const isFinal = ({ status, text }: Answer): boolean =>
  status === 200 ? text.startsWith('{"data":') : !transientStatuses.has(status) && status !== 500

/** The details of the errors in an answer. */
export const errorsIn = ({ status, text }: Answer): string[] => {
  try {
    return JSON.parse(text).errors.map(({ detail }: { detail: unknown }) => String(detail))
  } catch {
    return [`${status || 'No answer'}: ${text.slice(0, 200)}`]
  }
}

const retryAfterMillis = ({ headers: { 'retry-after': header } }: Answer): number =>
  Math.min(MAX_RETRY_AFTER_MILLIS, (retryAfterFrom(String(header ?? '')) ?? 0) * 1_000)

/**
 * Returns a `send` that limits its concurrency to what the target takes and retries until the answer is final. Returns
 * an answer that is not final when it gives up on that request; throws StartError when it gives up on the target.
 */
export const retrying = (target: Target, { concurrency, signal }: RetryOptions): Target['send'] => {
  const limit = new ConcurrencyLimit(concurrency)
  signal.addEventListener('abort', () => limit.release(), { once: true })
  let lastFinal = performance.now()
  const attempt: Target['send'] = async (...request) => {
    const halvings = await limit.acquire()
    signal.throwIfAborted()
    const answer = await target.send(...request)
    if (isFinal(answer)) limit.succeed()
    // A 429 throttles the whole application, any other status may concern this request alone.
    else limit.fail(halvings, answer.status === 429 ? retryAfterMillis(answer) : 0)
    return answer
  }
  return async (...request) => {
    const startedAt = performance.now()
    for (let retries = 0; ; retries += 1) {
      const answer = await attempt(...request)
      const now = performance.now()
      if (isFinal(answer)) {
        lastFinal = now
        return answer
      }
      const isLate = now - startedAt > GIVE_UP_MILLIS
      if (isLate && now - lastFinal > GIVE_UP_MILLIS)
        throw new StartError(
          `${target.name} has processed nothing for ${GIVE_UP_MILLIS / 1_000} s (${errorsIn(answer)[0]})`,
        )
      if (isLate || (answer.status === 500 && retries >= MAX_RETRIES_OF_500)) return answer
      signal.throwIfAborted()
      const backoff = Math.random() * Math.min(MAX_DELAY_MILLIS, FIRST_DELAY_MILLIS * 2 ** retries)
      await pause(retryAfterMillis(answer) + backoff, signal)
    }
  }
}
