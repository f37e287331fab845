import { range } from '../../support/range.ts'
import { customerBody, invoiceBody, priceBody, productBody } from '../../support/requests/bodies.ts'
import { expectInvalid } from '../../support/requests/invalid-requests.ts'
import { readPage } from '../../support/requests/list-pages.ts'
import { clientForTests, serveForTests } from '../../support/requests/service.ts'

serveForTests()

type Entity = Record<string, unknown> & { id: string; external_id: string }
const client = clientForTests()

beforeAll(async () => {
  await client.create('/api/products', productBody({ id: 'plan' }))
  await client.create('/api/prices', priceBody({ id: 'monthly', product_id: 'plan' }))
  for (const customer_id of [42, 'other']) {
    await client.create('/api/customers', customerBody({ id: customer_id }))
    for (const number of range(3)) {
      const subscription_id = `s-${customer_id}-${number % 2}`
      await client.create('/api/invoices', invoiceBody({ customer_id, subscription_id }))
    }
  }
})

const retrieve = async (path: string): Promise<Entity> => {
  const { data } = (await client.get(path)).json
  return Object.values(data as Record<string, Entity>)[0]!
}
const list = async (plural: string, query = {}): Promise<Entity[]> =>
  (await readPage(client, `/api/${plural}`, query)).items

it.each([
  ['invoices', 'customer_id', '/api/customers/42'],
  ['subscriptions', 'customer_id', '/api/customers/42'],
  ['prices', 'product_id', '/api/products/plan'],
])(
  'filters %s by the client id and by the server id in %s, in the order of the list',
  async (plural, field, path) => {
    const { id, external_id } = await retrieve(`${path}?include=external_id`)
    const filtered = await list(plural, { [field]: external_id })
    expect(filtered.length).toBeGreaterThan(0)
    expect(await list(plural, { [field]: id })).toEqual(filtered)
    // A price does not show its product, and all prices here have the same product.
    const all = await list(plural)
    expect(filtered).toEqual(all.filter((entity) => !(field in entity) || entity[field] === id))
  },
)

it('accepts a cursor only with the filter of its first page, given by the client id or the server id', async () => {
  const { id } = await retrieve('/api/customers/42')
  const { next } = await readPage(client, '/api/invoices', { customer_id: 42, limit: 1 })
  for (const customer_id of [42, id])
    expect((await list('invoices', { customer_id, cursor: next })).length).toBe(2)
  for (const filter of ['', '&customer_id=other'])
    expectInvalid(await client.get(`/api/invoices?cursor=${next}${filter}`), 'cursor')
})

it.each(['', 'null', 'nobody', 'cus_0123456789abcdefghijkl', '%00', 'x'.repeat(256)])(
  'refuses a filter by the customer %j',
  async (value) => {
    expectInvalid(await client.get(`/api/invoices?customer_id=${value}`), 'customer_id')
    expectInvalid(await client.get(`/api/invoices?customer_id=42&customer_id=${value}`), 'customer_id')
  },
)
