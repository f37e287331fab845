/** One entry of an error's envelope (§1). */
export interface ErrorEntry {
  /** The HTTP status. */
  readonly code: number
  /** What kind of error it is, always the same text for the same kind. */
  readonly title: string
  /** What is wrong and where. */
  readonly detail: string
}

/** What is known of a failed call. */
export interface Failure {
  readonly status: number
  readonly errors?: readonly ErrorEntry[]
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
}

/** Every failure of a call: an answer that is not 200, or none at all. */
export class BillingApiError extends Error {
  override readonly name = 'BillingApiError'
  /** The HTTP status; 0 when no whole answer came (`cause` says why). */
  readonly status: number
  /** What the service found wrong, one entry for each fault; empty when no enveloped answer came. */
  readonly errors: readonly ErrorEntry[]
  /** The request's id (`x-request-id`), to be quoted in a report. */
  readonly requestId: string | undefined
  /** Seconds after which the service wants the call again, where it said so. */
  readonly retryAfter: number | undefined

  constructor(message: string, { status, errors = [], requestId, retryAfter }: Failure, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.errors = errors
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}
