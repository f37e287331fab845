import { BillingApiError } from '../../client/index.ts'
import type { Entity, Operations } from '../../console/api.ts'
import type { Bookmark, LocalCopy } from '../../console/local-copy.ts'
import { update } from '../../console/update-copy.ts'

/** A copy in memory, whose writes are the same steps as in a browser. */
const copyInMemory = () => {
  const kept = new Map<string, Entity>()
  const state: { bookmark: Bookmark } = {
    bookmark: { since: 0, cursor: null, reached: 0, complete: false },
  }
  const copy = {
    bookmark: async () => state.bookmark,
    write: async (_: string, page: readonly Entity[], after: Bookmark) => {
      for (const entity of page) kept.set(entity.id, entity)
      state.bookmark = after
    },
  } as unknown as LocalCopy
  return { copy, kept, state }
}

/** The pages of a walk by what changed, by their cursors. */
type Pages = Readonly<
  Record<string, { readonly items: readonly object[]; readonly next_cursor: string | null }>
>

/** A list of these pages, which records what it is asked for. */
const listOf = (pages: Pages) => {
  const asked: object[] = []
  const list = (async ({ signal: _, ...options }: { signal: unknown; cursor: string | null }) => {
    asked.push(options)
    const page = pages[options.cursor ?? 'first']
    if (!page) throw new BillingApiError('no such cursor', { status: 422 })
    return page
  }) as unknown as Operations['list']
  return { list, asked }
}

const invoices = { plural: 'invoices', include: 'line_items', hasChangedSince: true }
const a = { id: 'a', changed: 10 }
const b = { id: 'b', changed: 20 }
const all = { first: { items: [a], next_cursor: 'second' }, second: { items: [b], next_cursor: null } }

const run = ({ copy, list, signal }: { copy: LocalCopy; list: Operations['list']; signal?: AbortSignal }) =>
  update(invoices, { copy, list, signal: signal ?? new AbortController().signal, onPage: () => undefined })

describe('the copy in the browser', () => {
  it('is read to the end, and then from the last second that it has', async () => {
    const { copy, kept, state } = copyInMemory()
    const { list, asked } = listOf(all)
    await run({ copy, list })
    expect([...kept.keys()]).toEqual(['a', 'b'])
    expect(state.bookmark).toEqual({ since: 20, cursor: null, reached: 20, complete: true })
    await run({ copy, list: listOf({ first: { items: [], next_cursor: null } }).list })
    expect(state.bookmark).toMatchObject({ since: 20, complete: true })
    const every = { include: 'line_items', limit: 100, changed_since: 0 }
    expect(asked).toEqual([
      { ...every, cursor: null },
      { ...every, cursor: 'second' },
    ])
  })

  it('goes on where it was stopped, with the same start', async () => {
    const { copy, kept, state } = copyInMemory()
    const stop = new AbortController()
    const { list: first } = listOf(all)
    const stopping = ((options: never) => {
      stop.abort()
      return first(options)
    }) as Operations['list']
    await expect(run({ copy, list: stopping, signal: stop.signal })).rejects.toThrow()
    expect([[...kept.keys()], state.bookmark.cursor]).toEqual([['a'], 'second'])
    const { list, asked } = listOf(all)
    await run({ copy, list })
    expect([...kept.keys()]).toEqual(['a', 'b'])
    expect(asked).toMatchObject([{ cursor: 'second', changed_since: 0 }])
  })

  it('begins the walk again if the service refuses where it stopped', async () => {
    const { copy, kept, state } = copyInMemory()
    state.bookmark = { since: 5, cursor: 'old', reached: 10, complete: false }
    const { list, asked } = listOf(all)
    await run({ copy, list })
    expect([...kept.keys()]).toEqual(['a', 'b'])
    expect(asked).toMatchObject([
      { cursor: 'old' },
      { cursor: null, changed_since: 5 },
      { cursor: 'second', changed_since: 5 },
    ])
  })

  it('has no gap if a page fails, and reports why', async () => {
    const { copy, state } = copyInMemory()
    const { list } = listOf({ first: { items: [a], next_cursor: 'lost' } })
    const failing = ((options: { cursor: string | null }) =>
      options.cursor
        ? Promise.reject(new BillingApiError('lost', { status: 0 }))
        : list(options)) as Operations['list']
    await expect(run({ copy, list: failing })).rejects.toThrow('lost')
    expect(state.bookmark).toMatchObject({ cursor: 'lost', reached: 10, complete: false })
  })
})
