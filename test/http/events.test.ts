import type { APIGatewayProxyEvent } from 'aws-lambda'
import { handler as list } from '../../functions/customers/list.ts'
import { handler as update } from '../../functions/customers/update.ts'
import { customerBody } from '../support/requests/bodies.ts'
import { type Client, newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
})

const context = { getRemainingTimeInMillis: () => 5_000 } as never
const headers = () => ({
  authorization: `Bearer ${client.credentials.api_key}`,
  'x-app-id': client.credentials.app_id,
})
const eventWith = (parts: object) =>
  ({ headers: headers(), body: null, ...parts }) as Partial<APIGatewayProxyEvent> as APIGatewayProxyEvent

/** Events that a function may receive, but not from an HTTP request through the gateway. */
// request.test.ts shows which headers and parameters are found in an event.
it.each<[string, object]>([
  ['without a request context', { requestContext: undefined }],
  [
    'with a query of nulls',
    { queryStringParameters: { limit: null, cursor: undefined }, multiValueQueryStringParameters: null },
  ],
])('a function reads an event %s', async (_, parts) => {
  const { statusCode, headers: answered } = await list(eventWith(parts), context)
  expect(statusCode).toBe(200)
  expect(answered?.['x-request-id']).toEqual(expect.stringMatching(/^[\w.:-]+$/))
})

it.each([undefined, {}, { getRemainingTimeInMillis: () => 0 }])(
  'a function responds to an event with the context %p',
  async (other) => {
    expect((await list(eventWith({}), other as never)).statusCode).toBe(200)
  },
)

it.each([undefined, null, {}])('a function responds with 401 to %p in place of an event', async (nothing) => {
  expect((await list(nothing as never, context)).statusCode).toBe(401)
})

it('an update whose body cannot be decoded gets 400 and erases nobody', async () => {
  const { id, name } = await client.create('/api/customers', customerBody())
  const event = eventWith({ pathParameters: { id }, body: '====', isBase64Encoded: true })
  const { statusCode, body } = await update(event, context)
  expect(statusCode).toBe(400)
  expect(JSON.parse(body).errors[0].detail).toBe('The body must be JSON in UTF-8.')
  expect((await client.get(`/api/customers/${id}`)).json.data.customer.name).toBe(name)
})
