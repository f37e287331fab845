import { handler as listCustomers } from '../../functions/customers/list.ts'
import { handler as updateCustomer } from '../../functions/customers/update.ts'
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
