import { type IDBPDatabase, openDB } from 'idb'
import type { Entity } from './api.ts'

/** How far a list has been read. */
export interface Bookmark {
  /** The start of the walk under way, or of the next one, in seconds. */
  readonly since: number
  /** The next page of the walk under way; null between walks. */
  readonly cursor: string | null
  /** The time of the latest change that has been read. */
  readonly reached: number
  /** Whether a walk has ever come to its end. */
  readonly complete: boolean
}

const BEGINNING: Bookmark = { since: 0, cursor: null, reached: 0, complete: false }
const BOOKMARKS = 'bookmarks'

/** The copy of some lists in this browser. It can be deleted at any time and read again. */
export interface LocalCopy {
  bookmark(plural: string): Promise<Bookmark>
  entities(plural: string): Promise<Entity[]>
  /** Writes a page together with the bookmark after it, or neither. */
  write(plural: string, page: readonly Entity[], after: Bookmark): Promise<void>
  close(): void
}

/** Opens the copy of an application's lists. */
export const openCopy = async (name: string, plurals: readonly string[]): Promise<LocalCopy> => {
  const database: IDBPDatabase = await openDB(name, 1, {
    upgrade(upgraded) {
      for (const plural of plurals) upgraded.createObjectStore(plural, { keyPath: 'id' })
      upgraded.createObjectStore(BOOKMARKS)
    },
    // Another tab forgets the copy.
    blocking: () => database.close(),
  })
  return {
    bookmark: async (plural) => (await database.get(BOOKMARKS, plural)) ?? BEGINNING,
    entities: (plural) => database.getAll(plural),
    write: async (plural, page, after) => {
      const writing = database.transaction([plural, BOOKMARKS], 'readwrite')
      for (const entity of page) writing.objectStore(plural).put(entity)
      writing.objectStore(BOOKMARKS).put(after, plural)
      await writing.done
    },
    close: () => database.close(),
  }
}
