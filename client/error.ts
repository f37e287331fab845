/** One entry of an error's envelope. */
export interface ErrorEntry {
  /** The HTTP status. */
  readonly code: number
  /** The kind of error, in fixed words. */
  readonly title: string
  /** The problem and its place. */
  readonly detail: string
}

/** The properties of the error of a failed call. */
export type Failure = Pick<BillingApiError, 'status'> & Partial<BillingApiError>

/** A failed call: the response was not 200, or there was none. */
export class BillingApiError extends Error {
  override readonly name = 'BillingApiError'
  /** The HTTP status; 0 without a complete response (`cause` has the reason). */
  declare readonly status: number
  /** The errors that the service reports; empty if the response has no error envelope. */
  declare readonly errors: readonly ErrorEntry[]
  /** The id to quote in a report: the `x-request-id` of the response, or the one sent if there was no response. */
  declare readonly requestId: string | undefined
  /** The `x-request-id` that the client sent. A gateway that responds itself uses another one. */
  declare readonly sentRequestId: string | undefined
  /** If `createAll` stopped: the outcome of the bodies so far. Missing ones may or may not exist. */
  declare summary: CreateAllSummary<unknown> | undefined
  /** The seconds to wait before repeating the call, if the service sent them. */
  declare readonly retryAfter: number | undefined

  constructor(message: string, failure: Failure, options?: ErrorOptions) {
    super(message, options)
    Object.assign(this, { errors: [] }, failure)
  }
}

/** One of the bodies of `createAll`. */
export interface OfBody<Body> {
  /** Zero-based index of the body in the input. */
  readonly index: number
  readonly body: Body
}

/** A body that the service refused, or that JSON cannot express (TypeError). */
export interface NotCreated<Body> extends OfBody<Body> {
  readonly outcome: 'failed'
  readonly error: BillingApiError | TypeError
}

/** The outcomes of all bodies of `createAll`. */
export interface CreateAllSummary<Body> {
  readonly created: number
  /** Those that existed with other content; 0 unless the call has `on_conflict: 'update'`. */
  readonly updated: number
  readonly unchanged: number
  /** The refused bodies, in the order of the responses. */
  readonly failed: readonly NotCreated<Body>[]
}
