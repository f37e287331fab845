import { productBody } from '../support/bodies.ts'
import { newClient, serveForTests } from '../support/service.ts'

serveForTests()

describe('products', () => {
  it('are created, retrieved by either id and listed', async () => {
    const client = await newClient()
    const body = productBody({ name: 'Pro' })
    const product = await client.create('/api/products', body)
    expect(product).toEqual({ id: expect.stringMatching(/^prod_/), name: 'Pro' })
    for (const id of [product.id, body.id])
      expect((await client.get(`/api/products/${id}`)).json.data.product).toEqual(product)
    expect((await client.get('/api/products')).json).toEqual({
      data: { products: [product] },
      pagination: { has_more: false, next_cursor: null, previous_cursor: null },
    })
  })
})
