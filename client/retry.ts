import type { BillingApiError } from './error.ts'

const FIRST_MILLIS = 250
const LONGEST_MILLIS = 8_000
/** The longest `Retry-After` that is waited for; a call that must wait longer is better given back. */
const LONGEST_ASKED_MILLIS = 60_000
/** About the longest delay of a timer, 23 days; one with a longer delay fires at once. */
const LONGEST_TIMER_MILLIS = 2e9

// All of them pass by themselves, and every operation may be sent twice: a create is known by its id (I4).
const transient = [0, 429, 502, 503, 504]

/**
 * Milliseconds to wait before retry number `retry` (from 0) of a call that failed, or undefined where another attempt
 * would not help: random up to a bound that doubles, on top of what the service asked for.
 */
export const delayBefore = (
  retry: number,
  { status, retryAfter = 0 }: BillingApiError,
): number | undefined => {
  const asked = retryAfter * 1000
  if (!transient.includes(status) || asked > LONGEST_ASKED_MILLIS) return undefined
  return asked + Math.random() * Math.min(LONGEST_MILLIS, FIRST_MILLIS * 2 ** retry)
}

/** Seconds in a `Retry-After` header, which holds seconds or a date; undefined for anything else. */
export const retryAfterFrom = (text: string | null): number | undefined => {
  // Without a header, the date is none either.
  const date = text as string
  const seconds = /^\d+$/.test(date) ? Number(date) : (Date.parse(date) - Date.now()) / 1000
  if (seconds >= 0) return seconds
  return seconds < 0 ? 0 : undefined
}

/** Runs `end` after a time, or with the signal as soon as that is aborted; the result cancels both. */
export const endAfter = (
  millis: number,
  signal: AbortSignal | undefined,
  end: (aborted: AbortSignal | undefined) => void,
): (() => void) => {
  const cancel = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', finish)
  }
  const finish = () => {
    cancel()
    end(signal?.aborted ? signal : undefined)
  }
  const timer = setTimeout(finish, Math.min(millis, LONGEST_TIMER_MILLIS))
  signal?.addEventListener('abort', finish)
  if (signal?.aborted) finish()
  return cancel
}

/** Waits; rejects with the signal's reason when it is aborted meanwhile. */
export const pause = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    endAfter(millis, signal, (aborted) => (aborted ? reject(aborted.reason) : resolve()))
  })
