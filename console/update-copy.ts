import type { Changes } from '../client/index.ts'
import type { Entity } from './contract.ts'

/** How far a list has been read. */
export interface Bookmark {
  /** The time of the latest change that has been read, in seconds: the next walk begins with it. */
  readonly since: number
  /** Whether a walk has ever come to its end. */
  readonly complete: boolean
}

/** The copy of a list in this browser. It can be deleted at any time and read again. */
export interface ListCopy {
  bookmark(): Promise<Bookmark>
  entities(): Promise<Entity[]>
  /** Writes a page together with the bookmark after it, or neither. */
  write(page: readonly Entity[], after: Bookmark): Promise<void>
}

/**
 * Brings the copy of a list up to date, from the last page that it has, and calls `onPage` with the number of entities of
 * each page once it is kept. `changes` returns the pages since a time. Rejects with what a request or a write rejects with.
 */
export const updateCopy = async (
  copy: ListCopy,
  changes: (since: number) => AsyncIterator<Changes<Entity>, undefined>,
  onPage: (read: number) => void,
): Promise<void> => {
  let { since, complete } = await copy.bookmark()
  const pages = changes(since)
  let next = await pages.next()
  while (!next.done) {
    const { items, bookmark } = next.value
    since = bookmark
    // The next page is on its way while this one is written.
    const [following] = await Promise.all([pages.next(), copy.write(items, { since, complete })])
    onPage(items.length)
    next = following
  }
  complete = true
  await copy.write([], { since, complete })
}
