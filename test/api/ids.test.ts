import { catalogue } from '../../shared/catalogue.ts'
import { storedContent } from '../../shared/contract/field.ts'
import { serverIdFor } from '../../shared/ids.ts'
import { exampleId } from '../../shared/openapi/examples.ts'
import { customer } from '../../shared/resources/customer.ts'
import { unspread } from '../../shared/spread.ts'
import { createEntity } from '../../shared/store/entities.ts'
import { inParallel } from '../support/in-parallel.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  priceBody,
  productBody,
} from '../support/requests/bodies.ts'
import { clientWithExamples, firstExampleBody } from '../support/requests/examples.ts'
import { expectInvalid } from '../support/requests/invalid-requests.ts'
import { type Client, newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await clientWithExamples()
})

const byId = async (path: string, id: string) => {
  const { status, json } = await client.get(`${path}/${encodeURIComponent(id)}`)
  return status === 200 ? Object.values(json.data)[0] : status
}

const oddIds: [string, string | number][] = [
  ['reserved characters', 'a/b c?ü%2F#&=+'],
  ['an escape that must not be decoded twice', '%2F'],
  ['a half escape', '100%'],
  ['the form of those that we assign', `cus_${'Ab3'.repeat(7)}Z`],
  ['255 characters beyond the basic plane', '😀'.repeat(255)],
  ['zero', 0],
  ['the name of a prototype', '__proto__'],
]

it.each(oddIds)(
  'accepts %s as a client id, which identifies its entity in a path and in every field',
  async (_, id) => {
    const product = await client.create('/api/products', productBody({ id }))
    expect(product.id).toMatch(/^prod_[0-9A-Za-z]{22}$/)
    expect(await byId('/api/products', String(id))).toEqual(product)
    expect(await byId('/api/products', product.id)).toEqual(product)
    const customer = await client.create('/api/customers', customerBody({ id }))
    const discount = await client.create('/api/discounts', discountBody({ id }))
    await client.create('/api/prices', priceBody({ product_id: id }))
    await client.create('/api/prices', priceBody({ product_id: product.id }))
    const names = { customer_id: id, subscription_id: id, discounts: [id, discount.id] }
    const invoice = await client.create('/api/invoices', invoiceBody(names))
    expect(invoice.customer_id).toBe(customer.id)
    const others = { customer_id: customer.id, subscription_id: invoice.subscription_id }
    const second = await client.create('/api/invoices', invoiceBody(others))
    expect(second.subscription_id).toBe(invoice.subscription_id)
    const { json } = await client.get(`/api/products/${product.id}?include=prices`)
    expect(json.data.product.prices).toHaveLength(2)
    const path = `/api/customers/${encodeURIComponent(String(id))}`
    const updated = await client.put(path, { id: customer.id, name: 'Changed' })
    expect(updated.json.data.customer).toEqual({ ...customer, name: 'Changed' })
    expect((await client.put(path)).json.data.customer.id).toBe(customer.id)
  },
)

it('distinguishes client ids by case, spelling and Unicode normal form', async () => {
  const ids = ['É', 'e\u0301'.toUpperCase(), 'é', 'E', 'E E', 'E  E']
  const made = await Promise.all(ids.map((id) => client.create('/api/discounts', discountBody({ id }))))
  expect(new Set(made.map(({ id }) => id)).size).toBe(ids.length)
})

it.each([' a', 'a ', '\u00a0a', 'a\u2028'])(
  'refuses %j as the id of a new entity, in any create',
  async (id) => {
    const detail = `must not begin or end with white space (got ${JSON.stringify(id)}).`
    for (const [path, body] of [
      ['/api/products', productBody({ id })],
      ['/api/customers?on_conflict=update', customerBody({ id })],
      ['/api/customers?erased=true', { id }],
    ] as const)
      expect(await client.post(path, body)).toMatchObject({ status: 422, details: [`id ${detail}`] })
    const { id: customer_id } = await client.create('/api/customers', customerBody())
    const { details } = await client.post(
      '/api/invoices',
      invoiceBody({ customer_id, subscription_id: id, id }),
    )
    expect(details).toEqual([`id ${detail}`, `subscription_id ${detail}`])
  },
)

