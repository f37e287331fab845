import { catalogue } from '../../shared/catalogue.ts'
import { storedContent } from '../../shared/contract/field.ts'
import { serverIdFor } from '../../shared/ids.ts'
import { exampleId } from '../../shared/openapi/examples.ts'
import { customer } from '../../shared/resources/customer.ts'
import { createEntity } from '../../shared/store/entities.ts'
import { unspread } from '../../shared/store/keys.ts'
import { inParallel } from '../support/in-parallel.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  priceBody,
  productBody,
} from '../support/requests/bodies.ts'
import { expectReplay } from '../support/requests/create-responses.ts'
import { firstExampleBody, recordExamples } from '../support/requests/examples.ts'
import { expectInvalid } from '../support/requests/invalid-requests.ts'
import { clientForTests, newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

const client = clientForTests()
beforeAll(() => recordExamples(client))

/** The status of the response if it is not 200. */
const retrieve = async (path: string, id: string) => {
  const { status, json } = await client.get(`${path}/${encodeURIComponent(id)}`)
  return status === 200 ? Object.values(json.data)[0] : status
}

const oddIds: [string, string | number][] = [
  ['reserved characters', 'a/b c?ü%2F#&=+'],
  ['an escape that must not be decoded twice', '%2F'],
  ['an incomplete escape', '100%'],
  ['the form of the ids that we assign', `cus_${'Ab3'.repeat(7)}Z`],
  ['255 characters beyond the basic plane', '😀'.repeat(255)],
  ['zero', 0],
  ['the name of a prototype', '__proto__'],
]

it.each(oddIds)('accepts %s as a client id, which identifies its entity in a path', async (_, id) => {
  const product = await client.create('/api/products', productBody({ id }))
  expect(product.id).toMatch(/^prod_[0-9A-Za-z]{22}$/)
  expect(await retrieve('/api/products', String(id))).toEqual(product)
  expect(await retrieve('/api/products', product.id)).toEqual(product)
})

it.each(oddIds)(
  'accepts %s as a client id, which identifies its entity in every reference, like the server id',
  async (_, id) => {
    const client = await newClient()
    const product = await client.create('/api/products', productBody({ id }))
    await client.create('/api/prices', priceBody({ product_id: id }))
    await client.create('/api/prices', priceBody({ product_id: product.id }))
    const { json } = await client.get(`/api/products/${product.id}?include=prices`)
    expect(json.data.product.prices).toHaveLength(2)

    const customer = await client.create('/api/customers', customerBody({ id }))
    const discount = await client.create('/api/discounts', discountBody({ id }))
    const clientIds = { customer_id: id, subscription_id: id, discounts: [id, discount.id] }
    const first = await client.create('/api/invoices', invoiceBody(clientIds))
    expect(first.customer_id).toBe(customer.id)
    const serverIds = { customer_id: customer.id, subscription_id: first.subscription_id }
    const second = await client.create('/api/invoices', invoiceBody(serverIds))
    expect(second.subscription_id).toBe(first.subscription_id)
  },
)

it.each(oddIds)('accepts %s as a client id, by which a customer is updated and erased', async (_, id) => {
  const client = await newClient()
  const customer = await client.create('/api/customers', customerBody({ id }))
  const path = `/api/customers/${encodeURIComponent(String(id))}`
  const updated = await client.put(path, { id: customer.id, name: 'Changed' })
  expect(updated.json.data.customer).toEqual({ ...customer, name: 'Changed' })
  expect((await client.put(path)).json.data.customer.id).toBe(customer.id)
})

it('distinguishes client ids by case, spelling and Unicode normal form', async () => {
  const ids = ['É', 'e\u0301'.toUpperCase(), 'é', 'E', 'E E', 'E  E']
  const discounts = await Promise.all(ids.map((id) => client.create('/api/discounts', discountBody({ id }))))
  expect(new Set(discounts.map(({ id }) => id)).size).toBe(ids.length)
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
  expectReplay(replay)
  expect((await client.post('/api/customers', { ...body, name: 'New' })).status).toBe(409)
  expect(await retrieve('/api/customers', body.id)).toEqual(replay.json.data.customer)
  await client.create('/api/invoices', invoiceBody({ customer_id: body.id }))
  const path = `/api/customers/${encodeURIComponent(body.id)}`
  expect((await client.put(path, { ...body, name: 'New' })).json.data.customer.name).toBe('New')
})

it('finds the entity whose server id is given, rather than another one with this client id', async () => {
  const id = serverIdFor(client.credentials.app_id, 'prod', 'later')
  const second = await client.create('/api/products', productBody({ id, name: 'Second' }))
  const first = await client.create('/api/products', productBody({ id: 'later', name: 'First' }))
  expect(first.id).toBe(id)
  expect(await retrieve('/api/products', first.id)).toEqual(first)
  expect(await retrieve('/api/products', second.id)).toEqual(second)
  await client.create('/api/prices', priceBody({ product_id: first.id }))
  const countPrices = async (id: string) =>
    (await client.get(`/api/products/${id}?include=prices`)).json.data.product.prices.length
  expect(await countPrices(first.id)).toBe(1)
  expect(await countPrices(second.id)).toBe(0)
})

it.each(catalogue.filter(({ operation }) => operation === 'create'))(
  'refuses an id that we assigned to another entity with 422, naming both ids: $id',
  async (endpoint) => {
    const { path, resource } = endpoint
    const recorded = await client.get(`${path}/${exampleId(resource)}`)
    const { id } = recorded.json.data[resource.name]
    const detail = `id must be an id of your own: "${id}" is the one that we assigned to ${resource.name} "${exampleId(resource)}".`
    const body = { ...firstExampleBody(endpoint), id }
    const queries = Object.entries(endpoint.options).map(([name, { request }]) =>
      request.enum ? `?${name}=${request.enum[0]}` : `?${name}=false`,
    )
    for (const query of ['', ...queries])
      expect(await client.post(path + query, body)).toMatchObject({ status: 422, details: [detail] })
  },
)

it('accepts an id that we assigned to an entity of another kind or of another application', async () => {
  const { id: product } = await client.create('/api/products', productBody())
  const { id } = await (await newClient()).create('/api/customers', customerBody())
  for (const assignedId of [product, id])
    expect((await client.create('/api/customers', customerBody({ id: assignedId }))).id).not.toBe(assignedId)
  const price = priceBody({ id: product, product_id: product })
  expect((await client.create('/api/prices', price)).id).not.toBe(product)
})

const retrieves = catalogue.filter(({ operation }) => operation === 'retrieve')

const expectNotFound = async (path: string, detail: string): Promise<void> => {
  const errors = [{ code: 404, title: 'Entity not found', detail }]
  expect(await client.get(path)).toMatchObject({ status: 404, json: { errors } })
}

it.each(retrieves)('responds with 404 in $id if no entity has the id', async ({ resource }) => {
  const { name, plural, prefix } = resource
  const ids = ['nothing', 'toString', '404', '%F0%9F%98%80', 'a%2Fb', `${prefix}_${'0'.repeat(22)}`]
  await inParallel(ids, (id) => {
    const detail = `No ${name} matches the id ${JSON.stringify(decodeURIComponent(id))}.`
    return expectNotFound(`/api/${plural}/${id}`, detail)
  })
})

it.each(retrieves)('responds with 404 in $id if no entity can have the id', async ({ resource }) => {
  const { name, plural } = resource
  const ids = ['%', '%zz', '%E0%A4', '%ff', '%C0%80', '%ED%A0%80', 'a%00b', '%0A', '%7F', 'x'.repeat(256)]
  await inParallel(ids, (id) => {
    const shown = id.length > 100 ? `${id.slice(0, 100)}…` : id
    const detail = `No ${name} matches the id "${shown}"; an id is 1 to 255 characters without control characters, percent-encoded UTF-8.`
    return expectNotFound(`/api/${plural}/${id}`, detail)
  })
})

it('finds nothing by the id of an entity of another resource', async () => {
  const product = await client.create('/api/products', productBody())
  const customer = await client.create('/api/customers', customerBody())
  expect(await retrieve('/api/customers', product.id)).toBe(404)
  expect(await retrieve('/api/products', customer.id)).toBe(404)
  expectInvalid(await client.post('/api/prices', priceBody({ product_id: customer.id })), 'product_id')
  const names = { customer_id: product.id, subscription_id: customer.id, discounts: [customer.id] }
  expectInvalid(await client.post('/api/invoices', invoiceBody(names)), 'customer_id', 'discounts[0]')
})
