import { customerBody, discountBody, invoiceBody, priceBody, productBody } from '../support/bodies.ts'
import { backward, forward, inParallel, pageAt, upTo } from '../support/lists.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

const lists = ['products', 'prices', 'customers', 'discounts', 'invoices', 'subscriptions']

/** Pages through a list to its end and back with `limit`, and expects exactly `newestFirst`. */
const expectWalk = async (client: Client, path: string, limit: number, newestFirst: readonly string[]) => {
  const there = await forward(client, path, { limit })
  expect(there.flatMap(({ ids }) => ids)).toEqual(newestFirst)
  expect(there.slice(0, -1).every(({ ids }) => ids.length === limit)).toBe(true)
  expect(there.at(-1)!.ids.length > 0 || newestFirst.length === 0).toBe(true)
  expect(there.map(({ previous }) => previous !== null)).toEqual(there.map((_, index) => index > 0))
  const last = there.at(-1)!
  const back = await backward(client, path, { limit }, last)
  expect([...back].reverse().flatMap(({ ids }) => ids)).toEqual(
    newestFirst.slice(0, -last.ids.length || undefined),
  )
  expect(back.every(({ more, ids }) => more && ids.length > 0)).toBe(true)
  expect(back.slice(0, -1).every(({ ids }) => ids.length === limit)).toBe(true)
}

describe('a list', () => {
  it('is paged forward and back without loss, repetition or empty page, for any size and limit', async () => {
    const client = await newClient()
    const newestFirst: string[] = []
    const limitsAt = (size: number) => [
      ...(size <= 3 ? [1] : []),
      ...(size <= 21 && [0, 1, 6, 7, 8, 13, 14, 15, 20, 21].includes(size) ? [7] : []),
      ...[99, 100].filter((limit) =>
        [limit - 1, limit, limit + 1, 2 * limit, 2 * limit + 1, 3 * limit].includes(size),
      ),
    ]
    for (let size = 0; size <= 300; size += 1) {
      if (size > 0) newestFirst.unshift((await client.create('/api/products', productBody())).id)
      for (const limit of limitsAt(size)) await expectWalk(client, '/api/products', limit, newestFirst)
    }
    await expectWalk(client, '/api/products', 37, newestFirst)
  })

  it('continues at the cursor after entities are written before it', async () => {
    const client = await newClient()
    const create = async () => (await client.create('/api/customers', customerBody())).id as string
    const old = [await create(), await create(), await create(), await create(), await create()].reverse()
    const first = await pageAt(client, '/api/customers', { limit: 2 })
    const recent = [await create(), await create(), await create()].reverse()
    const second = await pageAt(client, '/api/customers', { limit: 2, cursor: first.next })
    expect(second.ids).toEqual(old.slice(2, 4))
    const third = await pageAt(client, '/api/customers', { limit: 2, cursor: second.next })
    expect([third.ids, third.next]).toEqual([old.slice(4), null])
    // Now there are entities before the former first page.
    const back = await pageAt(client, '/api/customers', { limit: 2, cursor: second.previous })
    expect(back.ids).toEqual(old.slice(0, 2))
    const before = await pageAt(client, '/api/customers', { limit: 2, cursor: back.previous })
    expect(before.ids).toEqual(recent.slice(1))
    const top = await pageAt(client, '/api/customers', { limit: 2, cursor: before.previous })
    expect([top.ids, top.previous]).toEqual([recent.slice(0, 1), null])
  })

  it('keeps its order when entities are updated', async () => {
    const client = await newClient()
    const bodies = [customerBody(), customerBody(), customerBody()]
    for (const body of bodies) await client.create('/api/customers', body)
    const { ids } = await pageAt(client, '/api/customers')
    await client.put(`/api/customers/${ids[2]}`, { ...bodies[0], name: 'Other' })
    await client.put(`/api/customers/${ids[1]}`)
    expect((await pageAt(client, '/api/customers')).ids).toEqual(ids)
  })

  it('accepts any limit with any cursor', async () => {
    const client = await newClient()
    await inParallel(upTo(12), () => client.create('/api/discounts', discountBody()))
    const { ids } = await pageAt(client, '/api/discounts', { limit: 100 })
    const first = await pageAt(client, '/api/discounts', { limit: 3 })
    const second = await pageAt(client, '/api/discounts', { limit: 8, cursor: first.next })
    expect(second.ids).toEqual(ids.slice(3, 11))
    const back = await pageAt(client, '/api/discounts', { limit: 2, cursor: second.previous })
    expect([back.ids, back.previous !== null]).toEqual([ids.slice(1, 3), true])
  })

  it('contains concurrently created entities once each', async () => {
    const client = await newClient()
    const created = await Promise.all(upTo(60).map(() => client.create('/api/customers', customerBody())))
    const pages = await forward(client, '/api/customers', { limit: 7 })
    expect(pages.flatMap(({ ids }) => ids).sort()).toEqual(created.map(({ id }) => id).sort())
  })
})

describe('a cursor', () => {
  /** Creates an application with two entities of each kind. Returns a cursor of each list. */
  const withCursors = async () => {
    const client = await newClient()
    const product = await client.create('/api/products', productBody())
    await client.create('/api/products', productBody())
    const customer = await client.create('/api/customers', customerBody())
    await client.create('/api/customers', customerBody())
    for (const _ of [1, 2]) {
      await client.create('/api/prices', priceBody({ product_id: product.id }))
      await client.create('/api/discounts', discountBody())
      await client.create('/api/invoices', invoiceBody({ customer_id: customer.id }))
    }
    const entries = await Promise.all(
      lists.map(
        async (list) => [list, (await pageAt(client, `/api/${list}`, { limit: 1 })).next as string] as const,
      ),
    )
    return { client, cursors: new Map(entries) }
  }

  const expectRefused = async (client: Client, list: string, cursor: string) => {
    const { status, details } = await client.get(`/api/${list}?limit=1&cursor=${encodeURIComponent(cursor)}`)
    expect([status, details]).toEqual([422, [expect.stringMatching(/^cursor must be/)]])
  }

  it('works only for its list and its application', async () => {
    const [mine, theirs] = [await withCursors(), await withCursors()]
    for (const { client, cursors } of [mine, theirs])
      for (const list of lists)
        for (const owner of [mine, theirs])
          for (const [of, cursor] of owner.cursors) {
            if (cursors.get(list) === cursor)
              expect((await pageAt(client, `/api/${list}`, { limit: 1, cursor })).ids).toHaveLength(1)
            else if (of === list || owner === mine) await expectRefused(client, list, cursor)
          }
  })

  it('is refused if it is forged, truncated or lengthened', async () => {
    const { client, cursors } = await withCursors()
    const cursor = cursors.get('products')!
    const forged = upTo(cursor.length).map(
      (index) => cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1),
    )
    const others = [
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      ` ${cursor}`,
      'null ',
      '0',
      '🙂',
      'x'.repeat(5_000),
    ]
    await inParallel([...forged, ...others], (text) => expectRefused(client, 'products', text))
  })

  it('counts as absent if it is "null" or empty', async () => {
    const { client } = await withCursors()
    const first = await pageAt(client, '/api/products')
    for (const query of ['cursor=null', 'cursor=', 'cursor', 'limit=null&cursor=null'])
      expect((await client.get(`/api/products?${query}`)).json.data.products).toEqual(first.items)
  })
})
