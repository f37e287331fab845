import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '../local/settings.ts'
import { creates } from './creates.ts'
import { Pace } from './pace.ts'
import type { Row } from './row.ts'
import type { Answer, Target } from './target.ts'

/** How a row ended. */
export type Outcome = 'created' | 'unchanged' | 'conflict' | 'invalid' | 'failed'

/** The end of a row, with the service's id where it has one, and what is wrong, a sentence each. */
export interface Verdict {
  readonly outcome: Outcome
  readonly server_id: string | null
  readonly errors: readonly string[]
}

export interface DeliveryOptions {
  /** The most requests at once. */
  readonly concurrency: number
  /** Milliseconds for which a row is tried again; a service that answers nothing for so long ends the import. */
  readonly patience: number
  /** Ends waiting between attempts. */
  readonly signal: AbortSignal
}

const FIRST_PAUSE_MILLIS = 250
const LONGEST_PAUSE_MILLIS = 30_000
/** How often a failure of the service itself is tried again: it may be one of a moment. */
const MOST_FAILURES = 3

/** Statuses of what passes by itself: too many requests, a busy service, an answer that was lost on its way. */
export const passing: ReadonlySet<number> = new Set([0, 429, 502, 503, 504])
/** What the service refuses, and what its firewall does. */
const refusing = new Set([400, 403, 413, 415, 422])

const parsed = (text: string): { data?: Record<string, { id?: unknown }>; errors?: unknown } => {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

const errorsIn = ({ status, text }: Answer): string[] => {
  const { errors } = parsed(text)
  return Array.isArray(errors)
    ? errors.map(({ detail }) => String(detail))
    : [`${status || 'No answer'}: ${text.slice(0, 200)}`]
}

const secondsIn = (text: unknown): number =>
  typeof text === 'string' && /^\d{1,4}$/.test(text) ? Number(text) : 0

/** The end that an answer means for a row, or undefined where another attempt may help. Throws for a wrong target. */
const verdictOf = ({ type }: Row, { name }: Target, answer: Answer): Verdict | undefined => {
  const { status, headers, text } = answer
  if (status === 200) {
    const id = parsed(text).data?.[type as string]?.id
    // Not the service's: whatever stands in between may pass.
    if (typeof id !== 'string') return undefined
    const outcome = headers['idempotent-replayed'] === 'true' ? 'unchanged' : 'created'
    return { outcome, server_id: id, errors: [] }
  }
  if (status === 409) return { outcome: 'conflict', server_id: null, errors: errorsIn(answer) }
  if (refusing.has(status)) return { outcome: 'invalid', server_id: null, errors: errorsIn(answer) }
  if (passing.has(status) || status === 500) return undefined
  throw new StartError(`${name} answers ${status}: ${errorsIn(answer).join(' ')}`)
}

/** Delivers rows to a target, each until it has ended. */
export const deliverer = (target: Target, { concurrency, patience, signal }: DeliveryOptions) => {
  const pace = new Pace(concurrency)
  signal.addEventListener('abort', () => pace.end(), { once: true })
  let lastEnded = performance.now()

  const attempt = async (row: Row): Promise<{ answer: Answer; verdict: Verdict | undefined }> => {
    const { path } = creates.get(row.type as string)!
    const entered = await pace.enter()
    signal.throwIfAborted()
    const answer = await target.send('POST', path, row.body)
    const verdict = verdictOf(row, target, answer)
    if (verdict) pace.leave(entered)
    // Only 429 says that all of us are too fast.
    else pace.leave(entered, answer.status === 429 ? secondsIn(answer.headers['retry-after']) * 1000 : 0)
    return { answer, verdict }
  }

  return async (row: Row): Promise<Verdict> => {
    const begun = performance.now()
    for (let tries = 1; ; tries += 1) {
      const { answer, verdict } = await attempt(row)
      if (verdict) {
        lastEnded = performance.now()
        return verdict
      }
      const late = performance.now() - begun > patience
      if (late && performance.now() - lastEnded > patience)
        throw new StartError(
          `${target.name} has recorded nothing for ${Math.round(patience / 1000)} s (${errorsIn(answer)[0]})`,
        )
      if (late || (answer.status === 500 && tries > MOST_FAILURES))
        return { outcome: 'failed', server_id: null, errors: errorsIn(answer) }
      const longest = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS * 2 ** (tries - 1))
      await pause(secondsIn(answer.headers['retry-after']) * 1000 + Math.random() * longest, undefined, {
        signal,
      })
    }
  }
}
