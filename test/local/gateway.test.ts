import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { currentService } from '../../shared/store/service.ts'
import { EVENT_BYTES, GATEWAY_BODY_BYTES } from '../../tools/local/gateway.ts'
import { createLocalServer, listen } from '../../tools/local/http-server.ts'
import { createGateway, type HandlerLoader } from '../../tools/local/server.ts'

/** They respond with their event and the length of its body. The functions of customers do not load. */
const load: HandlerLoader = async ({ id }) => {
  if (id.startsWith('customers')) throw new Error(`${id} does not load`)
  return async (event) => ({
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...event, body: event.body?.length ?? null }),
  })
}

const server = createGateway(load)
let logLines: string[] = []
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'))
beforeEach(() => {
  logLines = []
  currentService().log = (line) => logLines.push(line)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const logEntries = () => logLines.map((line) => JSON.parse(line))

/**
 * Opens a connection and sends raw text. The server may close the connection before it has received all of
 * the text.
 */
const openSocket = (text: string): Socket => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
  socket.write(text)
  return socket
}
const untilClosed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))

/** Returns the first response once the connection has ended; `json` is undefined for other bodies. */
const sendRaw = async (text: string) => {
  let received = ''
  const socket = openSocket(text).on('data', (chunk) => {
    received += chunk
  })
  await untilClosed(socket)
  const [head = '', rest = ''] = received.split('\r\n\r\n')
  // A second response may follow.
  const body = rest.slice(0, Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? rest.length))
  const isJson = /^content-type: application\/json/im.test(head) && body !== ''
  return { status: Number(head.split(' ')[1]), head, text: body, json: isJson ? JSON.parse(body) : undefined }
}

const call = (target: string, { method = 'GET', headers = [] as string[], body = '' } = {}) => {
  const length = body ? [`content-length: ${Buffer.byteLength(body)}`] : []
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'host: localhost',
    'connection: close',
    ...length,
    ...headers,
  ]
  return sendRaw([...lines, '', body].join('\r\n'))
}
const post = (body: string) => call('/api/products', { method: 'POST', body })

describe('the path', () => {
  it.each([
    ['/api/products/a%2Fb%20c%3F%25', 'a%2Fb%20c%3F%25'],
    ['/api/products/%', '%'],
    ['/api/products/..', '..'],
    ['/api/products/a?limit=1', 'a'],
    ['/api/products/a;b=c@d:e', 'a;b=c@d:e'],
    ['http://localhost:81/api/products/a?x=1', 'a'],
    ['HTTPS://localhost//api/products/a', 'a'],
    ['//api/products/a%2F//?x=1', 'a%2F'],
  ])('passes the id in %s on as it was sent', async (target, id) => {
    const { status, json } = await call(target)
    expect({ status, resource: json.resource, pathParameters: json.pathParameters }).toEqual({
      status: 200,
      resource: '/api/products/{id}',
      pathParameters: { id },
    })
  })

  it.each([
    '/',
    '/api//products',
    '/api/products//a',
    '/api/x/../products',
    '/api/products/a/b',
    '/API/products',
    '/api/%70roducts',
    '/api/__proto__',
    'http://localhost',
    '/api/products;x',
    '/see:http://elsewhere/api/products',
  ])('finds no route for %s', async (target) => {
    const { status, json } = await call(target)
    expect(status).toBe(404)
    expect(json.errors[0].title).toBe('Route not found')
  })

  it.each([
    ['/api/products//', '/api/products//'],
    ['///api/products/?limit=1', '/api/products/'],
  ])('ignores the slashes at both ends of %s', async (target, path) => {
    const { status, json } = await call(target)
    expect({ status, resource: json.resource, pathParameters: json.pathParameters }).toEqual({
      status: 200,
      resource: '/api/products',
      pathParameters: null,
    })
    // As on the deployed gateway, the event's path has one leading slash, and the path in its context has all
    // that were sent.
    expect(json.path).toEqual(path)
    expect(json.requestContext.path).toEqual(target.replace(/\?.*/, ''))
  })

  it.each([
    ['/api/costumers/', '/api/costumers/; did you mean /api/customers or /api/customers/{id}?'],
    ['/products/a/prices', '/products/a/prices; did you mean /api/products or /api/products/{id}?'],
    ['/openap.json', '/openap.json; did you mean /openapi.json?'],
    ['/x', /^There is no \/x; use one of: \/api\/products, \/api\/products\/\{id\}, .*\/openapi\.json/],
    [`/${'a'.repeat(300)}`, /^There is no \/a{99}…; use one of: /],
  ])('suggests a route for %s', async (target, message) => {
    const detail = typeof message === 'string' ? `There is no ${message}` : expect.stringMatching(message)
    expect((await call(target)).json.errors[0]).toMatchObject({ detail })
  })
})

