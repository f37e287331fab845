import { priceBody, productBody } from '../support/bodies.ts'
import { backward, forward, type ListPage, pageAt, upTo } from '../support/lists.ts'
import { newClient, serveForTests } from '../support/service.ts'

serveForTests()

describe('the prices of products', () => {
  it('are complete, newest first, up to 100 each, on pages in either direction', async () => {
    const client = await newClient()
    const counts = [0, 1, 100, 103, 0, 0, 12, 101, 0, 3]
    const products = [] as { id: string; prices: string[] }[]
    for (const _ of counts)
      products.unshift({ id: (await client.create('/api/products', productBody())).id, prices: [] })
    // Prices of all products are created in turn, so that neighbours in the index are not neighbours in time.
    for (const turn of upTo(Math.max(...counts)))
      await Promise.all(
        products
          .filter((_, index) => turn < counts[index]!)
          .map(async ({ id, prices }) =>
            prices.unshift((await client.create('/api/prices', priceBody({ product_id: id }))).id),
          ),
      )

    const expectPrices = (pages: readonly ListPage[]) =>
      expect(
        pages
          .flatMap(({ items }) => items)
          .map(({ id, prices }) => ({ id, prices: prices.map((each: { id: string }) => each.id) })),
      ).toEqual(
        products
          .filter(({ id }) => pages.some(({ ids }) => ids.includes(id)))
          .map(({ id, prices }) => ({ id, prices: prices.slice(0, 100) })),
      )
    for (const limit of [1, 2, 3, 100]) {
      const there = await forward(client, '/api/products', { limit, include: 'prices' })
      expect(there.flatMap(({ ids }) => ids)).toEqual(products.map(({ id }) => id))
      expectPrices(there)
      const back = await backward(client, '/api/products', { limit, include: 'prices' }, there.at(-1)!)
      expectPrices(back.toReversed())
    }
    for (const { id, prices } of products) {
      const { json } = await client.get(`/api/products/${id}?include=prices`)
      expect(json.data.product.prices.map((each: { id: string }) => each.id)).toEqual(prices.slice(0, 100))
    }
    expect(Object.keys((await pageAt(client, '/api/products')).items[0])).toEqual(['id', 'name'])
  })
})
