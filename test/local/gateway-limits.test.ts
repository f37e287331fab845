import { errorSchema } from '../../shared/api/response-schema.ts'
import { GATEWAY_BODY_BYTES } from '../../shared/local/gateway.ts'
import { serveEvents } from '../support/gateway.ts'

const { call, sendRaw, leave } = serveEvents()

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
    await leave('POST /api/products HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\n{')
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
