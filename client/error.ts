/** One error in the body of a response. @example const text = ({ title, detail }: ErrorEntry) => `${title}: ${detail}` */
export interface ErrorEntry {
  /** The HTTP status. */
  readonly code: number
  /** The kind of error. The text is fixed. */
  readonly title: string
  /** The problem, and the field or parameter that has it. */
  readonly detail: string
}

/** A failed call: the response was not 200, or there was none. @example if (error instanceof BillingApiError) console.log(error.status) */
export class BillingApiError extends Error {
  override readonly name = 'BillingApiError'
  /** The HTTP status; 0 without a complete response (`cause` has the reason). */
  declare readonly status: number
  /** The errors in the response; empty if it does not come from the service. */
  declare readonly errors: readonly ErrorEntry[]
  /** The id to quote in a report: the `x-request-id` of the response or, without a response, the id that was sent. */
  declare readonly requestId: string | undefined
  /** The `x-request-id` that the client sent. A gateway that responds itself uses another id. */
  declare readonly sentRequestId: string | undefined
  /** If `createAll` stopped: the outcomes so far. Bodies without an outcome may or may not be recorded. */
  declare summary: CreateAllSummary<unknown> | undefined
  /** The seconds to wait before repeating the call, if the service sent them. */
  declare readonly retryAfter: number | undefined

  constructor(message: string, failure: Partial<BillingApiError>, options?: { readonly cause?: unknown }) {
    super(message, options)
    Object.assign(this, { status: 0, errors: [] }, failure)
  }
}

/** A body that the service refused, or that JSON cannot express (TypeError). @example const idOf = ({ body }: NotCreated<CreateProduct>) => body.id */
export interface NotCreated<Body> {
  /** The zero-based index of the body in the input. */
  readonly index: number
  readonly body: Body
  readonly outcome: 'failed'
  readonly error: BillingApiError | TypeError
}

/** The number of bodies of `createAll` by outcome. @example const isDone = ({ failed }: CreateAllSummary<CreateProduct>) => failed.length === 0 */
export interface CreateAllSummary<Body> {
  readonly created: number
  /** The bodies whose entities existed with other content; 0 without `on_conflict: 'update'`. */
  readonly updated: number
  readonly unchanged: number
  /** The refused bodies, in the order of the responses. */
  readonly failed: readonly NotCreated<Body>[]
}