it.each<[string, string]>([
  ['', 'null'],
  ['?', 'null'],
  ['?limit=1&limit=2', '{"limit":["1","2"]}'],
  ['?a=1&b&c=', '{"a":["1"],"b":[""],"c":[""]}'],
  ['?a=%2B+%26%3d%C3%BC', '{"a":["+ &=ü"]}'],
  ['?a=b?c=d', '{"a":["b?c=d"]}'],
  ['?a=%ff%', '{"a":["\ufffd%"]}'],
  ['?__proto__=1&constructor=2&__proto__=3', '{"__proto__":["1","3"],"constructor":["2"]}'],
])('parses the query "%s"', async (query, values) => {
  const { json } = await call(`/api/products${query}`)
  expect(JSON.stringify(json.multiValueQueryStringParameters)).toBe(values)
  const last = Object.entries<string[]>(JSON.parse(values) ?? {}).map(([name, all]) => [name, all.at(-1)])
  expect(Object.entries(json.queryStringParameters ?? {})).toEqual(last)
})

describe('headers', () => {
  it('keeps the case and all values of headers', async () => {
    const repeated = ['X-App-ID: one', 'x-app-id: two', 'X-App-ID: three']
    const { json } = await call('/api/products', { headers: [...repeated, '__proto__: four'] })
    expect(json.multiValueHeaders['X-App-ID']).toEqual(['one', 'three'])
    expect(json.headers['X-App-ID']).toBe('three')
    expect(json.headers['x-app-id']).toBe('two')
    expect(Object.entries(json.headers)).toContainEqual(['__proto__', 'four'])
  })

  it.each(['/nowhere', '/api/products'])(
    'generates the request id for %s itself, whatever the client sends',
    async (target) => {
      const { head } = await call(target, { method: 'PATCH', headers: ['x-request-id: mine-1'] })
      const request_id = /^x-request-id: ([0-9a-f-]{36})\r$/im.exec(head)?.[1]
      expect(logEntries()).toEqual([expect.objectContaining({ request_id, route: 'gateway' })])
    },
  )
})

describe('a body', () => {
  it.each([
    ['no bytes', '', null],
    ['one byte', ' ', 4],
    // Base64 makes the body a third longer, and the event contains more than the body.
    ['the most bytes that Lambda accepts', ' '.repeat((EVENT_BYTES * 3) / 4 - 1_200), EVENT_BYTES - 1_600],
  ])('is forwarded if it has %s', async (_, body, length) => {
    const { status, json } = await post(body)
    expect({ status, body: json.body, isBase64Encoded: json.isBase64Encoded }).toEqual({
      status: 200,
      body: length,
      isBase64Encoded: length !== null,
    })
  })

  it('is forwarded as a whole if it is sent in chunks', async () => {
    const headers = ['transfer-encoding: chunked', '', '1', '{', '1', '}', '0', '', '']
    expect((await call('/api/products', { method: 'POST', headers })).json.body).toBe(4)
  })

  it.each([(EVENT_BYTES * 3) / 4, GATEWAY_BODY_BYTES])(
    'of %i bytes, more than Lambda accepts, is refused with 413 in the envelope',
    async (bytes) => {
      const { status, head, json } = await post(' '.repeat(bytes))
      const detail = `The body must be at most 262144 bytes (got ${bytes}).`
      expect({ status, errors: json.errors }).toEqual({
        status: 413,
        errors: [{ code: 413, title: 'Body too large', detail }],
      })
      expect(head).toMatch(/^x-request-id: [\w-]{36}\r$/im)
    },
  )

  it.each([1, 8 * 1024 * 1024])(
    'that is %i bytes over 10 MiB is refused with 413 and the message of the deployed gateway',
    async (excess) => {
      const { status, head, text } = await post(' '.repeat(GATEWAY_BODY_BYTES + excess))
      expect({ status, text }).toEqual({ status: 413, text: 'HTTP content length exceeded 10485760 bytes.' })
      expect(head).toMatch(/^content-type: text\/plain/im)
    },
  )

  it('is not read on an unknown route, and the connection is closed', async () => {
    const { status, head } = await sendRaw(
      'POST /nowhere HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99\r\n\r\n',
    )
    expect(status).toBe(404)
    expect(/^connection: (.*)$/im.exec(head)?.[1]).toBe('close')
  })

  it.each([
    ['in chunks', 'transfer-encoding: chunked', '100000\r\n', '\r\n'],
    ['of the length in its header', `content-length: ${Number.MAX_SAFE_INTEGER}`, '', ''],
  ])('that does not end, %s, is refused before it is read to the end', async (_, header, before, after) => {
    const socket = openSocket(`POST /api/products HTTP/1.1\r\nhost: localhost\r\n${header}\r\n\r\n`)
    let head = ''
    socket.on('data', (chunk) => {
      head += chunk
    })
    const closed = untilClosed(socket)
    while (!socket.destroyed && socket.bytesWritten < 4 * GATEWAY_BODY_BYTES)
      if (!socket.write(`${before}${' '.repeat(0x100000)}${after}`))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
    expect(socket.destroyed).toBe(true)
    expect(head).toEqual(expect.stringMatching(/^HTTP\/1\.1 413 .*^connection: close$/ims))
  })
})

