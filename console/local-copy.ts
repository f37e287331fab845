import { deleteDB, openDB } from 'idb'
import type { Changes } from '../client/index.ts'
import type { Invoice } from './analytics.ts'
import type { Entity } from './contract.ts'
import type { Session } from './session.ts'

/** How far a list has been read. */
export interface Bookmark {
  /** The time of the latest change that has been read, in seconds: the next walk begins with it. */
  readonly since: number
  /** Whether a walk has ever come to its end. */
  readonly complete: boolean
}

/** The copy of a list. */
export interface ListCopy {
  bookmark(): Promise<Bookmark>
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

/** The lists that the answers need, and what they embed. */
const copied = { customers: 'external_id', invoices: 'line_items,price,discounts' } as const
const plurals = Object.keys(copied) as (keyof typeof copied)[]
const BOOKMARKS = 'bookmarks'

export type Application = Pick<Session, 'baseUrl' | 'appId'>
const nameOf = ({ baseUrl, appId }: Application): string => `billing ${baseUrl} ${appId}`

/** Deletes the copy of an application's lists. */
export const forgetCopy = (of: Application): Promise<void> => deleteDB(nameOf(of))

/** Opens the copy of an application's lists in this browser. It can be deleted at any time and read again. */
export const openCopy = async (session: Session) => {
  const database = await openDB(nameOf(session), 1, {
    upgrade(created) {
      for (const plural of plurals) created.createObjectStore(plural, { keyPath: 'id' })
      created.createObjectStore(BOOKMARKS)
    },
    // Another tab forgets the copy.
    blocking: () => database.close(),
  })
  const listOf = (plural: string): ListCopy => ({
    bookmark: async () => (await database.get(BOOKMARKS, plural)) ?? { since: 0, complete: false },
    write: async (page, after) => {
      const writing = database.transaction([plural, BOOKMARKS], 'readwrite')
      for (const entity of page) writing.objectStore(plural).put(entity)
      writing.objectStore(BOOKMARKS).put(after, plural)
      await writing.done
    },
  })
  return {
    /** Returns what is in the copy, and whether both lists have been read to their end. */
    read: async () => {
      const customers: readonly Entity[] = await database.getAll('customers')
      const invoices: readonly Invoice[] = await database.getAll('invoices')
      const bookmarks = await Promise.all(plurals.map((plural) => listOf(plural).bookmark()))
      return { customers, invoices, complete: bookmarks.every(({ complete }) => complete) }
    },
    /** Brings both lists up to date at the same time. */
    update: (signal: AbortSignal, onPage: (read: number) => void) =>
      Promise.all(
        plurals.map((plural) => {
          const changes = (since: number) =>
            session.api[plural]!.changes({ since, include: copied[plural], signal })
          return updateCopy(listOf(plural), changes, onPage)
        }),
      ),
    close: () => database.close(),
  }
}

export type LocalCopy = Awaited<ReturnType<typeof openCopy>>
export type Copied = Awaited<ReturnType<LocalCopy['read']>>
