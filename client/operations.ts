/** What the operations of every resource have in common, whatever its fields are. */

/** Options of a single call. */
export interface CallOptions {
  /** Ends the call, also between attempts; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds that one attempt may take; otherwise the client's `timeout`. */
  readonly timeout?: number | undefined
  /** How often the call is sent again after 429, 502, 503, 504 or no answer; otherwise the client's `retries`. */
  readonly retries?: number | undefined
}

/** Names of entities that may be embedded. */
export type Names<Embeds> = readonly (keyof Embeds & string)[]

/** An entity with what the call asked to be embedded, and nothing else. */
export type With<Entity, Embeds, Included extends Names<Embeds>> = [Included[number]] extends [never]
  ? Entity
  : number extends Included['length']
    ? Entity & Partial<Embeds>
    : Entity & Pick<Embeds, Included[number]>

/** Options of a call whose entities may embed others. */
export interface IncludeOptions<Included> extends CallOptions {
  /** What to embed into each entity. */
  readonly include?: Included | undefined
}

/** Options of a list's page. */
export interface ListOptions<Included> extends IncludeOptions<Included> {
  /** How many entities a page holds: 1 to 100, 20 if not given. */
  readonly limit?: number | undefined
  /** A `next_cursor` or `previous_cursor` of this list; without one, the first page. */
  readonly cursor?: string | null | undefined
}

/** Options of going through a list: forwards from anywhere, or backwards from a `previous_cursor`. */
export type AllOptions<Included> = ListOptions<Included> &
  (
    | { readonly direction?: 'older' | undefined }
    | { readonly direction: 'newer'; readonly cursor: string | null }
  )

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

export interface Lists<Entity, Embeds, Filters = unknown> {
  /** One page, newest first. Throws TypeError where a filter has no value. */
  list<const Included extends Names<Embeds> = []>(
    options?: ListOptions<Included> & Filters,
  ): Promise<Page<With<Entity, Embeds, Included>>>
  /**
   * All entities, page by page (100 at a time unless `limit` says otherwise), newest first; with
   * `direction: 'newer'`, those before `cursor`, the nearest first (none when the cursor is null).
   */
  all<const Included extends Names<Embeds> = []>(
    options?: AllOptions<Included> & Filters,
  ): AsyncIterableIterator<With<Entity, Embeds, Included>>
}

export interface Creates<Entity, Body> {
  /** Creates an entity under your own id. The same call again returns the same entity; other content is a 409. */
  create(body: Body, options?: CallOptions): Promise<Entity>
}

export interface Retrieves<Entity, Embeds> {
  /** One entity, by the service's id or your own. */
  retrieve<const Included extends Names<Embeds> = []>(
    id: string | number,
    options?: IncludeOptions<Included>,
  ): Promise<With<Entity, Embeds, Included>>
}

export interface Updates<Entity, Changes> {
  /** Changes the fields that are given; null clears one, `metadata` is replaced as a whole. */
  update(id: string | number, changes: Changes, options?: CallOptions): Promise<Entity>
  /** Replaces name and email by placeholders and erases description and phone, for ever. */
  anonymise(id: string | number, options?: CallOptions): Promise<Entity>
}
