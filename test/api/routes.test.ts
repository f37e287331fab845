import { catalogue } from '../../shared/catalogue.ts'
import { inParallel } from '../support/lists.ts'
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

// request.test.ts shows which request ids are valid.
describe('every response carries a request id', () => {
  it.each(['A.b:c_d-9', 'x'.repeat(128)])('the valid one that was sent: %s', async (id) => {
    for (const path of ['/api/products', '/api/products/nothing'])
      expect((await raw('GET', path, ['X-Request-ID', id])).headers['x-request-id']).toBe(id)
    const unauthorized = { path: '/api/products', headers: ['x-request-id', id] }
    expect((await rawCall(client.baseUrl, unauthorized)).headers['x-request-id']).toBe(id)
  })

  it.each(['', 'x'.repeat(129), 'é', '<script>'])('a new one otherwise: %j', async (id) => {
    const ids = await inParallel(['/api/products', '/api/products', '/api/nothing'], async (path) =>
      String((await raw('GET', path, ['x-request-id', id])).headers['x-request-id']),
    )
    expect(ids.filter((each) => sane.test(each))).toHaveLength(3)
    expect(new Set(ids).size).toBe(3)
  })

  it.each([
    ['GET', '/api/nothing'],
    ['DELETE', '/api/products'],
  ])('the gateway’s id if no function responds: %s %s', async (method, path) => {
    expect((await raw(method, path, ['x-request-id', 'mine'])).headers['x-request-id']).toMatch(sane)
  })
})

describe('unknown methods', () => {
  const paths = [...new Set(catalogue.map(({ path }) => path))]
  it.each(paths)('%s allows the methods of the catalogue', async (path) => {
    const here = catalogue.filter((endpoint) => endpoint.path === path).map(({ method }) => String(method))
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      if (here.includes(method)) continue
      const response = await raw(method, path.replace('{id}', 'x'))
      expect([method, response.status, response.headers.allow]).toEqual([method, 405, here.join(', ')])
      if (method === 'HEAD') expect(response.text).toBe('')
      else expect(JSON.parse(response.text).errors[0].title).toBe('Method not allowed')
    }
  })

  it('HEAD returns the common headers and no body', async () => {
    for (const path of ['/api/products', '/api/nothing']) {
      const { headers, text } = await raw('HEAD', path)
      expect(text).toBe('')
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-request-id': expect.stringMatching(sane),
      })
      expect(Number(headers['content-length'])).toBeGreaterThan(0)
    }
  })
})
