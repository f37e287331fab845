import { type ListCopy, type ListSource, updateCopy } from '../../../console/copy/reading.ts'
import type { Bookmark, CopiedList, RecordedEntity } from '../../../console/records/entities.ts'
import type { FetchedPage } from '../../../console/records/record-store.ts'
import { range } from '../../support/range.ts'
import { databaseInMemory, openInMemory } from './copy-in-memory.ts'

/** Returns the copy of a list as it is in a browser, and what its database, in memory, stores. */
const copyInMemory = async (bookmark: Bookmark = { since: 0, asOf: 0 }, plural: CopiedList = 'customers') => {
  const { database, lists, bookmarks } = databaseInMemory()
  bookmarks.set(plural, bookmark)
  const localCopy = await openInMemory(database)
  const copy: ListCopy = {
    bookmark: async () => localCopy.bookmark(plural),
    write: (page, after) => localCopy.write(plural, page, after),
  }
  return { copy, stored: lists[plural], storedBookmark: () => bookmarks.get(plural)! }
}

/** Returns a page of changes. */
const pageOf = (...items: readonly (RecordedEntity & { readonly changed: number })[]) => ({
  items,
  bookmark: items.at(-1)!.changed,
})
type Page = ReturnType<typeof pageOf>
const a = { id: 'a', changed: 10 }
const b = { id: 'b', changed: 20 }
const c = { id: 'c', changed: 20 }

interface GeneratedList {
  /** The pages of its changes, oldest first. The request for an Error fails. */
  readonly changes: readonly (Page | Error)[]
  /** Its pages, newest first. */
  readonly newest?: readonly (readonly RecordedEntity[])[]
  /** Is called while a page is requested. */
  readonly onRequest?: () => void
}

/** Returns a source that serves a list, and its requests: the `since` of a change feed, or "newest" for each newest page. */
const sourceOf = ({ changes, newest = [], onRequest = () => undefined }: GeneratedList) => {
  const requests: (number | string)[] = []
  const source: ListSource = {
    changes: (since) => {
      requests.push(since)
      const feed = async function* (): AsyncIterator<Page, undefined> {
        for (const page of changes) {
          if (page instanceof Error) throw page
          onRequest()
          yield page
        }
      }
      return feed()
    },
    async *newest() {
      for (const page of newest) {
        requests.push('newest')
        onRequest()
        yield page
      }
    },
  }
  return { source, requests }
}

const ignoreProgress = () => undefined

