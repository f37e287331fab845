import { customerBody, productBody } from '../support/requests/bodies.ts'
import { rawCallAs } from '../support/requests/raw-http.ts'
import { type Client, newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
})

const raw = (method: string, path: string, headers: string[], body: string | Uint8Array) =>
  rawCallAs(client, { method, path, headers, body })

// docs/errors.md has the common mistakes, which mistakes.test.ts sends; these are others.
const send = (headers: string[], body: string | Uint8Array) => raw('POST', '/api/products', headers, body)
const product = () => JSON.stringify(productBody())

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
  expect((await send(headers, product())).status).toBe(status)
})

it.each([256 * 1024 - 1, 256 * 1024])('accepts a body of %i bytes', async (bytes) => {
  const body = JSON.stringify({ id: 'large', name: 'x' }).slice(0, -2)
  const { status, text } = await send([], `${body}${'x'.repeat(bytes - body.length - 2)}"}`)
  expect(status).toBe(422)
  expect(JSON.parse(text).errors[0].detail).toEqual(expect.stringMatching(/^name must be/))
})

it.each<[string, string]>([
  ['one byte too many', 'x'.repeat(256 * 1024 + 1)],
  ['one character of two bytes too many', 'ü'.repeat(128 * 1024 + 1)],
])('refuses a body of %s with 413', async (_, body) => {
  expect((await send([], body)).status).toBe(413)
  expect((await raw('PUT', '/api/customers/x', [], body)).status).toBe(413)
})

it.each([33, 1_000, 60_000])('refuses a body of %i levels with 422, and names the place', async (levels) => {
  const lists = levels - 1
  const { status, text } = await send([], `{"id":"1","name":${'['.repeat(lists)}${']'.repeat(lists)}}`)
  expect(status).toBe(422)
  const details = JSON.parse(text).errors.map(({ detail }: { detail: string }) => detail)
  expect(details).toContainEqual(
    expect.stringMatching(/^name\[0].* must be nested at most 32 levels deep\.$/),
  )
})

const latin1 = Buffer.from('{"id":"latin1","name":"Zo\xeb"}', 'latin1')
const start = 'The body must be a JSON object such as {"id": "1"}; at line'

it.each<[string, string | Buffer, string]>([
  ['only white space', ' \n ', `${start} 2, column 2 it needs a value, not the end of the body.`],
  [
    'single quotes on a third line',
    '{\r\n  "id": "1",\r\n  \'name\': "Ann Example"\r\n}',
    `${start} 3, column 3 it needs a field name in double quotes, not "'".`,
  ],
  ['a byte order mark', `\ufeff${product()}`, `${start} 1, column 1 it needs a value, not U+FEFF.`],
  ['two bodies', '{"id":1}😀', `${start} 1, column 9 it needs the end of the body, not "😀".`],
  ['another encoding', latin1, 'The body must be JSON in UTF-8; its byte 26 is not.'],
  [
    'cut off within a character',
    Buffer.from('{\xef\xbf', 'latin1'),
    'The body must be JSON in UTF-8; its byte 3 is not.',
  ],
])('refuses a body that is %s with 400 and the reason', async (_, body, detail) => {
  const { status, text } = await send([], body)
  expect(status).toBe(400)
  expect(JSON.parse(text).errors).toEqual([expect.objectContaining({ detail })])
})

it('takes a PUT without bytes for an erasure, whatever its content type', async () => {
  const { id } = await client.create('/api/customers', customerBody())
  const { status } = await raw('PUT', `/api/customers/${id}`, ['content-type', 'text/plain'], '')
  expect(status).toBe(200)
})

it('ignores the body of an operation that takes none', async () => {
  expect((await raw('GET', '/api/products', ['content-type', 'text/plain'], 'not { JSON')).status).toBe(200)
})
