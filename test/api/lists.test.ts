import { catalogue } from '../../shared/catalogue.ts'
import { productBody } from '../support/bodies.ts'
import { backward, forward, inParallel, pageAt } from '../support/lists.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'
import { record } from '../support/tenants.ts'

serveForTests()

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

it('a list is paged forward and back without loss, repetition or empty page, for any size and limit', async () => {
  const client = await newClient()
  const newestFirst: string[] = []
  for (let size = 0; size <= 101; size += 1) {
    if (size > 0) newestFirst.unshift((await client.create('/api/products', productBody())).id)
    for (const limit of [1, 7, 100])
      if ([limit - 1, limit, limit + 1, 2 * limit, 2 * limit + 1, 3 * limit].includes(size))
        await expectWalk(client, '/api/products', limit, newestFirst)
  }
  await expectWalk(client, '/api/products', 37, newestFirst)
})

describe('a cursor', () => {
  const lists = catalogue.filter(({ operation }) => operation === 'list').map(({ path }) => path)
  let client: Client
  const cursors = new Map<string, string>()
  beforeAll(async () => {
    client = await newClient()
    for (const mark of ['', ' 2']) await record(client, mark)
    for (const list of lists) cursors.set(list, (await pageAt(client, list, { limit: 1 })).next!)
  })

  const expectRefused = async (list: string, cursor: string) => {
    const { status, details } = await client.get(`${list}?limit=1&cursor=${encodeURIComponent(cursor)}`)
    expect([status, details]).toEqual([422, [expect.stringMatching(/^cursor must be/)]])
  }

  it.each(lists)('of %s works for no other list', async (own) => {
    const cursor = cursors.get(own)!
    expect((await pageAt(client, own, { limit: 1, cursor })).ids).toHaveLength(1)
    for (const list of lists) if (list !== own) await expectRefused(list, cursor)
  })

  it('is refused if it is forged, truncated or lengthened', async () => {
    const cursor = cursors.get('/api/products')!
    const forged = (cursor[0] === 'A' ? 'B' : 'A') + cursor.slice(1)
    const others = [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, ` ${cursor}`]
    await inParallel([forged, ...others, 'null ', '0', '🙂', 'x'.repeat(5_000)], (text) =>
      expectRefused('/api/products', text),
    )
  })

  it('counts as absent if it is "null" or empty', async () => {
    const first = await pageAt(client, '/api/products')
    for (const query of ['cursor=null', 'cursor=', 'cursor', 'limit=null&cursor=null'])
      expect((await client.get(`/api/products?${query}`)).json.data.products).toEqual(first.items)
  })
})
