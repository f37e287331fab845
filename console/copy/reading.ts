import type { Bookmark, Entity } from '../records/entities.ts'
import type { FetchedPage } from '../records/record-store.ts'

export interface ListCopy {
  bookmark(): Promise<Bookmark>
  /**
   * Writes a page together with the bookmark after it, or neither; what was saved after the page was asked for stays.
   * Returns whether the copy is known to have had the whole page, and everything older.
   */
  write(page: FetchedPage, after: Bookmark): Promise<boolean>
}

export interface ListSource {
  /** Returns the pages of what changed since a time, but for what the service holds back: the changes of the last minutes. */
  changes(
    since: number,
  ): AsyncIterator<{ readonly items: readonly Entity[]; readonly bookmark: number }, undefined>
  /** Returns the pages of all entities, the newest first, of which nothing is held back. */
  newest(): AsyncIterable<readonly Entity[]>
}

const walk = async (
  copy: ListCopy,
  source: ListSource,
  onPage: (read: number) => void,
): Promise<Bookmark> => {
  let { since, asOf } = await copy.bookmark()
  const pages = source.changes(since)
  let at = Date.now()
  let next = await pages.next()
  while (!next.done) {
    const { items, bookmark } = next.value
    since = bookmark
    const page = { items, at }
    at = Date.now()
    // The next page is on its way while this one is written.
    const [following] = await Promise.all([pages.next(), copy.write(page, { since, asOf })])
    onPage(items.length)
    next = following
  }
  return { since, asOf }
}

/**
 * Brings the copy of a list up to date: walks the changes since its bookmark, then reads the newest pages until the copy
 * has everything older. Calls `onPage` with the number of entities of each page once it is kept. Rejects with what a
 * request or a write rejects with.
 */
export const updateCopy = async (
  copy: ListCopy,
  source: ListSource,
  onPage: (read: number) => void,
): Promise<void> => {
  const began = Math.floor(Date.now() / 1000)
  const walked = await walk(copy, source, onPage)
  let at = Date.now()
  for await (const items of source.newest()) {
    const hadAll = await copy.write({ items, at }, walked)
    if (hadAll) break
    onPage(items.length)
    at = Date.now()
  }
  await copy.write({ items: [], at }, { since: walked.since, asOf: began })
}
