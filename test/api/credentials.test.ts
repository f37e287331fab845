import { handler } from '../../functions/products/list.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { addApiKey } from '../../tools/applications/api-keys.ts'
import { eventWith } from '../support/requests/gateway-events.ts'
import { rawCall } from '../support/requests/raw-http.ts'
import {
  type Client,
  clientForTests,
  clientOf,
  newClient,
  serveForTests,
} from '../support/requests/service.ts'

serveForTests()

const client = clientForTests()
let other: Client
let readOnlyKey: string
beforeAll(async () => {
  other = await newClient('Other')
  const readOnly = { apiKey: newApiKey({ isReadOnly: true }) }
  readOnlyKey = (await addApiKey(client.credentials.app_id, readOnly)).api_key
  // Then the process knows both keys, so that it could take one for the other.
  for (const one of [client, other]) await one.get('/api/products')
})

type HeadersOf = (key: string, app: string) => string[]
const credentialHeaders = (authorization: string, app: string) => [
  'authorization',
  authorization,
  'x-app-id',
  app,
]

const refusedHeaders: Readonly<Record<string, HeadersOf>> = {
  'no header at all': () => [],
  'an empty application': (key) => credentialHeaders(`Bearer ${key}`, ''),
  'only the scheme': (_, app) => credentialHeaders('Bearer', app),
  'the scheme Basic': (key, app) => credentialHeaders(`Basic ${key}`, app),
  'no space after the scheme': (key, app) => credentialHeaders(`Bearer${key}`, app),
  'a tab after the scheme': (key, app) => credentialHeaders(`Bearer\t${key}`, app),
  'something after the key': (key, app) => credentialHeaders(`Bearer ${key} x`, app),
  'two keys in one header': (key, app) => credentialHeaders(`Bearer ${key}, Bearer ${key}`, app),
  'a key with a broken checksum': (key, app) =>
    credentialHeaders(`Bearer ${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`, app),
  'a well-formed key that was never issued': (_, app) => credentialHeaders(`Bearer ${newApiKey()}`, app),
  'a key with the prefix of read-only keys': (key, app) =>
    credentialHeaders(`Bearer ${key.replace('bdk', 'bdr')}`, app),
  'a read-only key with the prefix of other keys': (_, app) =>
    credentialHeaders(`Bearer ${readOnlyKey.replace('bdr', 'bdk')}`, app),
  'the key as application': (key) => credentialHeaders(`Bearer ${key}`, key),
  'an unknown application': (key) => credentialHeaders(`Bearer ${key}`, 'app_0000000000000000'),
  "another application's key": (_, app) => credentialHeaders(`Bearer ${other.credentials.api_key}`, app),
  'authorization twice': (key, app) => [
    ...credentialHeaders(`Bearer ${key}`, app),
    'authorization',
    `Bearer ${key}`,
  ],
  'authorization twice, in different cases': (key, app) => [
    ...credentialHeaders(`Bearer ${key}`, app),
    'AUTHORIZATION',
    'Bearer x',
  ],
  'the application twice': (key, app) => [...credentialHeaders(`Bearer ${key}`, app), 'x-app-id', app],
  'two applications': (key, app) => [
    ...credentialHeaders(`Bearer ${key}`, app),
    'X-App-Id',
    other.credentials.app_id,
  ],
}

