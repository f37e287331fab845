import { customerBody, productBody } from '../support/bodies.ts'
import { rawCallAs } from '../support/raw-http.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
})

const raw = (method: string, path: string, headers: string[], body: string) =>
  rawCallAs(client, { method, path, headers, body })

// docs/errors.md has the usual mistakes, which mistakes.test.ts sends; these are others.
const send = (headers: string[], body: string) => raw('POST', '/api/products', headers, body)
const product = () => JSON.stringify(productBody())

it.each([
  'APPLICATION/JSON',
  'application/json;charset="UTF-8"',
  'application/json; charset=utf8',
  'application/json;',
  'application/vnd.api-1.x+json',
  'application/json; profile=x; charset=utf-8',
  'application/json ; charset = utf-8 ',
])('accepts a body of the content type %s', async (type) => {
  expect((await send(['content-type', type], product())).status).toBe(200)
})

it('accepts a body without a content type', async () => {
  expect((await send([], product())).status).toBe(200)
})

it.each([
  'text/json',
  'application/jsonp',
  'application/json; charset=utf-16',
  'x application/json',
  'application/json; charset',
  'application/json; charset=utf-8, text/plain',
  'application/json; ;',
  'application/+json',
])('refuses a body of the content type %s with 415', async (type) => {
  expect((await send(['content-type', type], product())).status).toBe(415)
  expect((await raw('PUT', '/api/customers/x', ['content-type', type], '{}')).status).toBe(415)
})

it.each(['br', 'deflate, gzip', 'x'])('refuses a body that is compressed as %s with 415', async (coding) => {
  expect((await send(['Content-Encoding', coding], product())).status).toBe(415)
})

it.each(['identity', 'IDENTITY', ''])('accepts a body of the content encoding "%s"', async (coding) => {
  expect((await send(['content-encoding', coding], product())).status).toBe(200)
})

it('refuses a body of two content types with 415 if one is not JSON', async () => {
  const types = ['content-type', 'application/json', 'Content-Type', 'text/plain']
  expect((await send(types, product())).status).toBe(415)
})

it.each([256 * 1024 - 1, 256 * 1024])('accepts a body of %i bytes', async (bytes) => {
  const body = JSON.stringify({ id: 'large', name: 'x' }).slice(0, -2)
  const { status, text } = await send([], `${body}${'x'.repeat(bytes - body.length - 2)}"}`)
  expect([status, JSON.parse(text).errors[0].detail]).toEqual([422, expect.stringMatching(/^name must be/)])
})

it.each<[string, string]>([
  ['one byte too many', 'x'.repeat(256 * 1024 + 1)],
  ['one character of two bytes too many', 'ü'.repeat(128 * 1024 + 1)],
])('refuses a body of %s with 413', async (_, body) => {
  expect((await send([], body)).status).toBe(413)
  expect((await raw('PUT', '/api/customers/x', [], body)).status).toBe(413)
})

it.each(['', '\\n'])('reads a body of any depth, also with an id "%s"', async (text) => {
  const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`
  const { status, text: response } = await send([], `{"id":"${text}","name":${deep}}`)
  expect([status, JSON.parse(response).errors.at(-1).detail]).toEqual([
    422,
    expect.stringMatching(/^name must be/),
  ])
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
  const { status, text } = await rawCallAs(client, {
    method: 'POST',
    path: '/api/products',
    headers: [],
    body,
  })
  expect([status, JSON.parse(text).errors]).toEqual([400, [expect.objectContaining({ detail })]])
})

it('takes a PUT without bytes for an erasure, whatever its content type', async () => {
  const { id } = await client.create('/api/customers', customerBody())
  const { status } = await raw('PUT', `/api/customers/${id}`, ['content-type', 'text/plain'], '')
  expect(status).toBe(200)
})

it('ignores the body of an operation that takes none', async () => {
  expect((await raw('GET', '/api/products', ['content-type', 'text/plain'], 'not { JSON')).status).toBe(200)
})
