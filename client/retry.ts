import type { BillingApiError } from './error.ts'

const FIRST_DELAY_MILLIS = 250
const MAX_DELAY_MILLIS = 8_000
/** About the maximum delay of a timer, 23 days. A timer with a longer one fires at once. */
const MAX_TIMER_MILLIS = 2e9

/**
 * Returns whether a failure is transient: throttling, overload, or an incomplete response (status 0). Any operation may then
 * be retried: a create is recorded once, and an update says the same again.
 */
export const isTransient = ({ status }: BillingApiError): boolean => [0, 429, 502, 503, 504].includes(status)

/**
 * Returns the milliseconds to wait before retry number `retry`, from 0: the error's `Retry-After` plus a random time up to a
 * limit that doubles with each retry.
 */
export const delayBefore = (retry: number, { retryAfter = 0 }: BillingApiError): number =>
  retryAfter * 1000 + Math.random() * Math.min(MAX_DELAY_MILLIS, FIRST_DELAY_MILLIS * 2 ** retry)

/** Returns the seconds in a `Retry-After` header, which may be a date; undefined for anything else. */
export const retryAfterFrom = (text: string): number | undefined => {
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  if (seconds >= 0) return seconds
  return seconds < 0 ? 0 : undefined
}

/** Calls `end` after some milliseconds or, with the signal's reason, as soon as it is aborted. Returns a function that cancels both. */
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

/** Waits for some milliseconds. Rejects with the signal's reason if it is aborted. */
export const pause = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    endAfter(millis, signal, (reason) => (reason === undefined ? resolve() : reject(reason)))
  })
