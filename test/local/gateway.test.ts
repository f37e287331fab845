import { serveEvents } from '../support/gateway.ts'

const { call, logLines } = serveEvents()

describe('the path', () => {
  it.each([
    ['/api/products/a', 'a'],
    ['/api/products/a%2Fb%20c%3F%25', 'a%2Fb%20c%3F%25'],
    ['/api/products/%', '%'],
    ['/api/products/%2e%2E', '%2e%2E'],
    ['/api/products/..', '..'],
    ['/api/products/a?limit=1', 'a'],
    ['/api/products/a;b=c@d:e', 'a;b=c@d:e'],
    ['http://localhost:81/api/products/a?x=1', 'a'],
    ['HTTPS://localhost/api/products/a', 'a'],
    ['/api/products/a/', 'a'],
    ['//api/products/a%2F//?x=1', 'a%2F'],
    ['http://localhost//api/products/a', 'a'],
  ])('passes the id in %s on as it was sent', async (target, id) => {
    const { status, json } = await call(target)
    expect([status, json.resource, json.pathParameters]).toEqual([200, '/api/products/{id}', { id }])
  })

  it.each([
    '/',
    '/api',
    '/api//products',
    '/api/products//a',
    '//x/api/products',
    '/api/./products',
    '/api/x/../products',
    '/api/products/a/b',
    '/API/products',
    '/api/product',
    '/api/%70roducts',
    '/api/__proto__',
    '/api/products/../prices/a',
    'http://localhost',
    '/api/products;x',
  ])('finds no route for %s', async (target) => {
    const { status, json } = await call(target)
    expect([status, json.errors[0].title]).toEqual([404, 'Route not found'])
  })

  it.each([
    ['/api/products', '/api/products'],
    ['/api/products/', '/api/products/'],
    ['/api/products//', '/api/products//'],
    ['//api/products', '/api/products'],
    ['///api/products/?limit=1', '/api/products/'],
  ])('ignores the slashes at both ends of %s', async (target, path) => {
    const { status, json } = await call(target)
    expect([status, json.resource, json.pathParameters]).toEqual([200, '/api/products', null])
    // Like the deployed gateway: the event's path has one leading slash, the path in its context all that were sent.
    expect([json.path, json.requestContext.path]).toEqual([path, target.replace(/\?.*/, '')])
  })

  it.each([
    ['/api/product', 'There is no /api/product; did you mean /api/products or /api/products/{id}?'],
    ['/api/costumers/', 'There is no /api/costumers/; did you mean /api/customers or /api/customers/{id}?'],
    [
      '/products/a/prices',
      'There is no /products/a/prices; did you mean /api/products or /api/products/{id}?',
    ],
    ['/openap.json', 'There is no /openap.json; did you mean /openapi.json?'],
    ['/x', /^There is no \/x; known are: \/api\/products, \/api\/products\/\{id\}, .*\/openapi\.json$/],
    [`/${'a'.repeat(300)}`, /^There is no \/a{99}…; known are: /],
  ])('suggests a route for %s', async (target, told) => {
    expect((await call(target)).json.errors[0].detail).toEqual(
      typeof told === 'string' ? told : expect.stringMatching(told),
    )
  })

  it.each(['/see:http://elsewhere/api/products', 'x_y://elsewhere/api/products'])(
    'does not split %s into a host and a path',
    async (target) => {
      expect((await call(target)).status).not.toBe(200)
    },
  )
})

describe('the query', () => {
  it.each<[string, Record<string, string[]> | null]>([
    ['/api/products', null],
    ['/api/products?', null],
    ['/api/products?limit=1&limit=2', { limit: ['1', '2'] }],
    ['/api/products?a=1&b&c=', { a: ['1'], b: [''], c: [''] }],
    ['/api/products?a=%2B+%26%3d%C3%BC', { a: ['+ &=ü'] }],
    ['/api/products?a=b?c=d', { a: ['b?c=d'] }],
    ['/api/products?a=%ff%', { a: ['\ufffd%'] }],
    [
      '/api/products?__proto__=1&constructor=2&__proto__=3',
      JSON.parse('{"__proto__":["1","3"],"constructor":["2"]}'),
    ],
  ])('parses the query of %s', async (target, values) => {
    const { json } = await call(target)
    expect(JSON.stringify(json.multiValueQueryStringParameters)).toBe(JSON.stringify(values))
    const last = values && Object.entries(values).map(([name, all]) => [name, all.at(-1)])
    expect(json.queryStringParameters && Object.entries(json.queryStringParameters)).toEqual(last)
  })
})

describe('headers', () => {
  it('keeps the case and all values of headers', async () => {
    const repeated = ['X-App-ID: one', 'x-app-id: two', 'X-App-ID: three']
    const headers = [...repeated, '__proto__: four', 'constructor: five']
    const { json } = await call('/api/products', { headers })
    expect(json.multiValueHeaders['X-App-ID']).toEqual(['one', 'three'])
    expect([json.headers['X-App-ID'], json.headers['x-app-id']]).toEqual(['three', 'two'])
    expect(Object.entries(json.headers)).toContainEqual(['__proto__', 'four'])
    expect(Object.entries(json.headers)).toContainEqual(['constructor', 'five'])
    expect(({} as Record<string, unknown>).four).toBeUndefined()
    expect(Object.keys(json.headers)).not.toContain('undefined')
  })

  it.each(['/nowhere', '/api/products'])(
    'generates the request id for %s itself, whatever the client sends',
    async (target) => {
      const { head } = await call(target, { method: 'PATCH', headers: ['x-request-id: mine-1'] })
      const id = /^x-request-id: (.*)\r$/im.exec(head)?.[1]
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(JSON.parse(logLines.at(-1)!)).toMatchObject({ request_id: id, route: 'gateway' })
    },
  )
})
