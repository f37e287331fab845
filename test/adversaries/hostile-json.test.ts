import { customerBody, discountBody, invoiceBody, priceBody, productBody } from '../support/bodies.ts'
import { internals } from '../support/internals.ts'
import { rawCallAs } from '../support/raw-http.ts'
import { runs } from '../support/runs.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'
import { hostile } from './hostile-bodies.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
  await client.create('/api/products', productBody({ id: 'product' }))
  await client.create('/api/customers', customerBody({ id: 'customer' }))
  await client.create('/api/customers', customerBody({ id: 'changed' }))
})

type Fields = Record<string, unknown>
const json = ['content-type', 'application/json']
/** The writing operations with valid bodies. All contain "name", so that a hostile "name" is a duplicate. */
const operations: Record<string, () => [method: string, path: string, body: Fields]> = {
  'products.create': () => ['POST', '/api/products', productBody()],
  'prices.create': () => ['POST', '/api/prices', priceBody({ product_id: 'product' })],
  'customers.create': () => ['POST', '/api/customers', { id: crypto.randomUUID() }],
  'customers.update': () => ['PUT', '/api/customers/changed', { id: 'changed' }],
  'discounts.create': () => ['POST', '/api/discounts', discountBody()],
  'invoices.create': () => ['POST', '/api/invoices', invoiceBody({ customer_id: 'customer' })],
}

const prototypes = [Object, Array, String, Number, Function, Map, Promise].map(
  (each) => each.prototype as object,
)
const state = () => JSON.stringify(prototypes.map((each) => Object.getOwnPropertyNames(each)))
const untouched = state()

/** Returns the part of a response that shows what was sent, as JSON text. */
const kept = (sent: string, shown: Fields): [unknown, unknown] => {
  const body = JSON.parse(sent) as Fields
  const names = ['name', 'email', 'title', 'metadata', 'price', 'total', 'amount_off'].filter(
    (name) => Object.hasOwn(body, name) && Object.hasOwn(shown, name),
  )
  return [names.map((name) => JSON.stringify(body[name])), names.map((name) => JSON.stringify(shown[name]))]
}

const names = Object.keys(operations)

/** Returns the operations to send a body to: in the short form, the one with the most fields in common; otherwise, all. */
const tried = (name: string): string[] => {
  const ofCustomers = /"(?:metadata|description|name|title)"/.test(String(hostile[name]!('{}')).slice(0, 100))
  return runs([ofCustomers ? 'customers.update' : 'invoices.create'], names)
}

const pairs = Object.keys(hostile).flatMap((name) => tried(name).map((operation) => ({ name, operation })))

it.each(pairs)(
  '$operation, sent $name, refuses it or stores it exactly, and the next request is served',
  async ({ name, operation }) => {
    const [method, path, right] = operations[operation]!()
    const body = hostile[name]!(JSON.stringify(right))
    const response = await rawCallAs(client, { method, path, headers: json, body })
    if (response.status === 200) {
      const [sent, shown] = kept(String(body), Object.values(JSON.parse(response.text).data)[0] as Fields)
      expect(shown).toEqual(sent)
    } else {
      expect([400, 409, 413, 422]).toContain(response.status)
      // The gateway itself refuses more than 10 MB, as plain text.
      if (name !== 'more than 10 MB') expect(JSON.parse(response.text)).toEqual({ errors: expect.any(Array) })
      expect(response.text.length).toBeLessThan(50_000)
      expect(response.text).not.toMatch(internals)
    }
    expect(state()).toBe(untouched)
    expect((await client.get('/api/products/product')).status).toBe(200)
  },
)
