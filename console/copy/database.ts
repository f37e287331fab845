import { deleteDB, openDB } from 'idb'
import { type Entity, type Plural, plurals } from '../records/entities.ts'
import type { Database } from './local-copy.ts'

const BOOKMARKS = 'bookmarks'
const BATCH = 5_000

export interface Application {
  readonly baseUrl: string
  readonly appId: string
}

const nameOf = ({ baseUrl, appId }: Application): string => `billing ${baseUrl} ${appId}`

/** Deletes the copy of an application's lists. */
export const deleteCopy = (application: Application): Promise<void> => deleteDB(nameOf(application))

/** Opens the copy of an application's lists in this browser. It can be deleted at any time and read again. */
export const openDatabase = async (application: Application): Promise<Database> => {
  const database = await openDB(nameOf(application), 4, {
    upgrade(created) {
      for (const name of created.objectStoreNames) created.deleteObjectStore(name)
      for (const plural of plurals) created.createObjectStore(plural, { keyPath: 'id' })
      created.createObjectStore(BOOKMARKS)
    },
    // Another tab forgets the copy.
    blocking: () => database.close(),
  })
  return {
    async *all(plural: Plural) {
      let after: IDBKeyRange | undefined
      while (true) {
        const batch: Entity[] = await database.getAll(plural, after, BATCH)
        if (batch.length > 0) yield batch
        if (batch.length < BATCH) return
        after = IDBKeyRange.lowerBound(batch.at(-1)!.id, true)
      }
    },
    bookmark: async (plural) => (await database.get(BOOKMARKS, plural)) ?? { since: 0, asOf: 0 },
    write: async (plural, items, after) => {
      const writing = database.transaction([plural, BOOKMARKS], 'readwrite')
      for (const entity of items) writing.objectStore(plural).put(entity)
      if (after) writing.objectStore(BOOKMARKS).put(after, plural)
      await writing.done
    },
  }
}
