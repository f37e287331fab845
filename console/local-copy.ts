import { type IDBPDatabase, openDB } from 'idb'
import type { ListCopy } from './update-copy.ts'

const BOOKMARKS = 'bookmarks'

/** The copy of some lists in this browser. */
export interface LocalCopy {
  readonly lists: Readonly<Record<string, ListCopy>>
  close(): void
}

/** Returns the name of the copy of an application's lists. */
export const copyName = (of: { readonly baseUrl: string; readonly appId: string }): string =>
  `billing ${of.baseUrl} ${of.appId}`

const listCopy = (database: IDBPDatabase, plural: string): ListCopy => ({
  bookmark: async () => (await database.get(BOOKMARKS, plural)) ?? { since: 0, complete: false },
  entities: () => database.getAll(plural),
  write: async (page, after) => {
    const writing = database.transaction([plural, BOOKMARKS], 'readwrite')
    for (const entity of page) writing.objectStore(plural).put(entity)
    writing.objectStore(BOOKMARKS).put(after, plural)
    await writing.done
  },
})

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
  const lists = Object.fromEntries(plurals.map((plural) => [plural, listCopy(database, plural)]))
  return { lists, close: () => database.close() }
}
