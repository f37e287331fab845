import type { CreateAllSummary, NotCreated } from './error.ts'

/** The types of the client's operations, without the fields of resources. */

/**
 * The AbortSignal that the types of your project declare (`DOM`, or those of Node); without them, the part of it that the client
 * uses. @example const signal: CallSignal = AbortSignal.timeout(5_000)
 */
export type CallSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : {
      readonly aborted: boolean
      readonly reason: unknown
      throwIfAborted(): void
      addEventListener(type: 'abort', listener: () => void): void
      removeEventListener(type: 'abort', listener: () => void): void
    }

/** Options of a single call. @example await billing.products.list({ timeout: 2_000, retries: 0 }) */
export interface CallOptions {
  /** Aborts the call, during or between attempts; it rejects with the signal's reason. */
  readonly signal?: CallSignal | undefined
  /** The time limit of one attempt in milliseconds. Defaults to the client's `timeout`. */
  readonly timeout?: number | undefined
  /** The maximum number of retries after 429, 502, 503, 504 or no response. Defaults to the client's `retries`. */
  readonly retries?: number | undefined
  /** The time in milliseconds, from the first attempt, after which no retry begins. Defaults to the client's `retryFor`. */
  readonly retryFor?: number | undefined
  /** The `x-request-id` to send: 1 to 128 letters, digits or any of `_.:-`. Random by default. */
  readonly requestId?: string | undefined
  /** Headers to add to those of the client, or to replace them. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The result of a call with details of its response. @example const text = ({ requestId, attempts }: ApiResponse<unknown>) => `${requestId}: ${attempts}` */
export interface ApiResponse<T> {
  readonly data: T
  /** The `x-request-id` of the response, which is also in the service's log. */
  readonly requestId: string
  /** The number of attempts: 1 without a retry. */
  readonly attempts: number
  /** The headers of the response. */
  readonly headers: { get(name: string): string | null }
}

/** A promise of a call's result. */
export interface Call<T> extends Promise<T> {
  /** Resolves with the result, request id, number of attempts and headers. @example const { data, requestId } = await billing.products.list().withResponse() */
  withResponse(): Promise<ApiResponse<T>>
}

/** The default type of customers' metadata. @example const metadata: AnyMetadata = { seats: 5 } */
export type AnyMetadata = { [key: string]: unknown }

/** The field that embedded entities have if the call includes `external_id`. @example const idOf = ({ external_id }: WithExternalId) => external_id */
export interface WithExternalId {
  /** Your own id, as text. */
  external_id: string
}

/** The names that a call can include. @example const include: Names<InvoiceEmbeds> = ['customer'] */
export type Names<Embeds> = readonly (keyof Embeds & string)[]

/** A value that is embedded into each object of the list `List`, which must be included too, and not into the entity. @example type Sold = InvoiceEmbeds['price']['value'] */
export interface Within<List extends string, Value> {
  readonly list: List
  readonly value: Value
}

/** The names of the values that are embedded into the objects of the list `List`. */
type NamesInList<List extends string, Embeds, Name extends keyof Embeds> = {
  [Key in Name]: Embeds[Key] extends Within<List, unknown> ? Key : never
}[Name]

// The next types are conditional, so that an editor shows their fields instead of their names. Unknown adds no fields.

/** The values that are embedded into each object of the list `List`. */
type EmbeddedInList<List extends string, Embeds, Name extends keyof Embeds> =
  NamesInList<List, Embeds, Name> extends never
    ? unknown
    : {
        [Key in NamesInList<List, Embeds, Name>]: Embeds[Key] extends Within<List, infer Value>
          ? Value
          : never
      }

/** The values that are embedded into the entity itself. */
type EmbeddedInEntity<Embeds, Name extends keyof Embeds & string> = [Name] extends [never]
  ? unknown
  : {
      [Key in Exclude<Name, NamesInList<string, Embeds, Name>>]: Embeds[Key] extends (infer Item)[]
        ? (Item & EmbeddedInList<Key, Embeds, Name>)[]
        : Embeds[Key]
    }

/** An entity with exactly its includes. `Identified` has the values that a call with `external_id` embeds. @example type Billed = With<Invoice, InvoiceEmbeds, ['customer']> */
export type With<
  Entity,
  Embeds,
  Included extends Names<Embeds>,
  Identified = Embeds,
> = number extends Included['length']
  ? Entity & Partial<Omit<Embeds, NamesInList<string, Embeds, keyof Embeds>>>
  : 'external_id' extends Included[number]
    ? Entity & EmbeddedInEntity<Identified, Included[number] & keyof Identified>
    : Entity & EmbeddedInEntity<Embeds, Included[number]>

/** Options of a call that can embed entities. @example await billing.invoices.retrieve('2026-0001', { include: ['customer'] }) */
export interface IncludeOptions<Included> extends CallOptions {
  /** The names of the values to embed into each entity. */
  readonly include?: Included | undefined
}

/** Options of a list. @example const { items } = await billing.invoices.list({ limit: 50, include: ['customer'] }) */
export interface ListOptions<Included> extends IncludeOptions<Included> {
  /** The number of entities on a page: 1 to 100. By default 20. */
  readonly limit?: number | undefined
  /** A `next_cursor` or `previous_cursor` of this list; without one, the first page. */
  readonly cursor?: string | null | undefined
}

/** Options of `all`. Iterating towards newer entities begins at a page's `previous_cursor`. @example billing.products.all({ direction: 'newer', cursor: page.previous_cursor }) */
export type AllOptions<Included> = ListOptions<Included> &
  (
    | { readonly direction?: 'older' | undefined }
    | { readonly direction: 'newer'; readonly cursor: string | null }
  )

/** Options of `changes`. @example const everything: ChangesOptions<['line_items']> = { since: 0, include: ['line_items'] } */
export interface ChangesOptions<Included> extends IncludeOptions<Included> {
  /** The bookmark of the last page that was stored, 0 for everything, or a date. Numbers are seconds since the epoch. */
  readonly since: number | string
  /** The number of entities on a page: 1 to 100. By default 100. */
  readonly limit?: number | undefined
}

/** A page of entities that were created or changed, oldest change first. @example const next = ({ bookmark }: Changes<Customer>) => bookmark */
export interface Changes<Entity> {
  /** The entities in their current state. `changed` is the time of the last change in seconds since the epoch. */
  readonly items: (Entity & { readonly changed: number })[]
  /** The `since` of the next call, after the items are stored. */
  readonly bookmark: number
  /** The seconds for which the service holds changes back: changes of this time may be missing. Undefined before 0.4.0. */
  readonly heldBack: number | undefined
}

/** A page of a list, newest first. @example const next = ({ next_cursor }: Page<Product>) => next_cursor */
export interface Page<Entity> {
  readonly items: Entity[]
  /** Whether older entities follow. */
  readonly has_more: boolean
  /** The cursor of the page after this one; null at the end. */
  readonly next_cursor: string | null
  /** The cursor of the page before this one; null at the beginning. */
  readonly previous_cursor: string | null
}

/** The operations of a resource that can be listed. */
export interface Lists<Entity, Embeds, Identified = Embeds, Filters = unknown> {
  /** Returns one page, newest first. Rejects with TypeError for a filter that is not an id. @example const { items } = await billing.invoices.list({ customer_id: 42 }) */
  list<const Included extends Names<Embeds> = []>(
    options?: ListOptions<Included> & Filters,
  ): Call<Page<With<Entity, Embeds, Included, Identified>>>
  /**
   * Iterates over all entities, newest first, requesting `limit` at a time (default 100). With `direction: 'newer'`,
   * iterates over the entities before `cursor`, starting with the nearest (none if the cursor is null).
   * @example for await (const { email } of billing.customers.all()) console.log(email)
   */
  all<const Included extends Names<Embeds> = []>(
    options?: AllOptions<Included> & Filters,
  ): AsyncIterableIterator<With<Entity, Embeds, Included, Identified>>
  /**
   * Iterates over pages of the entities created or changed at or after `since`, oldest change first. A deployed service
   * omits the changes of the last minutes (`heldBack`). Store the items by `id`, then the bookmark. An item may be returned again.
   * @example for await (const { items, bookmark } of billing.customers.changes({ since: 0 })) console.log(items, bookmark)
   */
  changes<const Included extends Names<Embeds> = []>(
    options: ChangesOptions<Included> & Filters,
  ): AsyncIterableIterator<Changes<With<Entity, Embeds, Included, Identified>>>
}

/** The outcome of an upsert, and the entity. @example const isNew = ({ outcome }: Upserted<Customer>) => outcome === 'created' */
export interface Upserted<Entity> {
  readonly outcome: 'created' | 'updated' | 'unchanged'
  readonly entity: Entity
}

/** The outcome of one body of `createAll`. @example const isNew = ({ outcome }: CreateResult<Product, unknown>) => outcome === 'created' */
export type CreateResult<Entity, Body> = Created<Entity, Body> | NotCreated<Body>

/** A body whose entity is recorded. The outcome is `updated` only with `on_conflict: 'update'`. @example const idOf = ({ entity }: Created<Product, unknown>) => entity.id */
export interface Created<Entity, Body> extends Pick<NotCreated<Body>, 'index' | 'body'>, Upserted<Entity> {}

/**
 * Options of `createAll`. The options of a call apply to each create. By default, `retries` is unlimited, and `retryFor` is ten
 * minutes.
 * @example await billing.customers.createAll([{ id: 42 }], { onProgress: (_, done) => console.log(done) })
 */
export interface CreateAllOptions<Entity, Body> extends CallOptions {
  /**
   * The maximum number of concurrent creates. By default 8. It is reduced while the service is overloaded or throttles.
   * With 1, entities are created in the order of the bodies.
   */
  readonly concurrency?: number | undefined
  /**
   * Called after each body with the number of bodies done so far. `createAll` waits for its promise, and stops with its
   * error.
   */
  readonly onProgress?: ((result: CreateResult<Entity, Body>, done: number) => unknown) | undefined
}

/** The operations of a resource that can be created. */
export interface Creates<Entity, Body, Options = unknown> {
  /** Creates an entity with your own id. It is idempotent: a repetition returns the same entity, and with other content a 409. @example await billing.customers.create({ id: 42 }) */
  create(body: Body, options?: CallOptions & Options): Call<Entity>
  /**
   * Creates an entity for each body, several concurrently, and reads the bodies no faster than it sends them. Reports a
   * refused body and continues with the others. After any other failure (no access, or no response within `retryFor`),
   * reads no further body, waits for the requests in progress, and rejects with that error, whose `summary` counts the
   * outcomes. It is safe to call it again with the same bodies, which completes the work.
   * @example const { created, failed } = await billing.products.createAll([{ id: 'basic', name: 'Basic plan' }])
   */
  createAll(
    bodies: Iterable<Body> | AsyncIterable<Body>,
    options?: CreateAllOptions<Entity, Body> & Options,
  ): Promise<CreateAllSummary<Body>>
}

/** The operation of a resource whose creates may update. */
export interface Upserts<Entity, Body> {
  /**
   * Creates an entity with your own id, or replaces the content of the existing one: absent fields are cleared. Writes
   * nothing if the content is the same. 409 if the customer is anonymised. Of a product, price or discount, only the name
   * or title is replaced: 409 if another field differs.
   * @example const { outcome } = await billing.customers.upsert({ id: 42, name: 'Ann Example' })
   */
  upsert(body: Body, options?: CallOptions): Call<Upserted<Entity>>
}

/** The operation of a resource that can be retrieved. */
export interface Retrieves<Entity, Embeds, Identified = Embeds> {
  /** Returns one entity, by the service's id or your own. @example const { name } = await billing.products.retrieve('basic') */
  retrieve<const Included extends Names<Embeds> = []>(
    id: string | number,
    options?: IncludeOptions<Included>,
  ): Call<With<Entity, Embeds, Included, Identified>>
}

/** The operations of a resource that can be updated. */
export interface Updates<Entity, Changes> {
  /** Changes the fields in `changes`. Null clears a field. `metadata` is replaced as a whole. Never anonymises. @example await billing.customers.update(42, { phone: null }) */
  update(id: string | number, changes: Changes, options?: CallOptions): Call<Entity>
  /** Irreversibly erases the customer's personal data: name and email become placeholders; all other personal fields become null. @example await billing.customers.anonymise(42) */
  anonymise(id: string | number, options?: CallOptions): Call<Entity>
}
