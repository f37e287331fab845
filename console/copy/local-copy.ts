import { type Bookmark, type CopiedList, copiedLists, type RecordedEntity } from '../records/entities.ts'
import { createRecordStore, type FetchedPage, type RecordStore } from '../records/record-store.ts'
import { type Snapshot, snapshotOf } from '../records/snapshot.ts'
import { UTC } from '../text/time-zone.ts'
import { type Answer, answerFrom, type QueryOf, type Question } from './answers.ts'

/** The size of the copy, and the time in seconds at which all of its lists were complete; 0 until they are. */
export interface Extent {
  readonly customers: number
  readonly invoices: number
  readonly asOf: number
}

interface SaveMessage {
  readonly plural: CopiedList
  readonly entity: RecordedEntity
  /** When the entity was saved, in milliseconds. */
  readonly at: number
}

/** The messages of other tabs, as `BroadcastChannel` delivers them. */
export interface Tabs {
  postMessage(message: SaveMessage): void
  onmessage: ((event: { readonly data: SaveMessage }) => unknown) | null
}

export interface CopyDatabase {
  /** Returns the entities of a list in batches, so that they are never all in memory twice. */
  all(list: CopiedList): AsyncIterable<readonly RecordedEntity[]>
  bookmark(list: CopiedList): Promise<Bookmark>
  /** Writes entities and the bookmark after them, if there is one, in one transaction. */
  write(list: CopiedList, items: readonly RecordedEntity[], after?: Bookmark): Promise<void>
}

interface LocalCopyOptions {
  readonly database: CopyDatabase
  readonly tabs: Tabs
  readonly onOtherTabSave: () => void
}

const loadLists = async (database: CopyDatabase, store: RecordStore) => {
  const bookmarks = {} as Record<CopiedList, Bookmark>
  for (const list of copiedLists) {
    // Read before the entities. Another tab may write at the same time, and a later bookmark could be past entities that are not
    // loaded.
    bookmarks[list] = await database.bookmark(list)
    for await (const batch of database.all(list)) store.load(list, batch)
  }
  return bookmarks
}

/** Opens the copy. It keeps the records in memory and in the browser's database, and answers questions from memory. */
export const openLocalCopy = async ({ database, tabs, onOtherTabSave }: LocalCopyOptions) => {
  const store = createRecordStore()
  // Set before the lists are loaded, so that what another tab saves meanwhile is not lost.
  tabs.onmessage = ({ data: { plural, entity, at } }) => {
    store.save(plural, entity, at)
    onOtherTabSave()
  }
  const bookmarks = await loadLists(database, store)
  const asOf = () => Math.min(...copiedLists.map((list) => bookmarks[list].asOf))
  let latest: { readonly version: string; readonly snapshot: Snapshot } | undefined
  const snapshotIn = (timeZone: string): Snapshot => {
    const version = `${store.version()} ${asOf()} ${timeZone}`
    if (latest?.version !== version) latest = { version, snapshot: snapshotOf(store, asOf(), timeZone) }
    return latest.snapshot
  }
  return {
    extent: (): Extent => ({ ...store.sizes(), asOf: asOf() }),
    bookmark: (list: CopiedList): Bookmark => bookmarks[list],
    /** Writes a page and the bookmark after it. Returns whether the copy already had the whole page and everything older. */
    write: async (list: CopiedList, page: FetchedPage, after: Bookmark): Promise<boolean> => {
      // A change feed omits recent changes. Invoices never change, so it omits only the newest ones, and a page of invoices that the
      // copy has is followed only by pages that it has. Other entities that were just updated can be anywhere in their list.
      // Therefore the first reading also reads these lists as a whole, which are far shorter than the list of invoices.
      const until = list === 'invoices' ? Number.POSITIVE_INFINITY : bookmarks[list].asOf
      const hadAll = store.hasReadChanges(list, page.items, until)
      await database.write(list, store.merge(list, page), after)
      bookmarks[list] = after
      return hadAll
    },
    /**
     * Stores an entity that a save, an erasure or a single read has returned. `at` is when the read was requested, in
     * milliseconds. Pages that were requested earlier do not replace the entity.
     */
    save: async (list: CopiedList, entity: RecordedEntity, at = Date.now()): Promise<void> => {
      const merged = store.save(list, entity, at)
      if (!merged) return
      tabs.postMessage({ plural: list, entity: merged, at })
      await database.write(list, [merged])
    },
    answer: <Name extends Question>(
      question: Name,
      query: QueryOf<Name>,
      timeZone: string = UTC,
    ): Answer<Name> => answerFrom(snapshotIn(timeZone), question, query),
  }
}

export type LocalCopy = Awaited<ReturnType<typeof openLocalCopy>>
