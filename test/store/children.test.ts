import { setClock } from '../../shared/clock.ts'
import { price } from '../../shared/resources/price.ts'
import { product } from '../../shared/resources/product.ts'
import { childrenOf, listEntities } from '../../shared/store/lists.ts'
import { priceBody, productBody } from '../support/bodies.ts'
import { upTo } from '../support/lists.ts'
import { recordCalls } from '../support/meter.ts'
import { newClient, serveForTests } from '../support/service.ts'
import { grow } from '../support/shards.ts'

serveForTests()
afterAll(() => setClock())

describe('the children of a page of parents', () => {
  it.each([1, 8])(
    'are the newest of each, wherever one reading ends and the next begins: %d shards',
    async (shards) => {
      const client = await newClient()
      await grow(client, shards)
      const app = client.credentials.app_id
      const counts = [3, 0, 1, 0, 9, 1]
      const expected = new Map<string, string[]>()
      for (const count of counts) {
        const { id } = await client.create('/api/products', productBody())
        const prices: string[] = []
        for (let turn = 0; turn < count; turn += 1)
          prices.unshift((await client.create('/api/prices', priceBody({ product_id: id }))).id)
        expected.set(id, prices)
      }
      const { items: all } = await listEntities(
        { app, shards, resource: product },
        { limit: 100, position: undefined },
      )
      const windows = upTo(all.length).flatMap((start) =>
        upTo(all.length - start).map((more) => all.slice(start, start + more + 1)),
      )
      for (const parents of windows)
        for (const max of [1, 2, 8]) {
          const children = await childrenOf({ app, shards, child: price, parents, max })
          const found = parents.map(({ order }) => children.get(order)?.map(({ id }) => id))
          expect(found).toEqual(parents.map(({ id }) => expected.get(id)?.slice(0, max)))
        }
    },
  )

  it('need one query if the oldest parent has enough of them', async () => {
    const client = await newClient()
    const { id } = await client.create('/api/products', productBody())
    for (const _ of upTo(3)) await client.create('/api/prices', priceBody({ product_id: id }))
    const list = { app: client.credentials.app_id, shards: 1 }
    const page = { limit: 1, position: undefined }
    const { items: parents } = await listEntities({ ...list, resource: product }, page)
    const sent = recordCalls()
    const children = await childrenOf({ ...list, child: price, parents, max: 2 })
    expect([[...children.values()].map(({ length }) => length), sent.length]).toEqual([[2], 1])
  })

  it('of no parents are empty', async () => {
    expect(await childrenOf({ app: 'app_x', shards: 8, child: price, parents: [], max: 100 })).toEqual(
      new Map(),
    )
  })
})
