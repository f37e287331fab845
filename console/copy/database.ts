import { deleteDB, openDB } from 'idb'
import { type CopiedList, copiedLists, type RecordedEntity } from '../records/entities.ts'
import type { CopyDatabase } from './local-copy.ts'

const BOOKMARKS = 'bookmarks'
const BATCH = 5_000
const FIELDS = 'fields'
/** The version of the stores. A higher version deletes the copies of earlier versions, which are then read again. */
const VERSION = 5

export interface CopiedApplication {
  readonly baseUrl: string
  readonly appId: string
}

const databaseName = ({ baseUrl, appId }: CopiedApplication): string => `billing ${baseUrl} ${appId}`

export const deleteCopy = (application: CopiedApplication): Promise<void> =>
  deleteDB(databaseName(application))

const openStores = async (application: CopiedApplication) => {
  const database = await openDB(databaseName(application), VERSION, {
    upgrade(upgraded) {
      for (const name of upgraded.objectStoreNames) upgraded.deleteObjectStore(name)
      for (const list of copiedLists) upgraded.createObjectStore(list, { keyPath: 'id' })
      upgraded.createObjectStore(BOOKMARKS)
    },
    // Another tab deletes or upgrades the copy, and waits until this tab has closed it.
    blocking: () => database.close(),
  })
  return database
}

/**
 * Opens the copy of an application's lists, which can be deleted at any time and read again. A copy that was read with other
 * `fields` is deleted.
 */
export const openCopyDatabase = async (
  application: CopiedApplication,
  fields: string,
): Promise<CopyDatabase> => {
  let database = await openStores(application)
  if ((await database.get(BOOKMARKS, FIELDS)) !== fields) {
    database.close()
    // Deleted instead of cleared, so that other tabs, which have records of the other fields in memory, close it.
    await deleteCopy(application)
    database = await openStores(application)
    await database.put(BOOKMARKS, fields, FIELDS)
  }
  return {
    async *all(list: CopiedList) {
      let after: IDBKeyRange | undefined
      while (true) {
        const batch: RecordedEntity[] = await database.getAll(list, after, BATCH)
        if (batch.length > 0) yield batch
        if (batch.length < BATCH) return
        after = IDBKeyRange.lowerBound(batch.at(-1)!.id, true)
      }
    },
    bookmark: async (list) => (await database.get(BOOKMARKS, list)) ?? { since: 0, asOf: 0 },
    write: async (list, items, after) => {
      const transaction = database.transaction([list, BOOKMARKS], 'readwrite')
      for (const entity of items) transaction.objectStore(list).put(entity)
      if (after) transaction.objectStore(BOOKMARKS).put(after, list)
      await transaction.done
    },
  }
}
