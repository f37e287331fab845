import { type AddressInfo, connect } from 'node:net'
import { errorSchema } from '../../shared/api/response-schema.ts'
import { GATEWAY_BODY_BYTES } from '../../shared/local/gateway.ts'
import { createGateway } from '../../shared/local/server.ts'

/** Answers with the event that it is given, so that a test sees what a function would. */
const server = createGateway(async () => async (event) => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ ...event, body: event.body?.length ?? null }),
}))
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Sends text as it is and returns the status and the JSON of the answer. */
const sendRaw = (
  text: string | Uint8Array,
): Promise<{ status: number; head: string; json: ReturnType<typeof JSON.parse> }> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', reject)
    socket.on('end', () => {
      const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n')
      resolve({ status: Number(head.split(' ')[1]), head, json: body === '' ? undefined : JSON.parse(body) })
    })
    socket.write(text)
  })

const call = (target: string, { method = 'GET', headers = [] as string[], body = '' } = {}) =>
  sendRaw(
    [
      `${method} ${target} HTTP/1.1`,
      'host: x',
      'connection: close',
      ...(body ? [`content-length: ${Buffer.byteLength(body)}`] : []),
      ...headers,
      '',
      body,
    ].join('\r\n'),
  )

describe('the path', () => {
  it.each([
    ['/api/products/a', 'a'],
    ['/api/products/a%2Fb%20c%3F%25', 'a%2Fb%20c%3F%25'],
    ['/api/products/%', '%'],
    ['/api/products/%2e%2E', '%2e%2E'],
    ['/api/products/..', '..'],
    ['/api/products/a?limit=1', 'a'],
    ['/api/products/a;b=c@d:e', 'a;b=c@d:e'],
    ['http://elsewhere:81/api/products/a?x=1', 'a'],
    ['HTTPS://elsewhere/api/products/a', 'a'],
  ])('%s hands on its id as it was sent', async (target, id) => {
    const { status, json } = await call(target)
    expect([status, json.resource, json.pathParameters]).toEqual([200, '/api/products/{id}', { id }])
  })

  it.each([
    '/',
    '/api',
    '/api/',
    '/api/products/',
    '/api/products//',
    '//api/products',
    '/api//products',
    '//x/api/products',
    '/api/./products',
    '/api/x/../products',
    '/api/products/a/b',
    '/api/products/a/',
    '/API/products',
    '/api/Products',
    '/api/product',
    '/products',
    '/api/%70roducts',
    '/api/__proto__',
    '/api/products/../prices/a',
    'http://elsewhere',
    'http://elsewhere/',
  ])('%s is no route', async (target) => {
    const { status, json } = await call(target)
    expect([status, json.errors[0].title]).toEqual([404, 'Route not found'])
  })

  it.each([
    ['PATCH', '/api/products', 'GET, POST'],
    ['DELETE', '/api/products/a', 'GET'],
    ['POST', '/api/customers/a', 'GET, PUT'],
    ['PUT', '/api/subscriptions', 'GET'],
    ['OPTIONS', '/api/invoices/a', 'GET'],
  ])('%s %s is not allowed and says what is', async (method, target, allow) => {
    const { status, head, json } = await call(target, { method })
    expect([status, json.errors[0].code]).toEqual([405, 405])
    expect(head.toLowerCase()).toContain(`allow: ${allow.toLowerCase()}`)
  })

  it('answers HEAD as the gateway does, without a body', async () => {
    const { status, head, json } = await call('/api/products', { method: 'HEAD' })
    expect([status, json]).toEqual([405, undefined])
    expect(head.toLowerCase()).toContain('allow: get, post')
  })
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
  ])('%s', async (target, values) => {
    const { json } = await call(target)
    expect(JSON.stringify(json.multiValueQueryStringParameters)).toBe(JSON.stringify(values))
    const last = values && Object.entries(values).map(([name, all]) => [name, all.at(-1)])
    expect(json.queryStringParameters && Object.entries(json.queryStringParameters)).toEqual(last)
  })
})

describe('headers', () => {
  it('keep their case and all of their values', async () => {
    const own = ['X-App-ID: one', 'x-app-id: two', 'X-App-ID: three']
    const headers = [...own, '__proto__: four', 'constructor: five']
    const { json } = await call('/api/products', { headers })
    expect(json.multiValueHeaders['X-App-ID']).toEqual(['one', 'three'])
    expect([json.headers['X-App-ID'], json.headers['x-app-id']]).toEqual(['three', 'two'])
    expect(Object.entries(json.headers)).toContainEqual(['__proto__', 'four'])
    expect(Object.entries(json.headers)).toContainEqual(['constructor', 'five'])
    expect(({} as Record<string, unknown>).four).toBeUndefined()
  })
})

describe('a body', () => {
  it.each([
    ['none', '', null],
    ['one byte', ' ', 4],
  ])('of %s', async (_, body, length) => {
    const { json } = await call('/api/products', { method: 'POST', body })
    expect([json.body, json.isBase64Encoded]).toEqual([length, length !== null])
  })

  it('in chunks is one body', async () => {
    const { json } = await call('/api/products', {
      method: 'POST',
      headers: ['transfer-encoding: chunked', '', '1', '{', '1', '}', '0', '', ''],
    })
    expect(json.body).toBe(4)
  })

  it("of the gateway's limit is handed on, and over it is refused with 413 and not handed on", async () => {
    const post = (bytes: number) => call('/api/products', { method: 'POST', body: ' '.repeat(bytes) })
    expect((await post(GATEWAY_BODY_BYTES)).status).toBe(200)
    for (const more of [1, 8 * 1024 * 1024]) {
      const { status, json } = await post(GATEWAY_BODY_BYTES + more)
      expect([status, json.errors[0].code]).toEqual([413, 413])
    }
  })

  it('to no route is not waited for', async () => {
    const { status } = await sendRaw('POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\n')
    expect(status).toBe(404)
  })

  it('that is cut off harms nobody else', async () => {
    const socket = connect(port, '127.0.0.1')
    await new Promise<void>((resolve) =>
      socket.write('POST /api/products HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\n{', () => resolve()),
    )
    socket.destroy()
    expect((await call('/api/products')).status).toBe(200)
  })
})

describe('what is not HTTP', () => {
  it.each([
    ['no request line', 'hello\r\n\r\n', 400],
    ['bytes in the target that are not ASCII', 'GET /api/products/ü HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['a space in the target', 'GET /api/products/a b HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['headers of 20 kB', `GET /api/products?cursor=${'A'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
  ])('%s is refused in the envelope', async (_, text, expected) => {
    const { status, json } = await sendRaw(text)
    expect([status, json.errors[0].code]).toEqual([expected, expected])
    expect(Object.keys(json)).toEqual(Object.keys(errorSchema.properties ?? {}))
  })
})