const refusal = {
  errors: [
    { code: 401, title: 'Unauthorized', detail: expect.stringMatching(/^Send "Authorization: Bearer/) },
  ],
}
const readOnlyRefusal = {
  errors: [{ code: 403, title: 'Forbidden', detail: expect.stringMatching(/^This API key is read-only/) }],
}

it.each(Object.entries(refusedHeaders))('refuses %s with the same 401', async (_, headersOf) => {
  const { app_id, api_key } = client.credentials
  const headers = headersOf(api_key, app_id)
  const response = await rawCall(client.baseUrl, { path: '/api/products', headers })
  expect(response.status).toBe(401)
  expect(JSON.parse(response.text)).toEqual(refusal)
  expect(response.headers).toMatchObject({
    'www-authenticate': 'Bearer',
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  })
})

it.each([' ', '\t', '\u00a0'])(
  'refuses an application id with %j before or after it, which another gateway may not remove',
  async (space) => {
    const { app_id, api_key } = client.credentials
    const statusOf = async (appId: string) => {
      const headers = { authorization: `Bearer ${api_key}`, 'x-app-id': appId }
      const event = eventWith({ httpMethod: 'GET', path: '/api/products', headers })
      return (await handler(event)).statusCode
    }
    expect(await statusOf(app_id)).toBe(200)
    expect(await statusOf(space + app_id)).toBe(401)
    expect(await statusOf(app_id + space)).toBe(401)
  },
)

it('refuses credentials in the query with the same 401', async () => {
  const { app_id, api_key } = client.credentials
  const path = `/api/products?authorization=Bearer%20${api_key}&x-app-id=${app_id}&api_key=${api_key}`
  const response = await rawCall(client.baseUrl, { path, headers: [] })
  expect(response.status).toBe(401)
  expect(JSON.parse(response.text)).toEqual(refusal)
})

it.each<[string, string, string, string | Uint8Array | undefined]>([
  ['a body that is not JSON', 'POST', '/api/products', '{'],
  ['a body that is not UTF-8', 'POST', '/api/products', Uint8Array.of(0xff)],
  ['a body that is too large', 'POST', '/api/products', 'x'.repeat(300_000)],
  ['a body that breaks rules', 'POST', '/api/customers', '{"nmae":1}'],
  ['a wrong query', 'GET', '/api/products?limit=x', undefined],
  ['a wrong id', 'GET', '/api/products/%ff', undefined],
  ['an unknown id', 'GET', '/api/products/x', undefined],
  ['an erasure', 'PUT', '/api/customers/x', undefined],
])('responds with the same 401 before it validates %s', async (_, method, path, body) => {
  const headers = ['content-type', 'text/plain', 'x-app-id', client.credentials.app_id]
  const response = await rawCall(client.baseUrl, { method, path, headers, ...(body ? { body } : {}) })
  expect(response.status).toBe(401)
  expect(JSON.parse(response.text)).toEqual(refusal)
})

it.each<[string, HeadersOf]>([
  ['in both headers', (key, app) => credentialHeaders(`Bearer ${key}`, app)],
  ['with the scheme in lower case', (key, app) => credentialHeaders(`bearer ${key}`, app)],
  ['with several spaces after the scheme', (key, app) => credentialHeaders(`Bearer   ${key}`, app)],
  ['with header names in any case', (key, app) => ['AuthoriZation', `Bearer ${key}`, 'X-App-Id', app]],
])('accepts credentials %s', async (_, headersOf) => {
  const { app_id, api_key } = client.credentials
  const headers = headersOf(api_key, app_id)
  expect((await rawCall(client.baseUrl, { path: '/api/products', headers })).status).toBe(200)
})

const readOnlyClient = () => clientOf({ ...client.credentials, api_key: readOnlyKey })
const writeEndpoints = catalogue.filter(({ method }) => method !== 'GET')

it('allows a read-only key to read records of other keys of its application', async () => {
  const { id } = await client.create('/api/products', { id: 'read', name: 'Read' })
  expect((await readOnlyClient().get('/api/products/read')).json.data.product.id).toBe(id)
})

const readEndpoints = catalogue.filter(({ method }) => method === 'GET')
it.each(readEndpoints)('allows a read-only key to call $id', async ({ path, operation }) => {
  const { status } = await readOnlyClient().get(path.replace('{id}', 'unknown'))
  expect(status).toBe(operation === 'list' ? 200 : 404)
})

it.each(
  writeEndpoints.flatMap(({ id, method, path }) => [
    { id, method, path, what: 'a valid body', raw: '{"id":"written","name":"Written"}' },
    { id, method, path, what: 'no body, which would be an erasure', raw: undefined },
    { id, method, path, what: 'an unreadable body', raw: '{' },
    { id, method, path, what: 'a body that is too large', raw: '0'.repeat(300_000) },
  ]),
)('refuses a read-only key with 403 in $id, for a request with $what', async ({ method, path, raw }) => {
  await client.post('/api/customers', { id: 'kept', name: 'Kept' })
  for (const id of ['kept', 'unknown', '%20']) {
    const url = `${path.replace('{id}', id)}?unknown=1`
    const response = await readOnlyClient().call(method, url, raw === undefined ? {} : { raw })
    expect(response).toMatchObject({ status: 403, json: readOnlyRefusal })
  }
  expect((await client.get('/api/customers/kept')).json.data.customer.name).toBe('Kept')
  expect((await client.get('/api/products/written')).status).toBe(404)
})