it('finds an entity by an id with white space at an end, recorded before that was refused', async () => {
  const { app_id: app } = client.credentials
  const body = { id: ' old ', name: 'Old' }
  const id = serverIdFor(app, 'cus', body.id)
  const content = storedContent(customer.fields, body, id)
  await createEntity({ app, spread: unspread, resource: customer, id, externalId: body.id, content })
  const replay = await client.post('/api/customers', body)
  expect({ status: replay.status, replayed: replay.headers.get('idempotent-replayed') }).toEqual({
    status: 200,
    replayed: 'true',
  })
  expect((await client.post('/api/customers', { ...body, name: 'New' })).status).toBe(409)
  expect(await byId('/api/customers', body.id)).toEqual(replay.json.data.customer)
  await client.create('/api/invoices', invoiceBody({ customer_id: body.id }))
  const path = `/api/customers/${encodeURIComponent(body.id)}`
  expect((await client.put(path, { ...body, name: 'New' })).json.data.customer.name).toBe('New')
})

it('finds the entity with a server id before the one with an equal client id', async () => {
  const id = serverIdFor(client.credentials.app_id, 'prod', 'later')
  const second = await client.create('/api/products', productBody({ id, name: 'Second' }))
  const first = await client.create('/api/products', productBody({ id: 'later', name: 'First' }))
  expect(first.id).toBe(id)
  expect(await byId('/api/products', first.id)).toEqual(first)
  expect(await byId('/api/products', second.id)).toEqual(second)
  await client.create('/api/prices', priceBody({ product_id: first.id }))
  const prices = async (id: string) =>
    (await client.get(`/api/products/${id}?include=prices`)).json.data.product.prices.length
  expect(await prices(first.id)).toBe(1)
  expect(await prices(second.id)).toBe(0)
})

it.each(catalogue.filter(({ operation }) => operation === 'create'))(
  'refuses an id that we assigned to another entity with 422, naming both ids: $id',
  async (endpoint) => {
    const { path, resource } = endpoint
    const recorded = await client.get(`${path}/${exampleId(resource)}`)
    const { id } = recorded.json.data[resource.name]
    const detail = `id must be an id of your own: "${id}" is the one that we assigned to ${resource.name} "${exampleId(resource)}".`
    const body = { ...firstExampleBody(endpoint), id }
    const options = Object.entries(endpoint.options).map(([name, { request }]) =>
      request.enum ? `?${name}=${request.enum[0]}` : `?${name}=false`,
    )
    for (const query of ['', ...options])
      expect(await client.post(path + query, body)).toMatchObject({ status: 422, details: [detail] })
  },
)

it('accepts an id that we assigned to an entity of another kind or of another application', async () => {
  const { id: product } = await client.create('/api/products', productBody())
  const { id } = await (await newClient()).create('/api/customers', customerBody())
  for (const own of [product, id])
    expect((await client.create('/api/customers', customerBody({ id: own }))).id).not.toBe(own)
  const price = priceBody({ id: product, product_id: product })
  expect((await client.create('/api/prices', price)).id).not.toBe(product)
})

const retrieves = catalogue.filter(({ operation }) => operation === 'retrieve')

const expectNotFound = async (path: string, detail: string): Promise<void> => {
  const { status, json } = await client.get(path)
  expect({ status, json }).toEqual({
    status: 404,
    json: { errors: [{ code: 404, title: 'Entity not found', detail }] },
  })
}

it.each(retrieves)('responds with 404 in $id if no entity has or can have the id', async ({ resource }) => {
  const { name, plural, prefix } = resource
  const unknown = ['nothing', 'toString', '404', '%F0%9F%98%80', 'a%2Fb', `${prefix}_${'0'.repeat(22)}`]
  await inParallel(unknown, (id) => {
    const detail = `No ${name} matches the id ${JSON.stringify(decodeURIComponent(id))}.`
    return expectNotFound(`/api/${plural}/${id}`, detail)
  })
  const impossible = '% %zz %E0%A4 %ff %C0%80 %ED%A0%80 a%00b %0A %7F'.split(' ')
  await inParallel([...impossible, 'x'.repeat(256)], (id) => {
    const shown = id.length > 100 ? `${id.slice(0, 100)}…` : id
    const detail = `No ${name} matches the id "${shown}"; an id is 1 to 255 characters without control characters, percent-encoded UTF-8.`
    return expectNotFound(`/api/${plural}/${id}`, detail)
  })
})

it('finds nothing by an id of another kind', async () => {
  const product = await client.create('/api/products', productBody())
  const customer = await client.create('/api/customers', customerBody())
  expect(await byId('/api/customers', product.id)).toBe(404)
  expect(await byId('/api/products', customer.id)).toBe(404)
  expectInvalid(await client.post('/api/prices', priceBody({ product_id: customer.id })), 'product_id')
  const names = { customer_id: product.id, subscription_id: customer.id, discounts: [customer.id] }
  const { status, details } = await client.post('/api/invoices', invoiceBody(names))
  expect(status).toBe(422)
  expect(details.length).toBe(2)
})
