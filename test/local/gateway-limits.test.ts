import { readFileSync } from 'node:fs'
import { EVENT_BYTES, GATEWAY_BODY_BYTES } from '../../tools/local/gateway.ts'
import { serveEvents } from '../support/gateway.ts'

describe('a body', () => {
  const { call, sendRaw, sendOn } = serveEvents()

  it.each([
    ['no bytes', '', null],
    ['one byte', ' ', 4],
  ])('passes on a body of %s', async (_, body, length) => {
    const { json } = await call('/api/products', { method: 'POST', body })
    expect([json.body, json.isBase64Encoded]).toEqual([length, length !== null])
  })

  it('joins the chunks of a body', async () => {
    const { json } = await call('/api/products', {
      method: 'POST',
      headers: ['transfer-encoding: chunked', '', '1', '{', '1', '}', '0', '', ''],
    })
    expect(json.body).toBe(4)
  })

  const post = (bytes: number) => call('/api/products', { method: 'POST', body: ' '.repeat(bytes) })

  it('passes on the largest body that Lambda accepts', async () => {
    // Base64 makes the body a third longer, and the event contains more than the body.
    const bytes = (EVENT_BYTES * 3) / 4 - 1_200
    const { status, json } = await post(bytes)
    expect([status, json.body]).toEqual([200, (bytes * 4) / 3])
  })

  it.each([(EVENT_BYTES * 3) / 4, GATEWAY_BODY_BYTES])(
    'refuses a body of %i bytes, more than Lambda accepts, with 413 in the envelope',
    async (bytes) => {
      const { status, head, json } = await post(bytes)
      const detail = `The body must be at most 262144 bytes (got ${bytes}).`
      expect([status, json.errors]).toEqual([413, [{ code: 413, title: 'Body too large', detail }]])
      expect(head).toMatch(/^x-request-id: [\w-]{36}\r$/im)
    },
  )

  it.each([1, 8 * 1024 * 1024])(
    'refuses a body that is %i bytes over 10 MiB with 413 in the words of the gateway',
    async (more) => {
      const { status, head, text } = await post(GATEWAY_BODY_BYTES + more)
      expect([status, text]).toEqual([413, 'HTTP content length exceeded 10485760 bytes.'])
      expect(head).toMatch(/^content-type: text\/plain/im)
    },
  )

  it('does not read a body to an unknown route, and closes the connection', async () => {
    const { status, head } = await sendRaw(
      'POST /nowhere HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99\r\n\r\n',
    )
    expect([status, /^connection: (.*)$/im.exec(head)?.[1]]).toEqual([404, 'close'])
  })

  it('keeps the connection open after a body that was read', async () => {
    const first = 'GET /api/products HTTP/1.1\r\nhost: localhost\r\n\r\n'
    const { head } = await sendRaw(
      `${first}GET /nowhere HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
    )
    expect(head).toMatch(/^connection: keep-alive$/im)
  })

  it.each([
    ['in chunks', 'transfer-encoding: chunked', '100000\r\n'],
    ['as long as its length says', `content-length: ${Number.MAX_SAFE_INTEGER}`, ''],
  ])('refuses an endless body, %s, and reads no more of it', async (_, header, before) => {
    const part = Buffer.concat([
      Buffer.from(before),
      Buffer.alloc(0x100000, ' '),
      Buffer.from(before && '\r\n'),
    ])
    const { head, sent } = await sendOn(
      `POST /api/products HTTP/1.1\r\nhost: localhost\r\n${header}\r\n\r\n`,
      part,
    )
    expect(head).toMatch(/^HTTP\/1\.1 413 .*^connection: close$/ims)
    expect(sent).toBeLessThan(4 * GATEWAY_BODY_BYTES)
  })
})

describe('the HTTP server', () => {
  const { sendRaw } = serveEvents()
  const long = 'A'.repeat(10_240)
  const host = 'host: localhost\r\n\r\n'

  it.each<[string, string, number]>([
    ['without a request line', 'hello\r\n\r\n', 400],
    ['with bytes in the target that are not ASCII', `GET /api/products/ü HTTP/1.1\r\n${host}`, 400],
    ['with a space in the target', `GET /api/products/a b HTTP/1.1\r\n${host}`, 400],
    ['without a host', 'GET /api/products HTTP/1.1\r\n\r\n', 400],
    ['with an unknown expectation', `GET /api/products HTTP/1.1\r\nexpect: more\r\n${host}`, 417],
    ['with a target of more than 10,240 bytes', `GET /api/products?cursor=${long} HTTP/1.1\r\n${host}`, 431],
    [
      'with a header of more than 10,240 bytes',
      `GET /api/products HTTP/1.1\r\nx-header: ${long}\r\n${host}`,
      431,
    ],
    ['with such a header in HEAD', `HEAD /api/products HTTP/1.1\r\nx-header: ${long}\r\n${host}`, 431],
  ])('refuses a request %s with a status that the guide explains, and no body', async (_, text, expected) => {
    const response = await sendRaw(text.replace(host, `connection: close\r\n${host}`))
    expect(response.status).toBe(expected)
    // No body, or an empty chunked one.
    expect(response.text).toMatch(/^0?$/)
    expect(readFileSync('docs/errors.md', 'utf8')).toContain(`${expected} `)
  })

  it('does not respond to CONNECT', async () => {
    expect((await sendRaw(`CONNECT localhost:1 HTTP/1.1\r\n${host}`)).head).toBe('')
  })
})

describe('the gateway', () => {
  const { call, sendRaw, leave, logLines } = serveEvents(async ({ id }) => {
    throw new Error(`${id} does not load`)
  })

  it('logs why a handler fails, and does not tell the client', async () => {
    const { status, json } = await call('/api/products')
    expect([status, json.errors[0].title]).toEqual([500, 'Internal error'])
    expect(JSON.stringify(json)).not.toMatch(/load/)
    const error = expect.objectContaining({ message: 'products.list does not load' })
    expect(logLines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'error', route: 'gateway', status: 500, error }),
    ])
  })

  it('does not log that a client disconnects before the end of its body', async () => {
    const before = logLines.length
    await leave('POST /api/products HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99\r\n\r\n{')
    await sendRaw('GET /nowhere HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
    expect(logLines.slice(before).map((line) => JSON.parse(line).status)).toEqual([404])
  })
})
