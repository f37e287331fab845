import { catalogue } from '../../shared/catalogue.ts'
import { newApiKey } from '../../shared/store/credentials.ts'
import { addApiKey } from '../../tools/applications/api-keys.ts'
import { rawCall, rawCallAs } from '../support/requests/raw-http.ts'
import { clientForTests, serveForTests } from '../support/requests/service.ts'

serveForTests()

const client = clientForTests()

const call = (method: string, path: string, headers: string[] = []) =>
  rawCallAs(client, { method, path, headers })

it('returns a valid request id that was sent', async () => {
  const headers = ['X-Request-ID', 'A.b:c_d-9']
  for (const path of ['/api/products', '/api/products/nothing'])
    expect((await call('GET', path, headers)).headers['x-request-id']).toBe('A.b:c_d-9')
  const unauthorized = await rawCall(client.baseUrl, { path: '/api/products', headers })
  expect(unauthorized.headers['x-request-id']).toBe('A.b:c_d-9')
})

const paths = [...new Set(catalogue.map(({ path }) => path))]
it.each(paths)('refuses every other method of %s with 405 and the methods of the catalogue', async (path) => {
  const declared = catalogue.filter((endpoint) => endpoint.path === path)
  const allowed = declared.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method as string]))
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
    if (allowed.includes(method)) continue
    const response = await call(method, path.replace('{id}', 'x'))
    expect({ method, status: response.status, allow: response.headers.allow }).toEqual({
      method,
      status: 405,
      allow: allowed.join(', '),
    })
    expect(JSON.parse(response.text).errors[0].title).toBe('Method not allowed')
  }
})

const readPaths = catalogue.filter(({ method }) => method === 'GET').map(({ path }) => path)
it.each([
  ...readPaths.map((path) => path.replace('{id}', 'nothing')),
  '/api/products/recorded',
  '/api/products?limit=0',
  // A list of changes of the future is empty, whereas the second of this test may end between the two
  // requests.
  '/api/products?changed_since=2999-01-01T00:00:00Z',
  '/api/products/recorded/',
  '/openapi.json',
  '/api/nothing',
])('responds to HEAD %s as to GET, with the same status and headers and without a body', async (path) => {
  await client.post('/api/products', { id: 'recorded', name: 'Café' })
  const sentHeaders = ['x-request-id', 'read-1']
  const get = await call('GET', path, sentHeaders)
  const head = await call('HEAD', path, sentHeaders)
  // The gateway's own responses have the id that it gives each request.
  const { date: _, 'x-request-id': __, ...headers } = head.headers
  expect({ status: head.status, text: head.text }).toEqual({ status: get.status, text: '' })
  expect(get.headers).toMatchObject(headers)
  expect(Object.keys(head.headers)).toEqual(Object.keys(get.headers))
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(get.text))
})

it('responds to HEAD only with valid credentials, which may be read-only', async () => {
  const { app_id } = client.credentials
  const readOnly = await addApiKey(app_id, { apiKey: newApiKey({ isReadOnly: true }) })
  const readHead = async (key: string) => {
    const headers = ['authorization', `Bearer ${key}`, 'x-app-id', app_id]
    const { status, text } = await rawCall(client.baseUrl, { method: 'HEAD', path: '/api/products', headers })
    return { status, text }
  }
  expect(await readHead(readOnly.api_key)).toEqual({ status: 200, text: '' })
  expect(await readHead(newApiKey())).toEqual({ status: 401, text: '' })
})
