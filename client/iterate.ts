import type {
  AllOptions,
  ApiResponse,
  Call,
  Changes,
  ChangesOptions,
  ListOptions,
  Page,
} from './operations.ts'
import { encodedId } from './request.ts'

type Includes = readonly string[]

/** Yields the entities of a list, which it reads page by page. After an abort, it throws instead of yielding the next entity. */
export async function* iterateAll<Entity>(
  list: (options: ListOptions<Includes>) => Promise<Page<Entity>>,
  { direction, ...options }: AllOptions<Includes>,
): AsyncIterableIterator<Entity> {
  const isNewer = direction === 'newer'
  let cursor = options.cursor ?? null
  if (isNewer && !cursor) return
  do {
    const page = await list({ limit: 100, ...options, cursor })
    for (const entity of isNewer ? page.items.reverse() : page.items) {
      options.signal?.throwIfAborted()
      yield entity
    }
    cursor = isNewer ? page.previous_cursor : page.next_cursor
  } while (cursor !== null)
}

/** Yields the pages of the entities that were created or changed since a time, each with the `since` of the next call. */
export async function* iterateChanges<Entity extends { readonly changed: number }>(
  list: (options: ListOptions<Includes> & { changed_since: unknown }) => Call<Page<Entity>>,
  { since, ...options }: ChangesOptions<Includes>,
): AsyncIterableIterator<Changes<Entity>> {
  // Without `since`, the list would contain everything, newest first.
  encodedId(since, 'since')
  let cursor: string | null = null
  do {
    const response = list({ limit: 100, ...options, changed_since: since, cursor }).withResponse()
    const { data, headers }: ApiResponse<Page<Entity>> = await response
    const last = data.items.at(-1)
    const heldBack = headers.get('changes-held-back')
    if (last)
      yield { items: data.items, bookmark: last.changed, heldBack: heldBack ? Number(heldBack) : undefined }
    cursor = data.next_cursor
  } while (cursor !== null)
}
