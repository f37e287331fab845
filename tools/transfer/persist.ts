import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '../local/settings.ts'
import { Pace } from './pace.ts'
import type { Answer, Target } from './target.ts'

export interface Persistence {
  /** The most requests at once. */
  readonly concurrency: number
  /** Milliseconds for which a request is sent again; a service that does nothing for so long ends the import. */
  readonly patience: number
  /** Ends all waiting. */
  readonly signal: AbortSignal
}

const FIRST_PAUSE_MILLIS = 250
const LONGEST_PAUSE_MILLIS = 30_000
/** How often a failure of the service itself is met with another attempt: it may be one of a moment. */
const MOST_FAILURES = 3

/** Statuses of what passes by itself: too many requests, a busy service, an answer that was lost on its way. */
export const passing: ReadonlySet<number> = new Set([0, 429, 502, 503, 504])

/** Whether an answer stays the same when the request is sent again. A 200 of anything but the service does not. */
export const isSettled = ({ status, text }: Answer): boolean =>
  status === 200 ? text.startsWith('{"data":') : !passing.has(status) && status !== 500

/** What an error says is wrong, a sentence each. */
export const errorsIn = ({ status, text }: Answer): string[] => {
  try {
    return JSON.parse(text).errors.map(({ detail }: { detail: unknown }) => String(detail))
  } catch {
    return [`${status || 'No answer'}: ${text.slice(0, 200)}`]
  }
}

const millisIn = (retryAfter: unknown): number =>
  typeof retryAfter === 'string' && /^\d{1,4}$/.test(retryAfter) ? Number(retryAfter) * 1000 : 0

/**
 * Sends requests to a target, at the pace that it takes, again and again until their answers are settled. An answer that
 * is not has used up the patience. Throws StartError when the target settles nothing any more.
 */
export const persistent = (
  target: Target,
  { concurrency, patience, signal }: Persistence,
): Target['send'] => {
  const pace = new Pace(concurrency)
  signal.addEventListener('abort', () => pace.end(), { once: true })
  let lastSettled = performance.now()
  const attempt: Target['send'] = async (...request) => {
    const entered = await pace.enter()
    signal.throwIfAborted()
    const answer = await target.send(...request)
    if (isSettled(answer)) pace.leave(entered)
    // Only 429 says that all of us are too fast.
    else pace.leave(entered, answer.status === 429 ? millisIn(answer.headers['retry-after']) : 0)
    return answer
  }
  return async (...request) => {
    const begun = performance.now()
    for (let tries = 1; ; tries += 1) {
      const answer = await attempt(...request)
      if (isSettled(answer)) {
        lastSettled = performance.now()
        return answer
      }
      const isLate = performance.now() - begun > patience
      if (isLate && performance.now() - lastSettled > patience)
        throw new StartError(
          `${target.name} has recorded nothing for ${patience / 1000} s (${errorsIn(answer)[0]})`,
        )
      if (isLate || (answer.status === 500 && tries > MOST_FAILURES)) return answer
      const longest = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS * 2 ** (tries - 1))
      const asked = millisIn(answer.headers['retry-after'])
      await pause(asked + Math.random() * longest, undefined, { signal })
    }
  }
}
