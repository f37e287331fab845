import { setTimeout as pause } from 'node:timers/promises'
import { catalogue } from '../../shared/catalogue.ts'
import type { Resource } from '../../shared/contract/resource.ts'
import { exampleBody } from '../../shared/openapi/examples.ts'
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
import { expectReplay, isReplay } from '../support/requests/create-responses.ts'
import { clientWithExamples } from '../support/requests/examples.ts'
import { readPage } from '../support/requests/list-pages.ts'
import { type ApiResponse, type Client, clientForTests, serveForTests } from '../support/requests/service.ts'
import { runs } from '../support/runs.ts'

serveForTests()

const client = clientForTests()
beforeAll(async () => {
  for (const id of ['product', 'other']) await client.create('/api/products', productBody({ id }))
  await client.create('/api/customers', customerBody({ id: 'customer' }))
  await client.create('/api/discounts', discountBody({ id: 'discount' }))
})

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
  const body = invoiceBody({
    customer_id: 'customer',
    subscription_id: 'subscription',
    discounts: ['discount'],
    line_items: [lineItem({ id: 'a' }), {}],
  })
  await client.create('/api/invoices', body)
  expect(await client.post('/api/invoices', { ...body, ...other })).toMatchObject({
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
  forgetInstants()
  const recorded = await client.post('/api/customers', body)
  // As in another process, which does not know the instant of the first record.
  forgetInstants()
  const repeated = await client.post('/api/customers', body)
  expect(recorded.status).toBe(200)
  expect(isReplay(recorded)).toBe(false)
  expectReplay(repeated)
  jest.restoreAllMocks()
})

it.each(['-0', '0', '-0.0e3'])('replays a create that had -0 with %s in its place', async (zero) => {
  const customerWith = (number: string) => ({ raw: `{"id":"zero","metadata":{"n":[${number}]}}` })
  const priceWith = (number: string) => ({
    raw: `{"id":"zero","product_id":"product","currency":"EUR","price":${number},"type":"one_time"}`,
  })
  expect((await client.call('POST', '/api/customers', customerWith('-0'))).status).toBe(200)
  expect((await client.call('POST', '/api/prices', priceWith('-0'))).status).toBe(200)
  expectReplay(await client.call('POST', '/api/customers', customerWith(zero)))
  expectReplay(await client.call('POST', '/api/prices', priceWith(zero)))
})

/** If the body starts a subscription, that depends on the variant too. */
const bodyOfVariant = (resource: Resource, id: string, variant: number): object => {
  const body = exampleBody(resource)
  const fields = Object.entries(resource.fields)
  const [changedField] = fields.find(([, { reference }]) => !reference)!
  const startedEntities = fields
    .filter(([, { reference }]) => reference?.startsEntity)
    .map(([field]) => [field, `${id} ${variant}`])
  const value = typeof body[changedField] === 'number' ? variant : `Variant ${variant}`
  return { ...body, id, ...Object.fromEntries(startedEntities), [changedField]: value }
}

const postUntilAnswered = async (client: Client, path: string, body: object): Promise<ApiResponse> => {
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
    const client = await clientWithExamples()
    const idsOf = async (plural: string) => (await readPage(client, `/api/${plural}`, { limit: 100 })).ids
    for (const round of range(runs(2, 20))) {
      const idsBefore = await idsOf(resource.plural)
      const subscriptionsBefore = await idsOf('subscriptions')
      const variants = range(runs(20, 200)).map(() => Math.floor(Math.random() * 3))
      const responses = await Promise.all(
        variants.map(async (variant) => {
          const body = bodyOfVariant(resource, `id ${round}`, variant)
          return { variant, response: await postUntilAnswered(client, path, body) }
        }),
      )
      const recorded = responses.find(({ response }) => response.status === 200)!
      const { json } = recorded.response
      const { id, subscription_id } = json.data[resource.name]
      for (const { variant, response } of responses)
        if (variant === recorded.variant) expect(response).toMatchObject({ status: 200, json })
        else expect(response).toMatchObject({ status: 409, details: [expect.stringContaining(id)] })
      const first = responses.filter(({ response }) => response.status === 200 && !isReplay(response))
      // There is no first response if the request that recorded the entity was answered with 503.
      expect(first.length).toBeLessThanOrEqual(1)
      // The refused requests have recorded nothing, in any list.
      expect(await idsOf(resource.plural)).toEqual([id, ...idsBefore])
      const started = subscription_id === undefined ? [] : [subscription_id]
      expect(await idsOf('subscriptions')).toEqual([...started, ...subscriptionsBefore])
    }
  },
)
