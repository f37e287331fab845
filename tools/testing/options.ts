import type { Client } from '../../client/generated.ts'

type CreateBody<K> = K extends { create(body: infer B, ...rest: never[]): unknown } ? B : never

/** Request bodies to create, by resource: products first, then prices, customers, discounts, invoices. */
export type Seed = {
  readonly [K in keyof Client as Client[K] extends { create: unknown } ? K : never]?:
    | readonly CreateBody<Client[K]>[]
    | undefined
}

/** The state of a test service when it starts and after each reset. */
export interface InitialState {
  /** What exists: request bodies to create, or `scenario` for 24 customers over 24 months. Nothing if not given. */
  readonly seed?: Seed | 'scenario' | undefined
  /** The time at which the clock is stopped, as a Date or in one of the API's date formats. It runs if not given. */
  readonly now?: Date | string | undefined
}

/** How a test service is started. */
export interface TestServiceOptions extends InitialState {
  /** The port to listen on; a free one if not given. */
  readonly port?: number | undefined
  /** The origin whose pages may call the service from a browser (CORS), or `*`; none if not given. */
  readonly corsOrigin?: string | undefined
}

type OperationsOf<K extends keyof Client> =
  `${K}.${Exclude<keyof Client[K] & string, 'all' | 'anonymise' | 'createAll'>}`

/** An operation of the API, such as `customers.create`. An anonymisation is a `customers.update`. */
export type OperationId = { [K in keyof Client]: OperationsOf<K> }[keyof Client]

/** A failure to inject, and the calls that it applies to. It needs at least one of `delay`, `answer` and `lose`. */
export interface Fault {
  /** Applies to calls of this operation; to all calls if not given. */
  readonly operation?: OperationId | undefined
  /** Applies from this call on, counted from 1 when the fault is added: 1, the next call, if not given. */
  readonly call?: number | undefined
  /** The number of consecutive calls: 1 if not given. */
  readonly times?: number | undefined
  /** Milliseconds to wait before anything else happens. */
  readonly delay?: number | undefined
  /** The status of an error to answer instead of processing the call; excludes `lose`. */
  readonly answer?: 429 | 500 | 503 | undefined
  /** The `Retry-After` header of a 429 or 503, in seconds: 1 if not given. */
  readonly retryAfter?: number | undefined
  /** Closes the connection before the call is processed (`request`), or after it is processed and committed (`answer`). */
  readonly lose?: 'request' | 'answer' | undefined
}
