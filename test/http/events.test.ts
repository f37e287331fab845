import { handler as listCustomers } from '../../functions/customers/list.ts'
import { handler as updateCustomer } from '../../functions/customers/update.ts'
import {
  baseUrlOf,
  headerValues,
  queryValues,
  requestIdFrom,
  requestIdOf,
} from '../../shared/http/request.ts'
import type { Handler } from '../../shared/http/serve.ts'
import { customerBody } from '../support/requests/bodies.ts'
import { contextWith, type EventParts, eventWith } from '../support/requests/gateway-events.ts'
import { clientForTests, serveForTests } from '../support/requests/service.ts'

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
