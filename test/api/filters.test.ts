import { customerBody, invoiceBody, priceBody, productBody } from '../support/bodies.ts'
import { backward, forward, pageAt, upTo } from '../support/lists.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'
import { expectInvalid } from '../support/violations.ts'

serveForTests()

type Entity = Record<string, unknown> & { id: string; external_id: string }
let client: Client

/** A product with a price, and two customers with three invoices each. */
beforeAll(async () => {
  client = await newClient()
  await client.create('/api/products', productBody({ id: 'plan' }))
  await client.create('/api/prices', priceBody({ id: 'monthly', product_id: 'plan' }))
  for (const customer_id of [42, 'other']) {
    await client.create('/api/customers', customerBody({ id: customer_id }))
    for (const n of upTo(3)) {
      const subscription_id = `s-${customer_id}-${n % 2}`
      await client.create('/api/invoices', invoiceBody({ customer_id, subscription_id }))
    }
  }
})

const one = async (path: string): Promise<Entity> => {
  const { data } = (await client.get(path)).json
  return Object.values(data as Record<string, Entity>)[0]!
}
const all = async (plural: string, query = {}): Promise<Entity[]> =>
  (await pageAt(client, `/api/${plural}`, query)).items

describe('a filter', () => {
  it.each([
    ['invoices', 'customer_id', '/api/customers/42'],
    ['subscriptions', 'customer_id', '/api/customers/42'],
    ['prices', 'product_id', '/api/products/plan'],
  ])('of %s by %s accepts either id and keeps the order of the list', async (plural, field, path) => {
    const { id, external_id } = await one(`${path}?include=external_id`)
    const own = await all(plural, { [field]: external_id })
    expect(own.length).toBeGreaterThan(0)
    // A price does not show its product.
    if (field in own[0]!) expect(own).toEqual((await all(plural)).filter((each) => each[field] === id))
    expect(await all(plural, { [field]: id })).toEqual(own)
  })

  it('pages in both directions; a cursor works with either id of the same filter only', async () => {
    const { id } = await one('/api/customers/42')
    const query = (customer_id: unknown) => ({ customer_id: String(customer_id), limit: 1 })
    const there = await forward(client, '/api/invoices', query(42))
    expect(there).toHaveLength(3)
    const back = await backward(client, '/api/invoices', query(id), there[2]!)
    expect(back.map(({ items }) => items)).toEqual([there[1]!.items, there[0]!.items])
    for (const others of ['', '&customer_id=other'])
      expectInvalid(await client.get(`/api/invoices?cursor=${there[0]!.next}${others}`), 'cursor')
  })

  it.each(['', 'null', 'nobody', 'cus_0123456789abcdefghijkl', '%00', 'x'.repeat(256)])(
    'is never ignored: %j is refused',
    async (value) => {
      expectInvalid(await client.get(`/api/invoices?customer_id=${value}`), 'customer_id')
      expectInvalid(await client.get(`/api/invoices?customer_id=42&customer_id=${value}`), 'customer_id')
    },
  )

  it('is unknown to lists without a filter', async () => {
    expectInvalid(await client.get('/api/products?customer_id=42'), 'customer_id')
  })
})
