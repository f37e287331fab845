import type { Changes } from '../../client/index.ts'
import type { Entity } from '../../console/contract.ts'
import { type Bookmark, updateCopy } from '../../console/local-copy.ts'

/** A copy in memory, whose writes are the same steps as in a browser. */
const copyInMemory = () => {
  const kept = new Map<string, Entity>()
  const state: { bookmark: Bookmark } = { bookmark: { since: 0, asOf: 0 } }
  const copy = {
    bookmark: async () => state.bookmark,
    write: async (page: readonly Entity[], after: Bookmark) => {
      for (const entity of page) kept.set(entity.id, entity)
      state.bookmark = after
    },
  }
  return { copy, kept, state }
}

type Page = Changes<Entity>
const pageOf = (...items: Page['items']): Page => ({ items, bookmark: items.at(-1)!.changed })
const [a, b, c] = [
  { id: 'a', changed: 10 },
  { id: 'b', changed: 20 },
  { id: 'c', changed: 20 },
] as const

/** The pages of what changed, in this order; an Error is a request that fails. */
const walkThrough = (...pages: (Page | Error)[]) =>
  async function* (): AsyncIterator<Page, undefined> {
    for (const page of pages) {
      if (page instanceof Error) throw page
      yield page
    }
  }

describe('the copy in the browser', () => {
  it('is read to the end, and then from the last second that it has, which may have more', async () => {
    const { copy, kept, state } = copyInMemory()
    const read: number[] = []
    await updateCopy(copy, walkThrough(pageOf(a), pageOf(b)), (more) => read.push(more))
    expect([[...kept.keys()], read]).toEqual([
      ['a', 'b'],
      [1, 1],
    ])
    expect(state.bookmark).toEqual({ since: 20, asOf: expect.any(Number) })
    const asked: number[] = []
    const changes = (since: number) => {
      asked.push(since)
      return walkThrough(pageOf({ ...b, changed: 20, name: 'Ann' }, c))()
    }
    await updateCopy(copy, changes, () => undefined)
    expect(asked).toEqual([20])
    expect([kept.get('b')?.name, kept.has('c')]).toEqual(['Ann', true])
  })

  it('keeps its place where nothing has changed, and is of the time of the last walk', async () => {
    const { copy, state } = copyInMemory()
    state.bookmark = { since: 20, asOf: 30 }
    const began = Math.floor(Date.now() / 1000)
    await updateCopy(copy, walkThrough(), () => undefined)
    expect(state.bookmark.since).toBe(20)
    expect(state.bookmark.asOf).toBeGreaterThanOrEqual(began)
  })

  it('has every page before the one that failed, goes on after them, and reports why', async () => {
    const { copy, kept, state } = copyInMemory()
    const walk = updateCopy(copy, walkThrough(pageOf(a), new Error('lost')), () => undefined)
    await expect(walk).rejects.toThrow('lost')
    expect([[...kept.keys()], state.bookmark]).toEqual([['a'], { since: 10, asOf: 0 }])
  })

  it('is never marked further than what is written', async () => {
    const { copy, state } = copyInMemory()
    const full = { ...copy, write: () => Promise.reject(new Error('no space')) }
    await expect(updateCopy(full, walkThrough(pageOf(a), pageOf(b)), () => undefined)).rejects.toThrow(
      'no space',
    )
    expect(state.bookmark).toEqual({ since: 0, asOf: 0 })
  })
})
