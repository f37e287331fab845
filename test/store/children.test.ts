import { budget, withinBudget } from '../../shared/budget.ts'
import { setClock } from '../../shared/clock.ts'
import { price } from '../../shared/resources/price.ts'
import { product } from '../../shared/resources/product.ts'
import { childrenOf } from '../../shared/store/children.ts'
import { listEntities } from '../../shared/store/lists.ts'
import { priceBody, productBody } from '../support/bodies.ts'
import { upTo } from '../support/lists.ts'
import { recordPrices } from '../support/record-prices.ts'
import { newClient, serveForTests } from '../support/service.ts'
import { grow } from '../support/shards.ts'

serveForTests()
afterAll(() => setClock())

it.each([1, 8])(
  'reads all children of each parent, newest first, in either order of the page, from %d shards',
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
    for (const window of windows)
      for (const parents of [window, window.toReversed()]) {
        const children = await childrenOf({ app, shards, child: price, parents })
        const found = parents.map(({ order }) => children.get(order)?.map(({ id }) => id))
        expect(found).toEqual(parents.map(({ id }) => expected.get(id)))
      }
  },
)

it('reads children for half of the time of a request at most, but always those of the first parent', async () => {
  const client = await newClient()
  const app = client.credentials.app_id
  for (const count of [10, 600, 10, 1_100, 5]) {
    const { id } = await client.create('/api/products', productBody())
    await recordPrices(client, id, count)
  }
  const page = { limit: 100, position: undefined }
  const { items: all } = await listEntities({ app, shards: 1, resource: product }, page)
  const countsOf = (parents: typeof all, millis: number) =>
    withinBudget(budget.early + millis, async () => {
      const children = await childrenOf({ app, shards: 1, child: price, parents })
      return parents.map(({ order }) => children.get(order)?.length)
    })
  const late = budget.request / 2 - 1
  expect(await countsOf(all, budget.request)).toEqual([5, 1_100, 10, 600, 10])
  expect(await countsOf(all, late)).toEqual([5, undefined, undefined, undefined, undefined])
  expect(await countsOf(all.slice(1), late)).toEqual([1_100, 10, 600, 10])
  expect(await countsOf(all.toReversed(), late)).toEqual([10, 600, 10, undefined, undefined])
})

it('finds no children of no parents', async () => {
  expect(await childrenOf({ app: 'app_x', shards: 8, child: price, parents: [] })).toEqual(new Map())
})
