import { budget, withinBudget } from '../../shared/budget.ts'
import { price } from '../../shared/resources/price.ts'
import { product } from '../../shared/resources/product.ts'
import { childrenOf } from '../../shared/store/children.ts'
import { listEntities } from '../../shared/store/lists.ts'
import { productBody } from '../support/bodies.ts'
import { recordPrices } from '../support/record-prices.ts'
import { newClient, serveForTests } from '../support/service.ts'

serveForTests()

// list-walks.test.ts and many-prices.test.ts show which children are read.
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