const hostHeader = 'host: localhost\r\n\r\n'
const longText = 'A'.repeat(10_240)

it.each<[string, string, number]>([
  ['without a request line', 'hello\r\n\r\n', 400],
  ['with bytes in the target that are not ASCII', `GET /api/products/ü HTTP/1.1\r\n${hostHeader}`, 400],
  ['without a host', 'GET /api/products HTTP/1.1\r\n\r\n', 400],
  ['with an unknown expectation', `GET /api/products HTTP/1.1\r\nexpect: more\r\n${hostHeader}`, 417],
  [
    'with a target of more than 10,240 bytes',
    `GET /api/products?cursor=${longText} HTTP/1.1\r\n${hostHeader}`,
    431,
  ],
  [
    'with a header of more than 10,240 bytes',
    `HEAD /api/products HTTP/1.1\r\nx-header: ${longText}\r\n${hostHeader}`,
    431,
  ],
])('refuses a request %s with a status that the guide explains, and no body', async (_, text, expected) => {
  const response = await sendRaw(text.replace(hostHeader, `connection: close\r\n${hostHeader}`))
  expect(response.status).toBe(expected)
  // No body, or an empty chunked one.
  expect(response.text).toMatch(/^0?$/)
  expect(readFileSync('docs/errors.md', 'utf8')).toContain(`${expected} `)
})

it('does not respond to CONNECT', async () => {
  expect((await sendRaw(`CONNECT localhost:1 HTTP/1.1\r\n${hostHeader}`)).head).toBe('')
})

it('keeps the connection open after a request that was read', async () => {
  const lastRequest = `GET /nowhere HTTP/1.1\r\nconnection: close\r\n${hostHeader}`
  const { head } = await sendRaw(`GET /api/products HTTP/1.1\r\n${hostHeader}${lastRequest}`)
  expect(head).toMatch(/^connection: keep-alive$/im)
})

it('logs the reason why a handler fails, and does not send it to the client', async () => {
  const { status, json } = await call('/api/customers')
  expect(status).toBe(500)
  expect(json.errors[0].title).toBe('Internal error')
  expect(JSON.stringify(json)).not.toMatch(/load/)
  const error = expect.objectContaining({ message: 'customers.list does not load' })
  expect(logEntries()).toEqual([
    expect.objectContaining({ level: 'error', route: 'gateway', status: 500, error }),
  ])
})

it('does not log that a client disconnects before the end of its body', async () => {
  const socket = openSocket('POST /api/products HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99\r\n\r\n{')
  await once(socket, 'connect')
  socket.destroySoon()
  await call('/nowhere')
  expect(logEntries().map(({ status }) => status)).toEqual([404])
})

it.each([
  ['limits the connections of a server that other machines can reach', '0.0.0.0', 1_000],
  ['limits no connections of a server on a loopback address', '127.0.0.1', undefined],
])('%s', async (_, host, limit) => {
  const server: Server = createLocalServer((_request, response) => response.end())
  await listen(server, { host, port: 0 })
  expect(server.maxConnections).toBe(limit)
  server.close()
})
