import type { BillingApiError } from './error.ts'

const FIRST_MILLIS = 250
const LONGEST_MILLIS = 8_000
/** About the longest delay of a timer, 23 days; one with a longer delay fires at once. */
const LONGEST_TIMER_MILLIS = 2e9

/**
 * Returns whether a failure is transient: throttling, overload, or an incomplete response (status 0). Every operation can
 * then be retried, since creates are idempotent.
 */
export const isTransient = ({ status }: BillingApiError): boolean => [0, 429, 502, 503, 504].includes(status)

/**
 * Returns the milliseconds to wait before retry number `retry` (from 0): the error's `Retry-After`, and a random time up to
 * a bound that doubles.
 */
export const delayBefore = (retry: number, { retryAfter = 0 }: BillingApiError): number =>
  retryAfter * 1000 + Math.random() * Math.min(LONGEST_MILLIS, FIRST_MILLIS * 2 ** retry)

/** Returns the seconds of a `Retry-After` header, which has seconds or a date; undefined for anything else. */
export const retryAfterFrom = (text: string | null): number | undefined => {
  // Without a header, the date is none either.
  const date = text as string
  const seconds = /^\d+$/.test(date) ? Number(date) : (Date.parse(date) - Date.now()) / 1000
  if (seconds >= 0) return seconds
  return seconds < 0 ? 0 : undefined
}

/** Calls `end` after a time, or with the signal as soon as it is aborted. Returns a function that cancels both. */
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

/** Waits. Rejects with the signal's reason if it is aborted meanwhile. */
export const pause = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    endAfter(millis, signal, (aborted) => (aborted ? reject(aborted.reason) : resolve()))
  })
