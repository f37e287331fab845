import { financeOf } from '../figures/finance.ts'
import { overviewOf } from '../figures/overview.ts'
import { csvOfRanking } from '../figures/ranking.ts'
import { csvOfStatement, customerOf, statementOf } from '../lists/customer.ts'
import type { ListQuery } from '../lists/list-query.ts'
import { csvOf, listOf } from '../lists/lists.ts'
import { planOf, planSubscriptions, plansOf } from '../lists/plan.ts'
import { searchIn } from '../lists/search.ts'
import { subscriptionOf } from '../lists/subscription.ts'
import { type Bookmark, type Entity, type Plural, plurals } from '../records/entities.ts'
import { createRecordStore, type FetchedPage, type RecordStore } from '../records/record-store.ts'
import { type Snapshot, snapshotOf } from '../records/snapshot.ts'
import { UTC } from '../text/time-zone.ts'

const answers = {
  overview: overviewOf,
  finance: financeOf,
  search: searchIn,
  customer: customerOf,
  statement: statementOf,
  subscription: subscriptionOf,
  plan: (snapshot: Snapshot, key: string) => ({
    currencies: planOf(snapshot, key),
    subscriptions: planSubscriptions(snapshot, key),
  }),
  plans: (snapshot: Snapshot, _: undefined) => plansOf(snapshot),
  list: listOf,
  // A blob reaches the page without being copied, which would block it: all invoices are many megabytes.
  csv: (snapshot: Snapshot, query: ListQuery) => new Blob([csvOf(snapshot, query)]),
  statementCsv: (snapshot: Snapshot, query: Parameters<typeof csvOfStatement>[1]) =>
    new Blob([csvOfStatement(snapshot, query)]),
  ranking: (snapshot: Snapshot, query: Parameters<typeof csvOfRanking>[1]) =>
    new Blob([csvOfRanking(snapshot, query)]),
}

export type Question = keyof typeof answers
/** What a question asks for. */
export type QueryOf<Name extends Question> = Parameters<(typeof answers)[Name]>[1]
export type Answer<Name extends Question> = ReturnType<(typeof answers)[Name]>

/** How much the copy has, and the time of which both lists are complete, in seconds; 0 until they are. */
export interface Extent {
  readonly customers: number
  readonly invoices: number
  readonly asOf: number
}

/** What a tab saved, as it tells the others. */
interface Saved {
  readonly plural: Plural
  readonly entity: Entity
  /** See `save`. */
  readonly at: number
}

/** Another tab's saves, as `BroadcastChannel` delivers them. */
export interface Tabs {
  postMessage(saved: Saved): void
  onmessage: ((event: { readonly data: Saved }) => unknown) | null
}

/** The lists as the browser stores them. */
export interface Database {
  /** Returns the entities of a list in batches, so that never all of them are in memory twice. */
  all(plural: Plural): AsyncIterable<readonly Entity[]>
  bookmark(plural: Plural): Promise<Bookmark>
  /** Writes entities together with the bookmark after them, if it has moved, or neither. */
  write(plural: Plural, items: readonly Entity[], after?: Bookmark): Promise<void>
}

interface LocalCopyOptions {
  readonly database: Database
  readonly tabs: Tabs
  readonly changed: () => void
}

const load = async (database: Database, store: RecordStore) => {
  const bookmarks = {} as Record<Plural, Bookmark>
  for (const plural of plurals) {
    // Before the entities, which another tab may be reading at the same time.
    bookmarks[plural] = await database.bookmark(plural)
    for await (const batch of database.all(plural)) store.load(plural, batch)
  }
  return bookmarks
}

/** Opens the copy: stores what is read in memory and in the browser's database, and answers from memory. */
export const openLocalCopy = async ({ database, tabs, changed }: LocalCopyOptions) => {
  const store = createRecordStore()
  // Before anything is read: what another tab saves meanwhile may be read as it was.
  tabs.onmessage = ({ data: { plural, entity, at } }) => {
    store.save(plural, entity, at)
    changed()
  }
  const bookmarks = await load(database, store)
  const asOf = () => Math.min(...plurals.map((plural) => bookmarks[plural].asOf))
  let latest: { readonly version: string; readonly snapshot: Snapshot } | undefined
  const snapshotIn = (timeZone: string): Snapshot => {
    const version = `${store.version()} ${asOf()} ${timeZone}`
    if (latest?.version !== version) latest = { version, snapshot: snapshotOf(store, asOf(), timeZone) }
    return latest.snapshot
  }
  return {
    extent: (): Extent => ({ ...store.sizes(), asOf: asOf() }),
    bookmark: (plural: Plural): Bookmark => bookmarks[plural],
    write: async (plural: Plural, page: FetchedPage, after: Bookmark): Promise<boolean> => {
      // A walk omits entities that were just updated, wherever they are in the list. Of the invoices, which never change, it
      // omits only the newest. So the first reading also reads the whole lists of all others, which are far shorter.
      const until = plural === 'invoices' ? Number.POSITIVE_INFINITY : bookmarks[plural].asOf
      const hadAll = store.hasWalked(plural, page.items, until)
      await database.write(plural, store.take(plural, page), after)
      bookmarks[plural] = after
      return hadAll
    },
    /**
     * Stores an entity that a save, an erasure or a single read has returned. `at` is when the read was requested, in
     * milliseconds: entities that were requested earlier do not replace it.
     */
    save: async (plural: Plural, entity: Entity, at = Date.now()): Promise<void> => {
      const whole = store.save(plural, entity, at)
      if (!whole) return
      tabs.postMessage({ plural, entity: whole, at })
      await database.write(plural, [whole])
    },
    /** Answers a question, with months and dates in a time zone. */
    answer: <Name extends Question>(
      question: Name,
      query: QueryOf<Name>,
      timeZone: string = UTC,
    ): Answer<Name> => {
      const answer = answers[question] as (snapshot: Snapshot, query: QueryOf<Name>) => Answer<Name>
      return answer(snapshotIn(timeZone), query)
    },
  }
}

export type LocalCopy = Awaited<ReturnType<typeof openLocalCopy>>
