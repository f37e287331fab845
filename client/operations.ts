import type { CreateAllSummary, NotCreated, OfBody } from './error.ts'

/** The operations that resources share, whatever their fields are. */

/** Options of a single call. */
export interface CallOptions {
  /** Ends the call, also between attempts; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The time limit of one attempt in milliseconds. Defaults to the client's `timeout`. */
  readonly timeout?: number | undefined
  /** The maximum number of retries after 429, 502, 503, 504 or no response. Defaults to the client's `retries`. */
  readonly retries?: number | undefined
  /** The time in milliseconds, from the first attempt, after which no retry begins. Defaults to the client's `retryFor`. */
  readonly retryFor?: number | undefined
  /** The `x-request-id` to send: 1 to 128 letters, digits or any of `_.:-`. Random by default. */
  readonly requestId?: string | undefined
  /** Headers to send besides the client's own, or in their place. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The result of a call, with the other parts of its response. */
export interface ApiResponse<T> {
  readonly data: T
  /** The `x-request-id` of the response, which the service's log has too. */
  readonly requestId: string
  /** The number of attempts: 1 without a retry. */
  readonly attempts: number
  /** The headers of the response. */
  readonly headers: { get(name: string): string | null }
}

/** A call in progress: a promise of its result. */
export interface Call<T> extends Promise<T> {
  /** The result with its request id, attempts and headers. */
  withResponse(): Promise<ApiResponse<T>>
}

/** The metadata of customers, unless `createClient` has a type argument for it. */
export type AnyMetadata = { [key: string]: unknown }

/** The additional field of embedded entities, if the call includes `external_id`. */
export interface WithExternalId {
  /** Your own id, as text. */
  external_id: string
}

/** The additional field that embedded entities may have. */
export type MaybeExternalId = Partial<WithExternalId>

/** Names of entities that may be embedded. */
export type Names<Embeds> = readonly (keyof Embeds & string)[]

/** A value embedded into each object of the list `List`, which must be embedded too, instead of into the entity. */
export interface Within<List extends string, Value> {
  readonly list: List
  readonly value: Value
}

/** The names of includes that embed into the entity itself. */
type Own<Embeds, Name extends keyof Embeds> = {
  [Key in Name]: Embeds[Key] extends Within<string, unknown> ? never : Key
}[Name]

/** The values embedded into the objects of a list. */
type Inner<Embeds, Name extends keyof Embeds, List> = {
  [Key in Name as Embeds[Key] extends Within<string, unknown>
    ? Embeds[Key]['list'] extends List
      ? Key
      : never
    : never]: Embeds[Key] extends Within<string, infer Value> ? Value : never
}

type Embedded<Embeds, Name extends keyof Embeds> = {
  [Key in Own<Embeds, Name>]: [keyof Inner<Embeds, Name, Key>] extends [never]
    ? Embeds[Key]
    : Embeds[Key] extends (infer Item)[]
      ? (Item & Inner<Embeds, Name, Key>)[]
      : never
}

/** An entity with the requested includes and nothing else. With `external_id`, embedded entities have it too (`Identified`). */
export type With<Entity, Embeds, Included extends Names<Embeds>, Identified = Embeds> = [
  Included[number],
] extends [never]
  ? Entity
  : number extends Included['length']
    ? Entity & Partial<Pick<Embeds, Own<Embeds, keyof Embeds>>>
    : 'external_id' extends Included[number]
      ? Entity & Embedded<Identified, Included[number] & keyof Identified>
      : Entity & Embedded<Embeds, Included[number]>

/** Options of a call whose entities may embed others. */
export interface IncludeOptions<Included> extends CallOptions {
  /** The names of what to embed into each entity. */
  readonly include?: Included | undefined
}

/** Options of a list. */
export interface ListOptions<Included> extends IncludeOptions<Included> {
  /** The number of entities on a page: 1 to 100. By default 20. */
  readonly limit?: number | undefined
  /** A `next_cursor` or `previous_cursor` of this list; without one, the first page. */
  readonly cursor?: string | null | undefined
}

/** Options of iterating over a list: forwards from anywhere, or backwards from a `previous_cursor`. */
export type AllOptions<Included> = ListOptions<Included> &
  (
    | { readonly direction?: 'older' | undefined }
    | { readonly direction: 'newer'; readonly cursor: string | null }
  )

/** Options of reading what was recorded or changed. */
export interface ChangesOptions<Included> extends IncludeOptions<Included> {
  /** The bookmark of the last page that was stored, 0 for everything, or a date. */
  readonly since: number | string
  /** The number of entities on a page: 1 to 100. By default 100. */
  readonly limit?: number | undefined
}

/** A page of what was recorded or changed, oldest change first. */
export interface Changes<Entity> {
  /** The entities as they are now. `changed` is the second of the last change, since the epoch. */
  readonly items: (Entity & { readonly changed: number })[]
  /** The `since` of the next call, once the items are stored. */
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
   * Iterates over pages of the entities recorded or changed at or after `since`, oldest change first. A deployed service
   * leaves out the changes of the last few minutes. Store the items by `id`, then the bookmark. Some items come again.
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

/** A body whose entity exists: `unchanged` if it existed before, with the same content; `updated` only if asked for. */
export interface Created<Entity, Body> extends OfBody<Body>, Upserted<Entity> {}

/**
 * Options of `createAll`. Those of a call apply to each create. By default, `retries` has no limit, and `retryFor` is ten
 * minutes.
 */
export interface CreateAllOptions<Entity, Body> extends CallOptions {
  /**
   * The maximum number of concurrent creates. By default 8. Fewer are sent while the service is overloaded or throttles.
   * 1 keeps the order of the bodies.
   */
  readonly concurrency?: number | undefined
  /**
   * Runs after each body, with the number of bodies done so far. The next body waits for a promise; what it throws stops
   * the call.
   */
  readonly onProgress?: ((result: CreateResult<Entity, Body>, done: number) => unknown) | undefined
}

export interface Creates<Entity, Body, Options = unknown> {
  /** Creates an entity under your own id. The same call again returns the same entity; other content is a 409. */
  create(body: Body, options?: CallOptions & Options): Call<Entity>
  /**
   * Creates an entity for each body, several at a time, and reads the bodies no faster than it sends them. Reports a
   * refused body and continues with the others. After any other failure (no access, or no response for the time of
   * `retryFor`), reads no further body, waits for the requests in progress, and rejects with that error, whose `summary`
   * counts the outcomes. The same call again is safe and completes the work.
   */
  createAll(
    bodies: Iterable<Body> | AsyncIterable<Body>,
    options?: CreateAllOptions<Entity, Body> & Options,
  ): Promise<CreateAllSummary<Body>>
}

export interface Upserts<Entity, Body> {
  /**
   * Creates an entity under your own id, or makes the existing one what this create would have recorded: absent fields are
   * cleared. Equal values write nothing. 409 if the entity is anonymised.
   */
  upsert(body: Body, options?: CallOptions): Call<Upserted<Entity>>
}

export interface Retrieves<Entity, Embeds, Identified = Embeds> {
  /** Returns one entity, by the service's id or your own. */
  retrieve<const Included extends Names<Embeds> = []>(
    id: string | number,
    options?: IncludeOptions<Included>,
  ): Call<With<Entity, Embeds, Included, Identified>>
}

export interface Updates<Entity, Changes> {
  /** Changes the fields in `changes`; null clears one, `metadata` is replaced as a whole. Never anonymises. */
  update(id: string | number, changes: Changes, options?: CallOptions): Call<Entity>
  /** Replaces name and email by placeholders and erases description and phone, for ever. */
  anonymise(id: string | number, options?: CallOptions): Call<Entity>
}
