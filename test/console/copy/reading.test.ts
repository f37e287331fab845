import { type ListCopy, type ListSource, updateCopy } from '../../../console/copy/reading.ts'
import type { Bookmark, Entity, Plural } from '../../../console/records/entities.ts'
import type { FetchedPage } from '../../../console/records/record-store.ts'
import { databaseInMemory, openInMemory } from './support.ts'

/** The copy of a list, whose writes are the same steps as in a browser, and what its database keeps. */
const copyInMemory = async (bookmark: Bookmark = { since: 0, asOf: 0 }, plural: Plural = 'customers') => {
  const { database, lists, bookmarks } = databaseInMemory()
  bookmarks.set(plural, bookmark)
  const opened = await openInMemory(database)
  const copy: ListCopy = {
    bookmark: async () => opened.bookmark(plural),
    write: (page, after) => opened.write(plural, page, after),
  }
  return { copy, kept: lists[plural], reached: () => bookmarks.get(plural)! }
}

const pageOf = (...items: readonly (Entity & { readonly changed: number })[]) => ({
  items,
  bookmark: items.at(-1)!.changed,
})
type Page = ReturnType<typeof pageOf>
const a = { id: 'a', changed: 10 }
const [b, c] = ['b', 'c'].map((id) => ({ id, changed: 20 })) as [typeof a, typeof a]

/** A list of these pages of what changed, in this order, and these newest pages; an Error is a request that fails. */
const listOf = (
  walked: readonly (Page | Error)[],
  newest: readonly (readonly Entity[])[] = [],
  onTheWay: () => void = () => undefined,
) => {
  const asked: (number | string)[] = []
  const source: ListSource = {
    changes: (since) => {
      asked.push(since)
      const walk = async function* (): AsyncIterator<Page, undefined> {
        for (const page of walked) {
          if (page instanceof Error) throw page
          onTheWay()
          yield page
        }
      }
      return walk()
    },
    async *newest() {
      for (const page of newest) {
        asked.push('newest')
        onTheWay()
        yield page
      }
    },
  }
  return { source, asked }
}

describe('the copy in the browser', () => {
  it('is read to the end, and then from the last second that it has, which may have more', async () => {
    const { copy, kept, reached } = await copyInMemory()
    const read: number[] = []
    await updateCopy(copy, listOf([pageOf(a), pageOf(b)]).source, (more) => read.push(more))
    expect({ kept: [...kept.keys()], read }).toEqual({ kept: ['a', 'b'], read: [1, 1] })
    expect(reached()).toEqual({ since: 20, asOf: expect.any(Number) })
    const { source, asked } = listOf([pageOf({ ...b, name: 'Ann' }, c)])
    await updateCopy(copy, source, () => undefined)
    expect(asked).toEqual([20])
    expect([kept.get('b')?.name, kept.has('c')]).toEqual(['Ann', true])
  })

  it('keeps its place where nothing has changed, and is of the time when the last reading began', async () => {
    const { copy, reached } = await copyInMemory({ since: 20, asOf: 30 })
    const began = Math.floor(Date.now() / 1000)
    await updateCopy(copy, listOf([]).source, () => undefined)
    expect(reached().since).toBe(20)
    expect(reached().asOf).toBeGreaterThanOrEqual(began)
  })

  it.each<[string, Plural, number, string[], number]>([
    // Whoever was updated just before is missing in the walk, wherever they are in the list.
    ['all customers, on the first reading', 'customers', 0, ['a', 'b', 'd', 'e', 'old'], 4],
    ['no customers before those of the last reading', 'customers', 30, ['a', 'b', 'd', 'e'], 3],
    ['further customers, if all of a page have come since', 'customers', 15, ['a', 'b', 'd', 'e', 'old'], 4],
    ['no invoices before those of the walk, as they never change', 'invoices', 0, ['a', 'b', 'd', 'e'], 3],
  ])('has what the service holds back from the walk: %s', async (_, plural, asOf, expected, pages) => {
    const { copy, kept, reached } = await copyInMemory({ since: 0, asOf }, plural)
    const { source, asked } = listOf(
      [pageOf(a), pageOf(b)],
      [[{ id: 'e' }], [{ id: 'd' }, { id: 'b' }], [{ id: 'b' }, { id: 'a' }], [{ id: 'old' }]],
    )
    await updateCopy(copy, source, () => undefined)
    expect([...kept.keys()].sort()).toEqual(expected)
    // Its place is that of the walk.
    expect(reached().since).toBe(20)
    expect(asked).toEqual([0, ...Array.from({ length: pages }, () => 'newest')])
  })

  it('ends the newest customers at those of the last reading, though all have been updated since', async () => {
    const { copy } = await copyInMemory()
    await updateCopy(copy, listOf([pageOf(a), pageOf(b)]).source, () => undefined)
    const changed = Math.floor(Date.now() / 1000) + 60
    const updated = [a, b].map((each) => pageOf({ ...each, changed }))
    const { source, asked } = listOf(updated, [[{ id: 'b' }], [{ id: 'a' }]])
    await updateCopy(copy, source, () => undefined)
    expect(asked).toEqual([20, 'newest'])
  })

  it('knows when each page was asked for, since a save may come before it arrives', async () => {
    let seconds = 100
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => seconds * 1_000)
    const { copy, reached } = await copyInMemory()
    const written: unknown[] = []
    const watched = {
      ...copy,
      write: (page: FetchedPage, after: Bookmark) => {
        written.push([page.items[0]?.id, page.at])
        return copy.write(page, after)
      },
    }
    const { source } = listOf([pageOf(a), pageOf(b)], [[{ id: 'e' }], [{ id: 'd' }]], () => void seconds++)
    await updateCopy(watched, source, () => undefined)
    clock.mockRestore()
    expect(written.slice(0, -1)).toEqual([
      ['a', 100_000],
      ['b', 101_000],
      ['e', 102_000],
      ['d', 103_000],
    ])
    expect(reached()).toEqual({ since: 20, asOf: 100 })
  })

  it('has every page before the one that failed, goes on after them, and reports why', async () => {
    const { copy, kept, reached } = await copyInMemory()
    const walk = updateCopy(copy, listOf([pageOf(a), new Error('lost')]).source, () => undefined)
    await expect(walk).rejects.toThrow('lost')
    expect([[...kept.keys()], reached()]).toEqual([['a'], { since: 10, asOf: 0 }])
  })

  it('is never marked further than what is written', async () => {
    const { copy, reached } = await copyInMemory()
    const full = { ...copy, write: () => Promise.reject(new Error('no space')) }
    const { source } = listOf([pageOf(a), pageOf(b)])
    await expect(updateCopy(full, source, () => undefined)).rejects.toThrow('no space')
    expect(reached()).toEqual({ since: 0, asOf: 0 })
  })
})
