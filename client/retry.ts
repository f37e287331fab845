import type { BillingApiError } from './error.ts'

const FIRST_DELAY_MILLIS = 250
const MAX_DELAY_MILLIS = 8_000

/** The statuses of transient failures. 0 stands for an incomplete response, 429 for throttling, the others for overload. */
const TRANSIENT_STATUSES = [0, 429, 502, 503, 504]

/**
 * Returns whether a failure is transient: throttling, overload, or an incomplete response (status 0). Any operation may then
 * be retried: a create is recorded once, and a repeated update sets the same values again.
 */
export const isTransient = ({ status }: BillingApiError): boolean => TRANSIENT_STATUSES.includes(status)

/**
 * Returns the milliseconds to wait before retry number `retry`, from 0: the error's `Retry-After` plus a random time up to a
 * limit that doubles with each retry.
 */
const delayBefore = (retry: number, { retryAfter = 0 }: BillingApiError): number => {
  const limit = Math.min(MAX_DELAY_MILLIS, FIRST_DELAY_MILLIS * 2 ** retry)
  return retryAfter * 1000 + Math.random() * limit
}

/** Returns the seconds to wait according to a `Retry-After` header: a number, or a date (0 if it is past). Undefined for any other text. */
export const retryAfterFrom = (text: string): number | undefined => {
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** The limits of the retries of a call. */
export interface RetryLimits {
  /** The maximum number of retries. */
  readonly retries: number
  /** The maximum number of retries after a 500. */
  readonly retriesAfter500: number
  /** The time in milliseconds, from the first attempt, after which no retry begins. */
  readonly retryFor: number
}

/** The attempts of one call: counts them, and decides whether another one follows. */
export class CallAttempts {
  readonly #limits: RetryLimits
  #firstBegan = 0
  #begun = 0
  #failedWith500 = 0

  constructor(limits: RetryLimits) {
    this.#limits = limits
  }

  /** The number of the next attempt, from 1. */
  get next(): number {
    return this.#begun + 1
  }

  /** Counts an attempt, which begins now. */
  begin(): void {
    if (this.#begun === 0) this.#firstBegan = performance.now()
    this.#begun += 1
  }

  /** Counts the failure of the last attempt. Returns the milliseconds until the next one; undefined if there is none. */
  delayAfter(error: BillingApiError): number | undefined {
    if (error.status === 500) this.#failedWith500 += 1
    const { retries, retryFor, retriesAfter500 } = this.#limits
    const retry = this.#begun - 1
    const delay = delayBefore(retry, error)
    const elapsed = performance.now() - this.#firstBegan
    const mayRetry = error.status === 500 ? this.#failedWith500 <= retriesAfter500 : isTransient(error)
    return mayRetry && retry < retries && elapsed + delay <= retryFor ? delay : undefined
  }
}
