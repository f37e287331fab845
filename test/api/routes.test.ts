import { catalogue } from '../../shared/catalogue.ts'
import { rawCall, rawCallAs } from '../support/raw-http.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
})

const raw = (method: string, path: string, headers: string[] = []) =>
  rawCallAs(client, { method, path, headers })

const sane = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

// request.test.ts shows which request ids are valid, and gateway.test.ts that the gateway makes its own.
it('returns the valid request id that was sent', async () => {
  const headers = ['X-Request-ID', 'A.b:c_d-9']
  for (const path of ['/api/products', '/api/products/nothing'])
    expect((await raw('GET', path, headers)).headers['x-request-id']).toBe('A.b:c_d-9')
  const unauthorized = await rawCall(client.baseUrl, { path: '/api/products', headers })
  expect(unauthorized.headers['x-request-id']).toBe('A.b:c_d-9')
})

const paths = [...new Set(catalogue.map(({ path }) => path))]
it.each(paths)('refuses every other method of %s with 405 and the methods of the catalogue', async (path) => {
  const here = catalogue.filter((endpoint) => endpoint.path === path).map(({ method }) => String(method))
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
    if (here.includes(method)) continue
    const response = await raw(method, path.replace('{id}', 'x'))
    expect({ method, status: response.status, allow: response.headers.allow }).toEqual({
      method,
      status: 405,
      allow: here.join(', '),
    })
    if (method === 'HEAD') expect(response.text).toBe('')
    else expect(JSON.parse(response.text).errors[0].title).toBe('Method not allowed')
  }
})

it('responds to HEAD with the common headers and no body', async () => {
  const { headers, text } = await raw('HEAD', '/api/nothing')
  expect(text).toBe('')
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(sane),
  })
  expect(Number(headers['content-length'])).toBeGreaterThan(0)
})
