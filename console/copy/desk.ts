import { type Books, booksOf } from './books.ts'
import { customerOf } from './customer.ts'
import { type Bookmark, type Entity, type Plural, plurals } from './entities.ts'
import { openLibrary } from './library.ts'
import { csvOf, type ListQuery, listOf } from './lists.ts'
import { type OverviewQuery, overviewOf } from './overview.ts'
import type { Asked } from './reading.ts'
import { searchIn } from './search.ts'

/** What can be asked of the copy. */
const answers = {
  overview: (books: Books, query: OverviewQuery) => overviewOf(books, query),
  search: (books: Books, typed: string) => searchIn(books, typed),
  customer: (books: Books, id: string) => customerOf(books, id),
  list: (books: Books, query: ListQuery) => listOf(books, query),
  csv: (books: Books, query: ListQuery) => csvOf(books, query),
}

export type Answers = typeof answers
export type Question = keyof Answers
export type Asking<Name extends Question> = Parameters<Answers[Name]>[1]
export type Answer<Name extends Question> = ReturnType<Answers[Name]>

/** How much the copy has, and the time of which both lists are complete, in seconds; 0 until they are. */
export interface Extent {
  readonly customers: number
  readonly invoices: number
  readonly asOf: number
}

/** Saves of one tab, which the others learn of. */
interface Saved {
  readonly plural: Plural
  readonly entity: Entity
}

/** Another tab's saves, as `BroadcastChannel` delivers them. */
export interface Tabs {
  postMessage(saved: Saved): void
  onmessage: ((event: { readonly data: Saved }) => unknown) | null
}

/** What a browser keeps of the lists. */
export interface Kept {
  /** Returns the entities of a list in batches, so that never all of them are in memory twice. */
  all(plural: Plural): AsyncIterable<readonly Entity[]>
  bookmark(plural: Plural): Promise<Bookmark>
  /** Writes entities together with the bookmark after them, if it has moved, or neither. */
  write(plural: Plural, items: readonly Entity[], after?: Bookmark): Promise<void>
}

interface DeskOptions {
  readonly kept: Kept
  readonly tabs: Tabs
  /** Called after another tab saved something. */
  readonly changed: () => void
}

const load = async (kept: Kept) => {
  const library = openLibrary()
  const bookmarks = {} as Record<Plural, Bookmark>
  for (const plural of plurals) {
    // Before the entities, which another tab may be reading at the same time.
    bookmarks[plural] = await kept.bookmark(plural)
    for await (const batch of kept.all(plural)) library.load(plural, batch)
  }
  return { library, bookmarks }
}

/** Opens the copy: takes what is read into memory and into the browser, and answers from memory. */
export const openDesk = async ({ kept, tabs, changed }: DeskOptions) => {
  const { library, bookmarks } = await load(kept)
  const asOf = () => Math.min(...plurals.map((plural) => bookmarks[plural].asOf))
  let books: { readonly version: string; readonly books: Books } | undefined
  const current = (): Books => {
    const version = `${library.version()} ${asOf()}`
    if (books?.version !== version) books = { version, books: booksOf(library, asOf()) }
    return books.books
  }
  tabs.onmessage = ({ data: { plural, entity } }) => {
    library.saved(entity.id, Date.now())
    library.take(plural, { items: [entity], at: Date.now() })
    changed()
  }
  return {
    extent: (): Extent => ({ ...library.sizes(), asOf: asOf() }),
    bookmark: (plural: Plural): Bookmark => bookmarks[plural],
    write: async (plural: Plural, page: Asked, after: Bookmark): Promise<boolean> => {
      const hadAll = library.hasWalked(plural, page.items)
      await kept.write(plural, library.take(plural, page), after)
      bookmarks[plural] = after
      return hadAll
    },
    /** Takes what a save, an erasure or a single read returned: pages that were asked for before do not replace it. */
    save: async (plural: Plural, entity: Entity): Promise<void> => {
      const at = Date.now()
      library.saved(entity.id, at)
      const [whole] = library.take(plural, { items: [entity], at })
      tabs.postMessage({ plural, entity: whole! })
      await kept.write(plural, [whole!])
    },
    answer: <Name extends Question>(question: Name, asking: Asking<Name>): Answer<Name> => {
      const answer = answers[question] as (books: Books, of: Asking<Name>) => Answer<Name>
      return answer(current(), asking)
    },
  }
}

export type Desk = Awaited<ReturnType<typeof openDesk>>
