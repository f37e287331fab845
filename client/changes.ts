import type { Changes, ChangesOptions, ListOptions, Page } from './operations.ts'
import { encodedId } from './request.ts'

type Includes = readonly string[]

/** Iterates over the pages of what was recorded or changed, each with the bookmark after it. */
export async function* changes<Entity extends { readonly changed: number }>(
  list: (options: ListOptions<Includes> & { changed_since: unknown }) => Promise<Page<Entity>>,
  { since, ...options }: ChangesOptions<Includes>,
): AsyncIterableIterator<Changes<Entity>> {
  // Without `since`, the list would contain everything, newest first.
  encodedId(since, 'since')
  let cursor: string | null = null
  do {
    const page: Page<Entity> = await list({ limit: 100, ...options, changed_since: since, cursor })
    const last = page.items.at(-1)
    if (last) yield { items: page.items, bookmark: last.changed }
    cursor = page.next_cursor
  } while (cursor !== null)
}
