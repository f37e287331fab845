import type { Bookmark, Entity } from '../../../console/copy/entities.ts'
import { type FetchedPage, type ListSource, updateCopy } from '../../../console/copy/reading.ts'

/** A copy in memory, whose writes are the same steps as in a browser. */
const copyInMemory = () => {
  const kept = new Map<string, Entity>()
  const state: { bookmark: Bookmark } = { bookmark: { since: 0, asOf: 0 } }
  const copy = {
    bookmark: async () => state.bookmark,
    write: async ({ items }: FetchedPage, after: Bookmark) => {
      const hadAll = items.every(({ id }) => kept.get(id)?.changed !== undefined)
      for (const entity of items) kept.set(entity.id, { ...kept.get(entity.id), ...entity })
      state.bookmark = after
      return hadAll
    },
  }
  return { copy, kept, state }
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
    const { copy, kept, state } = copyInMemory()
    const read: number[] = []
    await updateCopy(copy, listOf([pageOf(a), pageOf(b)]).source, (more) => read.push(more))
    expect({ kept: [...kept.keys()], read }).toEqual({ kept: ['a', 'b'], read: [1, 1] })
    expect(state.bookmark).toEqual({ since: 20, asOf: expect.any(Number) })
    const { source, asked } = listOf([pageOf({ ...b, name: 'Ann' }, c)])
    await updateCopy(copy, source, () => undefined)
    expect(asked).toEqual([20])
    expect([kept.get('b')?.name, kept.has('c')]).toEqual(['Ann', true])
  })

  it('keeps its place where nothing has changed, and is of the time when the last reading began', async () => {
    const { copy, state } = copyInMemory()
    state.bookmark = { since: 20, asOf: 30 }
    const began = Math.floor(Date.now() / 1000)
    await updateCopy(copy, listOf([]).source, () => undefined)
    expect(state.bookmark.since).toBe(20)
    expect(state.bookmark.asOf).toBeGreaterThanOrEqual(began)
  })

  it('has what the service holds back from the walk, and its place is that of the walk', async () => {
    const { copy, kept, state } = copyInMemory()
    const { source, asked } = listOf(
      [pageOf(a), pageOf(b)],
      [[{ id: 'e' }], [{ id: 'd' }, { id: 'b' }], [{ id: 'b' }, { id: 'a' }], [{ id: 'older' }]],
    )
    await updateCopy(copy, source, () => undefined)
    expect([...kept.keys()].sort()).toEqual(['a', 'b', 'd', 'e'])
    expect(state.bookmark.since).toBe(20)
    // The pages end where a walk had returned everything.
    expect(asked).toEqual([0, 'newest', 'newest', 'newest'])
  })

  it('knows when each page was asked for, since a save may come before it arrives', async () => {
    let seconds = 100
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => seconds * 1_000)
    const { copy, state } = copyInMemory()
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
    expect(state.bookmark).toEqual({ since: 20, asOf: 100 })
  })

  it('has every page before the one that failed, goes on after them, and reports why', async () => {
    const { copy, kept, state } = copyInMemory()
    const walk = updateCopy(copy, listOf([pageOf(a), new Error('lost')]).source, () => undefined)
    await expect(walk).rejects.toThrow('lost')
    expect([[...kept.keys()], state.bookmark]).toEqual([['a'], { since: 10, asOf: 0 }])
  })

  it('is never marked further than what is written', async () => {
    const { copy, state } = copyInMemory()
    const full = { ...copy, write: () => Promise.reject(new Error('no space')) }
    const { source } = listOf([pageOf(a), pageOf(b)])
    await expect(updateCopy(full, source, () => undefined)).rejects.toThrow('no space')
    expect(state.bookmark).toEqual({ since: 0, asOf: 0 })
  })
})
