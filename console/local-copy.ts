import { deleteDB, openDB } from 'idb'
import type { Changes } from '../client/index.ts'
import type { Invoice } from './analytics.ts'
import type { Entity } from './contract.ts'
import type { Session } from './session.ts'

/** The progress of reading a list. */
export interface Bookmark {
  /** The time of the latest change that has been read, in seconds: the next walk begins with it. */
  readonly since: number
  /** When the last walk that came to its end began, in seconds; 0 if none has. */
  readonly asOf: number
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
  const began = Math.floor(Date.now() / 1000)
  let { since, asOf } = await copy.bookmark()
  const pages = changes(since)
  let next = await pages.next()
  while (!next.done) {
    const { items, bookmark } = next.value
    since = bookmark
    // The next page is on its way while this one is written.
    const [following] = await Promise.all([pages.next(), copy.write(items, { since, asOf })])
    onPage(items.length)
    next = following
  }
  asOf = began
  await copy.write([], { since, asOf })
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
    bookmark: async () => (await database.get(BOOKMARKS, plural)) ?? { since: 0, asOf: 0 },
    write: async (page, after) => {
      const writing = database.transaction([plural, BOOKMARKS], 'readwrite')
      for (const entity of page) writing.objectStore(plural).put(entity)
      writing.objectStore(BOOKMARKS).put(after, plural)
      await writing.done
    },
  })
  return {
    /** Returns what is in the copy, and the time of which it has everything, in seconds; 0 until both lists are complete. */
    read: async () => {
      const customers: readonly Entity[] = await database.getAll('customers')
      const invoices: readonly Invoice[] = await database.getAll('invoices')
      const bookmarks = await Promise.all(plurals.map((plural) => listOf(plural).bookmark()))
      return { customers, invoices, asOf: Math.min(...bookmarks.map(({ asOf }) => asOf)) }
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
