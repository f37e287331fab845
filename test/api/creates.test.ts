import { setTimeout as pause } from 'node:timers/promises'
import { catalogue } from '../../shared/catalogue.ts'
import type { Resource } from '../../shared/contract/resource.ts'
import { exampleWithId, recordExamples } from '../faults/operations.ts'
import { forgetInstants } from '../support/clock.ts'
import { range } from '../support/range.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  lineItem,
  priceBody,
  productBody,
} from '../support/requests/bodies.ts'
import { readPage } from '../support/requests/list-pages.ts'
import { type ApiResponse, type Client, newClient, serveForTests } from '../support/requests/service.ts'
import { runs } from '../support/runs.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
  for (const id of ['product', 'other']) await client.create('/api/products', productBody({ id }))
  await client.create('/api/customers', customerBody({ id: 'customer' }))
  await client.create('/api/discounts', discountBody({ id: 'discount' }))
})

const billed = (fields: object = {}) =>
  invoiceBody({ customer_id: 'customer', subscription_id: 'subscription', ...fields })

// fields.test.ts repeats creates with other values and spellings of each field; these differ in more than a value.
it('refuses a repeated create with other values, naming all fields that differ, and keeps the existing entity', async () => {
  const body = priceBody({ product_id: 'product' })
  const first = await client.create('/api/prices', body)
  const other = { product_id: 'other', price: 1, type: 'one_time', interval: null, interval_count: null }
  expect((await client.post('/api/prices', { ...body, ...other })).details).toEqual([
    `id must be unused, or sent with the values of its create: "${body.id}" is already the id of price ${first.id}, created with other values of: product_id, price, type, interval, interval_count.`,
  ])
  expect((await client.get(`/api/prices/${body.id}`)).json.data.price).toEqual(first)
})

it.each([
  ['subscription_id', { subscription_id: 'another' }],
  ['discounts', { discounts: null }],
  ['line_items', { line_items: [{}, lineItem({ id: 'a' })] }],
])('refuses a repeated invoice with other %s', async (field, other) => {
  const body = billed({ discounts: ['discount'], line_items: [lineItem({ id: 'a' }), {}] })
  await client.create('/api/invoices', body)
  const { status, details } = await client.post('/api/invoices', { ...body, ...other })
  expect({ status, details }).toEqual({
    status: 409,
    details: [expect.stringMatching(`other values of: ${field}\\.$`)],
  })
})

it('replays a create with the keys of metadata in another order', async () => {
  const body = customerBody({ metadata: { b: [1, { c: null }], a: 0, constructor: 1e300 } })
  const first = await client.create('/api/customers', body)
  const metadata = { constructor: 1e300, a: 0, b: [1, { c: null }] }
  expect(await client.create('/api/customers', { ...body, metadata })).toEqual(first)
})

it('replays a create that another process records at the same moment', async () => {
  jest.spyOn(Date, 'now').mockReturnValue(Date.now())
  const body = customerBody()
  const responses: ApiResponse[] = []
  for (let process = 0; process < 2; process += 1) {
    forgetInstants()
    responses.push(await client.post('/api/customers', body))
  }
  expect(responses.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
  jest.restoreAllMocks()
})

it('replays a create with -0 in place of 0', async () => {
  const send = (n: string) => [
    client.post('/api/customers', '', { raw: `{"id":"zero","metadata":{"n":[${n}]}}` }),
    client.post('/api/prices', '', {
      raw: `{"id":"zero","product_id":"product","currency":"EUR","price":${n},"type":"one_time"}`,
    }),
  ]
  for (const n of ['-0', '-0', '0', '-0.0e3'])
    expect((await Promise.all(send(n))).map(({ status }) => status)).toEqual([200, 200])
})

// model.test.ts replays creates with the other ids of their references.

/** Returns a body of a resource with an id and other content for each variant, with a subscription of its own. */
const bodyOfVariant = (resource: Resource, id: string, variant: number): object => {
  const body = exampleWithId(resource, id)
  const fields = Object.entries(resource.fields)
  const [plain] = fields.find(([, { reference }]) => !reference)!
  const started = fields.flatMap(([name, { reference }]) =>
    reference?.startsEntity ? [[name, `${id} ${variant}`]] : [],
  )
  const value = typeof body[plain] === 'number' ? variant : `Variant ${variant}`
  return { ...body, ...Object.fromEntries(started), [plain]: value }
}

/** Sends a create, and again after a 503 or a closed connection, as a client does. */
const post = async (client: Client, path: string, body: object): Promise<ApiResponse> => {
  for (;;) {
    const response = await client.post(path, body).catch((error: Error) => {
      if (error.message !== 'fetch failed') throw error
    })
    if (response && response.status !== 503) return response
    await pause(1_000 * Math.random())
  }
}

it.each(catalogue.filter(({ operation }) => operation === 'create'))(
  'records one content of concurrent creates of one id, replays equal ones and refuses others with 409: $id',
  async ({ path, resource }) => {
    const client = await newClient()
    await recordExamples(client)
    const idsOf = async (list: string) => (await readPage(client, `/api/${list}`, { limit: 100 })).ids
    for (const round of range(runs(2, 20))) {
      const [before, started] = [await idsOf(resource.plural), await idsOf('subscriptions')]
      const variants = range(runs(20, 200)).map(() => Math.floor(Math.random() * 3))
      const send = (variant: number) => post(client, path, bodyOfVariant(resource, `id ${round}`, variant))
      const responses = await Promise.all(variants.map(send))
      const recorded = responses.findIndex(({ status }) => status === 200)
      const { json } = responses[recorded]!
      const { id, subscription_id } = json.data[resource.name]
      for (const [index, response] of responses.entries())
        if (variants[index] === variants[recorded]) expect(response).toMatchObject({ status: 200, json })
        else expect(response).toMatchObject({ status: 409, details: [expect.stringContaining(id)] })
      const first = responses.filter(
        ({ status, headers }) => status === 200 && !headers.has('idempotent-replayed'),
      )
      // None if the request that recorded it got a 503.
      expect(first.length).toBeLessThanOrEqual(1)
      // The losers have left nothing behind, in any list.
      expect(await idsOf(resource.plural)).toEqual([id, ...before])
      expect(await idsOf('subscriptions')).toEqual(subscription_id ? [subscription_id, ...started] : started)
    }
  },
)
