import type { Client, resources } from '../../client/generated.ts'

type CreateBody<K> = K extends { create(body: infer B, ...rest: never[]): unknown } ? B : never

/**
 * Request bodies to create, by resource: products first, then prices, customers, discounts, invoices.
 * @example const seed: Seed = { products: [] }
 */
export type Seed = {
  readonly [K in keyof Client as Client[K] extends { create: unknown } ? K : never]?:
    | readonly CreateBody<Client[K]>[]
    | undefined
}

/**
 * The state of a test service when it starts and after each reset.
 * @example await service.reset({ seed: 'scenario' })
 */
export interface InitialState {
  /**
   * The entities to create first: request bodies, or `scenario` for an invented business of about 120 customers
   * over 36 months. By default, none.
   */
  readonly seed?: Seed | 'scenario' | undefined
  /**
   * Stops the clock at this time, a Date or a date in one of the API's formats. By default, the clock runs.
   */
  readonly now?: Date | string | undefined
}

/**
 * The options for starting a test service.
 * @example await createTestService({ port: 4010, corsOrigin: '*' })
 */
export interface TestServiceOptions extends InitialState {
  /** The port to listen on. By default, a free one. */
  readonly port?: number | undefined
  /** The origin whose pages may call the service from a browser (CORS), or `*`. By default, none. */
  readonly corsOrigin?: string | undefined
}

type Resources = typeof resources

/**
 * An operation of the API, such as `customers.create`. An anonymisation is a `customers.update`.
 * @example const id: OperationId = 'customers.update'
 */
export type OperationId = {
  [K in keyof Resources]: `${K}.${Exclude<Resources[K]['operations'][number], 'upsert'>}`
}[keyof Resources]

/**
 * A failure to inject, and the calls that it applies to. It needs at least one of `delay`, `answer` and
 * `lose`.
 * @example const fault: Fault = { delay: 50 }
 */
export interface Fault {
  /** The operation whose calls the fault affects. By default, all operations. */
  readonly operation?: OperationId | undefined
  /** The first call that the fault affects, counted from when it is added. By default 1, the next call. */
  readonly call?: number | undefined
  /** The number of consecutive calls that it affects. By default 1. */
  readonly times?: number | undefined
  /** Milliseconds to wait before anything else happens. */
  readonly delay?: number | undefined
  /** The status of an error to answer instead of processing the call; excludes `lose`. */
  readonly answer?: 429 | 500 | 503 | undefined
  /** The `Retry-After` header of a 429 or 503, in seconds. By default 1. */
  readonly retryAfter?: number | undefined
  /**
   * Closes the connection before the call is processed (`request`), or after it is processed and committed
   * (`answer`).
   */
  readonly lose?: 'request' | 'answer' | undefined
}
