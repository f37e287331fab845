import { handler as listCustomers } from '../../functions/customers/list.ts'
import { handler as updateCustomer } from '../../functions/customers/update.ts'
import { storedContent } from '../../shared/contract/field.ts'
import type { Entity } from '../../shared/contract/resource.ts'
import {
  baseUrlOf,
  headerValues,
  queryValues,
  requestIdFrom,
  requestIdOf,
} from '../../shared/http/request.ts'
import { type Handler, serve } from '../../shared/http/serve.ts'
import { MAX_PAYLOAD_BYTES } from '../../shared/pagination/page.ts'
import { customer, customers } from '../../shared/resources/customer.ts'
import { range } from '../support/range.ts'
import { customerBody } from '../support/requests/bodies.ts'
import { contextWith, type EventParts, eventWith } from '../support/requests/gateway-events.ts'
import { clientForTests, newClient, serveForTests } from '../support/requests/service.ts'

/** Events that a function may receive, but that no HTTP request through the gateway produces. */

serveForTests()

const client = clientForTests()

const context = contextWith(() => 5_000)
const authorizedEvent = (parts: EventParts) =>
  eventWith({
    headers: {
      authorization: `Bearer ${client.credentials.api_key}`,
      'x-app-id': client.credentials.app_id,
    },
    body: null,
    ...parts,
  })

it.each<[string, EventParts]>([
  ['without a request context', { requestContext: undefined }],
  [
    'with null in place of query parameters',
    { queryStringParameters: { limit: null, cursor: undefined }, multiValueQueryStringParameters: null },
  ],
])('a function responds to an event %s', async (_, parts) => {
  const { statusCode, headers } = await listCustomers(authorizedEvent(parts), context)
  expect(statusCode).toBe(200)
  expect(headers?.['x-request-id']).toMatch(/^[\w.:-]+$/)
})

it.each([
  ['no context', undefined],
  ['an empty context', {} as typeof context],
  ['a context without remaining time', contextWith(() => 0)],
])('a function responds to an event with %s', async (_, otherContext) => {
  expect((await listCustomers(authorizedEvent({}), otherContext)).statusCode).toBe(200)
})

it.each([undefined, null, {}])('a function responds with 401 to %p in place of an event', async (event) => {
  // The type of the handler excludes these, but an operator can invoke a function with any payload.
  const invoke = listCustomers as (payload: unknown, ...rest: [typeof context]) => ReturnType<Handler>
  expect((await invoke(event, context)).statusCode).toBe(401)
})

it('an update with a body that cannot be decoded is refused with 400, and erases nothing', async () => {
  const { id, name } = await client.create('/api/customers', customerBody())
  const event = authorizedEvent({ pathParameters: { id }, body: '====', isBase64Encoded: true })
  const { statusCode, body } = await updateCustomer(event, context)
  expect(statusCode).toBe(400)
  expect(JSON.parse(body).errors[0].detail).toBe('The body must be JSON in UTF-8.')
  expect((await client.get(`/api/customers/${id}`)).json.data.customer.name).toBe(name)
})

it.each<[string, EventParts, string[]]>([
  [
    'all values rather than the last one',
    { headers: { 'x-app-id': 'b' }, multiValueHeaders: { 'x-app-id': ['a', 'b'] } },
    ['a', 'b'],
  ],
  [
    'the value if the event has no lists of values',
    { headers: { 'x-app-id': 'b' }, multiValueHeaders: null },
    ['b'],
  ],
  ['no values that are null or undefined', { headers: { 'x-app-id': null, 'X-App-Id': undefined } }, []],
])('finds of a header %s', (_, parts, values) => {
  expect(headerValues(eventWith(parts), 'x-app-id')).toEqual(values)
})

it('finds of each query parameter all values, or the single value if there is no list, but no null', () => {
  const event = eventWith({
    queryStringParameters: { onlyNull: null, single: '', several: '2' },
    multiValueQueryStringParameters: { single: null, several: ['1', '2'] },
  })
  expect(Object.fromEntries(queryValues(event))).toEqual({ onlyNull: [], single: [''], several: ['1', '2'] })
})

it('finds no query parameters in an event with null in their place', () => {
  expect(queryValues(eventWith({ queryStringParameters: null }))).toEqual([])
})

it.each(['a', 'A.b_c:d-9', 'x'.repeat(128)])(
  'the id of a request is the id that the client sent if it is valid: %s',
  (sent) => {
    expect(requestIdFrom(sent, 'given')).toBe(sent)
    const headers = { 'X-Request-Id': sent }
    expect(requestIdOf(eventWith({ headers, requestContext: { requestId: 'given' } }))).toBe(sent)
  },
)

it.each([undefined, '', ' ', 'a b', ' a', 'a\n', 'a,b', 'a/b', '{}', 'ä', '"a"', 'x'.repeat(129)])(
  'the id of a request is the gateway’s if the client sent %p',
  (sent) => {
    expect(requestIdFrom(sent, 'given')).toBe('given')
  },
)

it('the id of a request is generated if neither the client nor the gateway gives one', () => {
  expect(requestIdFrom(undefined, undefined)).toMatch(/^[0-9a-f-]{36}$/)
  expect(requestIdOf(eventWith({}))).not.toBe(requestIdOf(eventWith({})))
})

it.each<[string, EventParts, string]>([
  [
    'at a stage of the gateway',
    {
      headers: { Host: 'api.example', 'X-Forwarded-Proto': 'https' },
      requestContext: { path: '/prod/openapi.json' },
    },
    'https://api.example/prod',
  ],
  [
    'at a domain of its own',
    { headers: { host: 'api.example:81' }, requestContext: { path: '/openapi.json' } },
    'http://api.example:81',
  ],
  [
    'with slashes before and after the path',
    { headers: { host: 'api.example' }, requestContext: { path: '/prod//openapi.json//' } },
    'http://api.example/prod',
  ],
  ['of an empty event', {}, 'http://localhost'],
])('finds the base URL %s', (_, event, url) => {
  expect(baseUrlOf(eventWith(event), '/openapi.json')).toBe(url)
})

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
  ['four bytes of UTF-8', '😀', 15_000],
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
