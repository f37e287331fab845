import { customerBody, productBody } from '../support/requests/bodies.ts'
import { rawCallAs } from '../support/requests/raw-http.ts'
import { clientForTests, serveForTests } from '../support/requests/service.ts'

serveForTests()

const client = clientForTests()

const sendBody = (method: string, path: string, headers: string[], body: string | Uint8Array) =>
  rawCallAs(client, { method, path, headers, body })

const createProduct = (headers: string[], body: string | Uint8Array) =>
  sendBody('POST', '/api/products', headers, body)
const productJson = () => JSON.stringify(productBody())

it.each<[number, string[]]>([
  [200, []],
  [200, ['content-type', 'APPLICATION/JSON']],
  [200, ['content-type', 'application/json;charset="UTF-8"']],
  [200, ['content-type', 'application/json;']],
  [200, ['content-type', 'application/vnd.api-1.x+json']],
  [200, ['content-type', 'application/json; profile=x; charset=utf-8']],
  [200, ['content-type', 'application/json ; charset = utf8 ']],
  [200, ['content-encoding', 'IDENTITY']],
  [200, ['content-encoding', '']],
  [415, ['content-type', 'text/json']],
  [415, ['content-type', 'application/jsonp']],
  [415, ['content-type', 'application/json; charset=utf-16']],
  [415, ['content-type', 'x application/json']],
  [415, ['content-type', 'application/json; charset']],
  [415, ['content-type', 'application/json; charset=utf-8, text/plain']],
  [415, ['content-type', 'application/json; ;']],
  [415, ['content-type', 'application/+json']],
  [415, ['content-type', 'application/json', 'Content-Type', 'text/plain']],
  [415, ['Content-Encoding', 'br']],
  [415, ['Content-Encoding', 'deflate, gzip']],
])('responds with %i to a body with the headers %j', async (status, headers) => {
  expect((await createProduct(headers, productJson())).status).toBe(status)
})

const MAX_BYTES = 256 * 1024

it.each([MAX_BYTES - 1, MAX_BYTES])('reads and validates a body of %i bytes', async (bytes) => {
  const withoutName = JSON.stringify({ id: 'large', name: '' })
  const name = 'x'.repeat(bytes - withoutName.length)
  const { status, text } = await createProduct([], JSON.stringify({ id: 'large', name }))
  expect(status).toBe(422)
  expect(JSON.parse(text).errors[0].detail).toMatch(/^name must be/)
})

it.each<[string, string]>([
  ['one byte too many', 'x'.repeat(MAX_BYTES + 1)],
  ['one character of two bytes too many', 'ü'.repeat(MAX_BYTES / 2 + 1)],
])('refuses with 413 a body with %s', async (_, body) => {
  expect((await createProduct([], body)).status).toBe(413)
  expect((await sendBody('PUT', '/api/customers/x', [], body)).status).toBe(413)
})

it.each([33, 1_000, 60_000])('refuses with 422 a body of %i levels, and names the place', async (levels) => {
  const lists = levels - 1
  const { status, text } = await createProduct(
    [],
    `{"id":"1","name":${'['.repeat(lists)}${']'.repeat(lists)}}`,
  )
  expect(status).toBe(422)
  const details = JSON.parse(text).errors.map(({ detail }: { detail: string }) => detail)
  expect(details).toContainEqual(
    expect.stringMatching(/^name\[0].* must be nested at most 32 levels deep\.$/),
  )
})

const latin1Body = Buffer.from('{"id":"latin1","name":"Zo\xeb"}', 'latin1')
const notJson = 'The body must be a JSON object such as {"id": "1"}; at line'

it.each<[string, string | Buffer, string]>([
  ['only white space', ' \n ', `${notJson} 2, column 2 it needs a value, not the end of the body.`],
  [
    'single quotes on its third line',
    '{\r\n  "id": "1",\r\n  \'name\': "Ann Example"\r\n}',
    `${notJson} 3, column 3 it needs a field name in double quotes, not "'".`,
  ],
  ['a byte order mark', `\ufeff${productJson()}`, `${notJson} 1, column 1 it needs a value, not U+FEFF.`],
  ['text after its value', '{"id":1}😀', `${notJson} 1, column 9 it needs the end of the body, not "😀".`],
  ['a character in another encoding', latin1Body, 'The body must be JSON in UTF-8; its byte 26 is not.'],
  [
    'an incomplete character at its end',
    Buffer.from('{\xef\xbf', 'latin1'),
    'The body must be JSON in UTF-8; its byte 3 is not.',
  ],
])('refuses with 400 a body with %s, and names the place', async (_, body, detail) => {
  const { status, text } = await createProduct([], body)
  expect(status).toBe(400)
  expect(JSON.parse(text).errors).toEqual([expect.objectContaining({ detail })])
})

it('accepts a PUT without bytes as an erasure, whatever its content type', async () => {
  const { id } = await client.create('/api/customers', customerBody())
  const { status } = await sendBody('PUT', `/api/customers/${id}`, ['content-type', 'text/plain'], '')
  expect(status).toBe(200)
})

it('ignores the body of a GET', async () => {
  const { status } = await sendBody('GET', '/api/products', ['content-type', 'text/plain'], 'not { JSON')
  expect(status).toBe(200)
})
