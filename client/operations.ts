import type { CreateAllSummary, IndexedBody, NotCreated } from './error.ts'

/** The types of the client's operations, without the fields of resources. */

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, during or between attempts; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
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

/** The result of a call with details of its response. */
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
  /** Resolves with the result, request id, number of attempts and headers. */
  withResponse(): Promise<ApiResponse<T>>
}

/** The default type of customers' metadata. */
export type AnyMetadata = { [key: string]: unknown }

/** The field that embedded entities have if the call includes `external_id`. */
export interface WithExternalId {
  /** Your own id, as text. */
  external_id: string
}

/** The same field if the includes are not known at compile time. */
export type MaybeExternalId = Partial<WithExternalId>

/** The names that a call can include. */
export type Names<Embeds> = readonly (keyof Embeds & string)[]

/** A value that is embedded into each object of the list `List`, which must be included too, and not into the entity. */
export interface Within<List extends string, Value> {
  readonly list: List
  readonly value: Value
}

/** The names whose values are embedded into the entity itself. */
type Direct<Embeds, Name extends keyof Embeds> = {
  [Key in Name]: Embeds[Key] extends Within<string, unknown> ? never : Key
}[Name]

/** The values that are embedded into the objects of the list `List`. */
type Inner<Embeds, Name extends keyof Embeds, List> = {
  [Key in Name as Embeds[Key] extends Within<string, unknown>
    ? Embeds[Key]['list'] extends List
      ? Key
      : never
    : never]: Embeds[Key] extends Within<string, infer Value> ? Value : never
}

type Embedded<Embeds, Name extends keyof Embeds> = {
  [Key in Direct<Embeds, Name>]: [keyof Inner<Embeds, Name, Key>] extends [never]
    ? Embeds[Key]
    : Embeds[Key] extends (infer Item)[]
      ? (Item & Inner<Embeds, Name, Key>)[]
      : never
}

/** An entity with exactly its includes. `Identified` are the embedded entities of a call that includes `external_id`. */
export type With<Entity, Embeds, Included extends Names<Embeds>, Identified = Embeds> = [
  Included[number],
] extends [never]
  ? Entity
  : number extends Included['length']
    ? Entity & Partial<Pick<Embeds, Direct<Embeds, keyof Embeds>>>
    : 'external_id' extends Included[number]
      ? Entity & Embedded<Identified, Included[number] & keyof Identified>
      : Entity & Embedded<Embeds, Included[number]>

/** Options of a call that can embed entities. */
export interface IncludeOptions<Included> extends CallOptions {
  /** What to embed into each entity. */
  readonly include?: Included | undefined
}

/** Options of a list. */
export interface ListOptions<Included> extends IncludeOptions<Included> {
  /** The number of entities on a page: 1 to 100. By default 20. */
  readonly limit?: number | undefined
  /** A `next_cursor` or `previous_cursor` of this list; without one, the first page. */
  readonly cursor?: string | null | undefined
}

/** Options of `all`: towards older entities from any cursor, or towards newer ones from a `previous_cursor`. */
export type AllOptions<Included> = ListOptions<Included> &
  (
    | { readonly direction?: 'older' | undefined }
    | { readonly direction: 'newer'; readonly cursor: string | null }
  )

/** Options of `changes`. */
export interface ChangesOptions<Included> extends IncludeOptions<Included> {
  /** The bookmark of the last page that was stored, 0 for everything, or a date. Numbers are seconds since the epoch. */
  readonly since: number | string
  /** The number of entities on a page: 1 to 100. By default 100. */
  readonly limit?: number | undefined
}

/** A page of entities that were created or changed, oldest change first. */
export interface Changes<Entity> {
  /** The entities as they are now. `changed` is the time of the last change in seconds since the epoch. */
  readonly items: (Entity & { readonly changed: number })[]
  /** The `since` of the next call, after the items are stored. */
  readonly bookmark: number
}

/** A page of a list, newest first. */
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
  /** Returns one page, newest first. Rejects with TypeError for a filter that is not an id. */
  list<const Included extends Names<Embeds> = []>(
    options?: ListOptions<Included> & Filters,
  ): Call<Page<With<Entity, Embeds, Included, Identified>>>
  /**
   * Iterates over all entities, newest first, requesting `limit` at a time (default 100). With `direction: 'newer'`,
   * iterates over those before `cursor`, starting with the nearest (none if the cursor is null).
   */
  all<const Included extends Names<Embeds> = []>(
    options?: AllOptions<Included> & Filters,
  ): AsyncIterableIterator<With<Entity, Embeds, Included, Identified>>
  /**
   * Iterates over pages of the entities created or changed at or after `since`, oldest change first. A deployed service
   * omits the changes of the last few minutes. Store the items by `id`, then the bookmark. An item may be returned again.
   */
  changes<const Included extends Names<Embeds> = []>(
    options: ChangesOptions<Included> & Filters,
  ): AsyncIterableIterator<Changes<With<Entity, Embeds, Included, Identified>>>
}

/** The outcome of an upsert, and the entity. */
export interface Upserted<Entity> {
  readonly outcome: 'created' | 'updated' | 'unchanged'
  readonly entity: Entity
}

/** The outcome of one body of `createAll`. */
export type CreateResult<Entity, Body> = Created<Entity, Body> | NotCreated<Body>

/** A body whose entity is recorded. The outcome is `updated` only with `on_conflict: 'update'`. */
export interface Created<Entity, Body> extends IndexedBody<Body>, Upserted<Entity> {}

/**
 * Options of `createAll`. Those of a call apply to each create. By default, `retries` is unlimited, and `retryFor` is ten
 * minutes.
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
  /** Creates an entity with your own id. Repeated, it returns the same entity; with other content, it is a 409. */
  create(body: Body, options?: CallOptions & Options): Call<Entity>
  /**
   * Creates an entity for each body, several concurrently, and reads the bodies no faster than it sends them. Reports a
   * refused body and continues with the others. After any other failure (no access, or no response within `retryFor`),
   * reads no further body, waits for the requests in progress, and rejects with that error, whose `summary` counts the
   * outcomes. It is safe to call it again with the same bodies, which completes the work.
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
   * nothing if the content is the same. 409 if the entity is anonymised.
   */
  upsert(body: Body, options?: CallOptions): Call<Upserted<Entity>>
}

/** The operation of a resource that can be retrieved. */
export interface Retrieves<Entity, Embeds, Identified = Embeds> {
  /** Returns one entity, by the service's id or your own. */
  retrieve<const Included extends Names<Embeds> = []>(
    id: string | number,
    options?: IncludeOptions<Included>,
  ): Call<With<Entity, Embeds, Included, Identified>>
}

/** The operations of a resource that can be updated. */
export interface Updates<Entity, Changes> {
  /** Changes the fields in `changes`. Null clears a field. `metadata` is replaced as a whole. Never anonymises. */
  update(id: string | number, changes: Changes, options?: CallOptions): Call<Entity>
  /** Irreversibly erases the customer's personal data: name and email become placeholders, description and phone null. */
  anonymise(id: string | number, options?: CallOptions): Call<Entity>
}
