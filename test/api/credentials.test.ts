import { handler } from '../../functions/products/list.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { type Credentials, newApiKey } from '../../shared/store/credentials.ts'
import { CACHE_MILLIS } from '../../shared/store/service.ts'
import { addApiKey, revokeApiKey } from '../../tools/applications/api-keys.ts'
import {
  createApplication,
  disableApplication,
  enableApplication,
} from '../../tools/applications/applications.ts'
import { setClock } from '../support/clock.ts'
import { interceptCalls, stopIntercepting } from '../support/database/intercepted-calls.ts'
import { productBody } from '../support/requests/bodies.ts'
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
  'a no-break space before the application': (key, app) => credentialHeaders(`Bearer ${key}`, `\u00a0${app}`),
  'a no-break space after the application': (key, app) => credentialHeaders(`Bearer ${key}`, `${app}\u00a0`),
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

describe('the keys of an application', () => {
  afterEach(() => setClock())

  const statusWith = async ({ app_id, api_key }: Credentials) =>
    (await clientOf({ app_id, api_key }).get('/api/products')).status
  const CACHE_IS_OVER = CACHE_MILLIS + 1
  /** So that cached keys expire. */
  const expireCachedKeys = (millis = CACHE_IS_OVER) => {
    const start = Date.now()
    setClock(() => start + millis)
  }

  it('accepts several keys of an application, each for at most 60 seconds after its revocation', async () => {
    const first = await createApplication('Rotating')
    const second = await addApiKey(first.app_id)
    await clientOf(first).create('/api/products', productBody({ id: 'p' }))
    expect((await clientOf(second).get('/api/products/p')).status).toBe(200)
    await revokeApiKey(first.app_id, first.key_id)
    expireCachedKeys()
    expect(await statusWith(first)).toBe(401)
    expect(await statusWith(second)).toBe(200)
    // The refused key is looked up again, and is refused again.
    expireCachedKeys(2 * CACHE_IS_OVER)
    expect(await statusWith(first)).toBe(401)
    expect((await clientOf(second).get('/api/products/p')).status).toBe(200)
  })

  it.each<[string, number, number]>([
    ['the wall clock was set back', -3_600_000, CACHE_IS_OVER],
    ['the wall clock stands still, as in a test double', 0, CACHE_IS_OVER],
    ['the monotonic clock stood still, as while a function is frozen', CACHE_IS_OVER, 0],
  ])('refuses a key within 60 seconds of its revocation although %s', async (_, wall, monotonic) => {
    const start = Date.now()
    setClock(() => start)
    const key = await createApplication('Clocks')
    expect(await statusWith(key)).toBe(200)
    await revokeApiKey(key.app_id, key.key_id)
    const now = performance.now.bind(performance)
    const monotonicClock = jest.spyOn(performance, 'now').mockImplementation(() => now() + monotonic)
    setClock(() => start + wall)
    expect(await statusWith(key)).toBe(401)
    monotonicClock.mockRestore()
  })

  it('counts the 60 seconds of a key from the beginning of its look-up, since it may be revoked before the response arrives', async () => {
    const start = Date.now()
    setClock(() => start)
    const key = await createApplication('Slow')
    interceptCalls(async ({ input }, proceed) => {
      const output = await proceed()
      // The key is revoked after it was read, and its record arrives half a minute later.
      if (input.Key?.sk?.startsWith('KEY#')) {
        stopIntercepting()
        await revokeApiKey(key.app_id, key.key_id)
        setClock(() => start + 30_000)
      }
      return output
    })
    expect(await statusWith(key)).toBe(200)
    setClock(() => start + CACHE_IS_OVER)
    expect(await statusWith(key)).toBe(401)
  })

  it.each<[string, (lifetime: number) => Promise<Credentials>]>([
    ['its application', (lifetime) => createApplication('Brief', { lifetime })],
    ['a rotation', async (lifetime) => addApiKey((await createApplication('Brief')).app_id, { lifetime })],
  ])(
    'refuses a key made with %s from its expiry on, even if it was looked up just before',
    async (_, make) => {
      const start = Date.now()
      setClock(() => start)
      const key = await make(10_000)
      const statusAfter = (millis: number) => {
        setClock(() => start + millis)
        return statusWith(key)
      }
      expect(await statusAfter(9_999)).toBe(200)
      expect(await statusAfter(10_000)).toBe(401)
      expect(await statusAfter(10_000 + CACHE_IS_OVER)).toBe(401)
    },
  )

  it('refuses the keys of a disabled application within 60 seconds, and accepts them again once it is enabled', async () => {
    const first = await createApplication('Switched')
    const second = await addApiKey(first.app_id)
    const revoked = await addApiKey(first.app_id)
    await revokeApiKey(first.app_id, revoked.key_id)
    expect(await statusWith(first)).toBe(200)
    expect(await statusWith(second)).toBe(200)
    await disableApplication(first.app_id)
    const third = await addApiKey(first.app_id)
    expireCachedKeys()
    const keys = [first, second, third, revoked]
    expect(await Promise.all(keys.map(statusWith))).toEqual([401, 401, 401, 401])
    await enableApplication(first.app_id)
    expect(await Promise.all(keys.map(statusWith))).toEqual([200, 200, 200, 401])
  })
})