describe('the copy in the browser', () => {
  it('is read to the end, and then again from its last second, in which more may have changed', async () => {
    const { copy, stored, storedBookmark } = await copyInMemory()
    const progress: number[] = []
    const { source: firstSource } = sourceOf({ changes: [pageOf(a), pageOf(b)] })
    await updateCopy(copy, firstSource, (more) => progress.push(more))
    expect([...stored.keys()]).toEqual(['a', 'b'])
    expect(progress).toEqual([1, 1])
    expect(storedBookmark()).toEqual({ since: 20, asOf: expect.any(Number) })
    const { source, requests } = sourceOf({ changes: [pageOf({ ...b, name: 'Ann' }, c)] })
    await updateCopy(copy, source, ignoreProgress)
    expect(requests).toEqual([20])
    expect(stored.get('b')).toMatchObject({ name: 'Ann' })
    expect(stored.has('c')).toBe(true)
  })

  it('keeps its bookmark if nothing has changed, and is as of the start of the last reading', async () => {
    const { copy, storedBookmark } = await copyInMemory({ since: 20, asOf: 30 })
    const start = Math.floor(Date.now() / 1000)
    const { source } = sourceOf({ changes: [] })
    await updateCopy(copy, source, ignoreProgress)
    expect(storedBookmark().since).toBe(20)
    expect(storedBookmark().asOf).toBeGreaterThanOrEqual(start)
  })

  it.each<{ rule: string; plural: CopiedList; asOf: number; expected: string[]; pages: number }>([
    {
      // The change feed omits a customer who was just updated, at any place of the list.
      rule: 'all customers, in the first reading',
      plural: 'customers',
      asOf: 0,
      expected: ['a', 'b', 'd', 'e', 'old'],
      pages: 4,
    },
    {
      rule: 'customers down to those of the last reading',
      plural: 'customers',
      asOf: 30,
      expected: ['a', 'b', 'd', 'e'],
      pages: 3,
    },
    {
      rule: 'further customers, if all of a page changed after the last reading',
      plural: 'customers',
      asOf: 15,
      expected: ['a', 'b', 'd', 'e', 'old'],
      pages: 4,
    },
    {
      rule: 'invoices down to those of the change feed, since invoices never change',
      plural: 'invoices',
      asOf: 0,
      expected: ['a', 'b', 'd', 'e'],
      pages: 3,
    },
  ])(
    'reads the newest pages too, since the service holds changes back: $rule',
    async ({ plural, asOf, expected, pages }) => {
      const { copy, stored, storedBookmark } = await copyInMemory({ since: 0, asOf }, plural)
      const { source, requests } = sourceOf({
        changes: [pageOf(a), pageOf(b)],
        newest: [[{ id: 'e' }], [{ id: 'd' }, { id: 'b' }], [{ id: 'b' }, { id: 'a' }], [{ id: 'old' }]],
      })
      await updateCopy(copy, source, ignoreProgress)
      expect([...stored.keys()].sort()).toEqual(expected)
      // The bookmark is the one of the change feed.
      expect(storedBookmark().since).toBe(20)
      expect(requests).toEqual([0, ...range(pages).map(() => 'newest')])
    },
  )

  it('stops at the newest customers of the last reading, although all have been updated since', async () => {
    const { copy } = await copyInMemory()
    const { source: firstSource } = sourceOf({ changes: [pageOf(a), pageOf(b)] })
    await updateCopy(copy, firstSource, ignoreProgress)
    const changed = Math.floor(Date.now() / 1000) + 60
    const { source, requests } = sourceOf({
      changes: [pageOf({ ...a, changed }), pageOf({ ...b, changed })],
      newest: [[{ id: 'b' }], [{ id: 'a' }]],
    })
    await updateCopy(copy, source, ignoreProgress)
    expect(requests).toEqual([20, 'newest'])
  })

  it('stores when each page was requested, since a save may come before it arrives', async () => {
    let seconds = 100
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => seconds * 1_000)
    const { copy, storedBookmark } = await copyInMemory()
    const written: { id: string | undefined; at: number }[] = []
    const watchedCopy: ListCopy = {
      ...copy,
      write: (page: FetchedPage, after: Bookmark) => {
        written.push({ id: page.items[0]?.id, at: page.requestedAt })
        return copy.write(page, after)
      },
    }
    const { source } = sourceOf({
      changes: [pageOf(a), pageOf(b)],
      newest: [[{ id: 'e' }], [{ id: 'd' }]],
      onRequest: () => {
        seconds += 1
      },
    })
    await updateCopy(watchedCopy, source, ignoreProgress)
    clock.mockRestore()
    // The last write has no page, but the bookmark of the completed reading.
    expect(written.slice(0, -1)).toEqual([
      { id: 'a', at: 100_000 },
      { id: 'b', at: 101_000 },
      { id: 'e', at: 102_000 },
      { id: 'd', at: 103_000 },
    ])
    expect(storedBookmark()).toEqual({ since: 20, asOf: 100 })
  })

  it('has every page before a failed one, and the bookmark after them, and rejects with the reason', async () => {
    const { copy, stored, storedBookmark } = await copyInMemory()
    const { source } = sourceOf({ changes: [pageOf(a), new Error('lost')] })
    await expect(updateCopy(copy, source, ignoreProgress)).rejects.toThrow('lost')
    expect([...stored.keys()]).toEqual(['a'])
    expect(storedBookmark()).toEqual({ since: 10, asOf: 0 })
  })

  it('does not move its bookmark past a page that could not be written', async () => {
    const { copy, storedBookmark } = await copyInMemory()
    const fullCopy = { ...copy, write: () => Promise.reject(new Error('no space')) }
    const { source } = sourceOf({ changes: [pageOf(a), pageOf(b)] })
    await expect(updateCopy(fullCopy, source, ignoreProgress)).rejects.toThrow('no space')
    expect(storedBookmark()).toEqual({ since: 0, asOf: 0 })
  })
})
