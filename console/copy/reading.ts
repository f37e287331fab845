import type { Bookmark, RecordedEntity } from '../records/entities.ts'
import type { FetchedPage } from '../records/record-store.ts'

export interface ListCopy {
  bookmark(): Promise<Bookmark>
  /**
   * Writes a page, except entities saved since it was requested, and the bookmark after it in one transaction. Returns whether
   * the copy already had the whole page and everything older.
   */
  write(page: FetchedPage, after: Bookmark): Promise<boolean>
}

/** A page of a change feed, and the bookmark after it, in seconds. */
interface ChangesPage {
  readonly items: readonly RecordedEntity[]
  readonly bookmark: number
}

export interface ListSource {
  /** The changes since a time in seconds, in pages, except the changes of the last minutes, which the service holds back. */
  changes(since: number): AsyncIterator<ChangesPage, undefined>
  /** Returns all entities in pages, the newest first. Nothing is held back. */
  newest(): AsyncIterable<readonly RecordedEntity[]>
}

const readChanges = async (
  copy: ListCopy,
  source: ListSource,
  onPage: (entityCount: number) => void,
): Promise<Bookmark> => {
  let { since, asOf } = await copy.bookmark()
  const pages = source.changes(since)
  let requestedAt = Date.now()
  let next = await pages.next()
  while (!next.done) {
    const { items, bookmark } = next.value
    since = bookmark
    const page = { items, requestedAt }
    requestedAt = Date.now()
    // Requests the next page while this page is written.
    const [following] = await Promise.all([pages.next(), copy.write(page, { since, asOf })])
    onPage(items.length)
    next = following
  }
  return { since, asOf }
}

/**
 * Reads the changes since the bookmark, then the newest pages until the copy has everything older. Calls `onPage` with the
 * number of entities of each stored page.
 */
export const updateCopy = async (
  copy: ListCopy,
  source: ListSource,
  onPage: (entityCount: number) => void,
): Promise<void> => {
  const startedAt = Math.floor(Date.now() / 1000)
  const bookmark = await readChanges(copy, source, onPage)
  let requestedAt = Date.now()
  for await (const items of source.newest()) {
    const hadAll = await copy.write({ items, requestedAt }, bookmark)
    if (hadAll) break
    onPage(items.length)
    requestedAt = Date.now()
  }
  await copy.write({ items: [], requestedAt }, { since: bookmark.since, asOf: startedAt })
}
