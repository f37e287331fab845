import { storedContent } from '../../shared/contract/field.ts'
import type { Entity } from '../../shared/contract/resource.ts'
import { serve } from '../../shared/http/serve.ts'
import { MAX_PAYLOAD_BYTES } from '../../shared/pagination/page.ts'
import { customer, customers } from '../../shared/resources/customer.ts'
import { range } from '../support/range.ts'
import { eventWith } from '../support/requests/gateway-events.ts'
import { newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

const customerWith = (text: string, index: number): Entity<typeof customer> => ({
  resource: customer,
  id: `cus_${String(index).padStart(22, '0')}`,
  externalId: String(index),
  order: String(index),
  list: 'list',
  content: storedContent(customer.fields, { metadata: { text } }, String(index)),
})

it.each([
  ['three bytes of UTF-8', '€', 20_000],
  ['two bytes of UTF-8', 'ü', 30_000],
  ['two escaped characters', '"', 20_000],
  ['seven escaped characters', '\u0001', 8_000],
])(
  'ends a page before it exceeds Lambda’s limit if each character takes %s',
  async (_, character, length) => {
    const { app_id, api_key } = (await newClient()).credentials
    const text = character.repeat(length)
    const items = range(100).map((index) => ({ entity: customerWith(text, index) }))
    const list = serve(customers.list, async () => ({ items, hasPrevious: false, hasNext: false }))
    const headers = { authorization: `Bearer ${api_key}`, 'x-app-id': app_id }
    const result = await list(eventWith({ httpMethod: 'GET', path: '/api/customers', headers }))
    const payloadBytes = Buffer.byteLength(JSON.stringify(result))
    expect(payloadBytes).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES)
    expect(payloadBytes).toBeGreaterThan(MAX_PAYLOAD_BYTES - 200_000)
    const { data, pagination } = JSON.parse(result.body)
    expect(data.customers.length).toBeLessThan(100)
    expect(pagination.has_more).toBe(true)
  },
)

it('serialises no more entities than a response can contain, and one', async () => {
  const { app_id, api_key } = (await newClient()).credentials
  const text = 'x'.repeat(100_000)
  let serialised = 0
  const metadata = {
    toJSON: () => {
      serialised += 1
      return { text }
    },
  }
  const items = range(100).map((index) => {
    const entity = customerWith('', index)
    return { entity: { ...entity, content: { ...entity.content, metadata } } }
  })
  const list = serve(customers.list, async () => ({ items, hasPrevious: false, hasNext: false }))
  const headers = { authorization: `Bearer ${api_key}`, 'x-app-id': app_id }
  const { body } = await list(eventWith({ httpMethod: 'GET', path: '/api/customers', headers }))
  expect(serialised).toBe(JSON.parse(body).data.customers.length + 1)
})
