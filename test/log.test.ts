import { logLine } from '../shared/log.ts'
import { newApiKey } from '../shared/store/credentials.ts'
import { listApiKeys } from '../tools/applications/api-keys.ts'
import { customerBody, invoiceBody } from './support/requests/bodies.ts'
import { clientForTests, logLines, serveForTests } from './support/requests/service.ts'

serveForTests()

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const client = clientForTests()
let keyId: string
beforeAll(async () => {
  keyId = (await listApiKeys(client.credentials.app_id))[0]!.key_id
  await client.create('/api/customers', customerBody({ id: 'customer' }))
})

const rawLinesDuring = async (sendRequests: () => Promise<unknown>): Promise<string[]> => {
  const before = logLines.length
  await sendRequests()
  return logLines.slice(before)
}

const linesDuring = async (sendRequests: () => Promise<unknown>) => {
  const lines = await rawLinesDuring(sendRequests)
  return lines.map((line) => JSON.parse(line))
}

it.each<[string, number, object, () => Promise<unknown>]>([
  ['customers.list', 200, {}, () => client.get('/api/customers')],
  ['customers.retrieve', 404, { kind: 'entity_not_found' }, () => client.get('/api/customers/nobody')],
  [
    'customers.update',
    409,
    { kind: 'conflict', fields: 'id' },
    () => client.put('/api/customers/customer', { id: 'x' }),
  ],
])('logs one line for %s with %i and %j', async (route, status, reason, send) => {
  const lines = await linesDuring(send)
  expect(lines).toEqual([
    {
      level: 'info',
      request_id: expect.stringMatching(/^[\w.:-]+$/),
      gateway_request_id: expect.stringMatching(uuid),
      app_id: client.credentials.app_id,
      key_id: keyId,
      route,
      status,
      ms: expect.any(Number),
      bytes: expect.any(Number),
      ...reason,
    },
  ])
})

it.each<[string, string, object, string]>([
  [
    'wrong and missing fields, in line items with their positions',
    '/api/invoices',
    invoiceBody({ customer_id: 'customer', total: 'Ann', line_items: [{}, { currency: 'EURO' }] }),
    'total, line_items[1].currency',
  ],
  ['an unknown reference', '/api/invoices', invoiceBody({ customer_id: 'Ann' }), 'customer_id'],
  [
    'names that the API does not have',
    '/api/customers?Ann=1&limit=2',
    customerBody({ Ann: 1, metadata: { ['ann@example.org'.repeat(10)]: 1 } }),
    '(unknown), metadata.(unknown)',
  ],
  [
    'the name of a prototype, below a name that the API does not have',
    '/api/customers',
    customerBody({ metadata: { 'ann@example.org': { constructor: { prototype: 1 } } } }),
    'metadata.(unknown)',
  ],
])('logs the invalid fields of a request, but none of its content: %s', async (_, path, body, fields) => {
  const [line] = await linesDuring(() => client.post(path, body))
  expect(line).toMatchObject({ status: 422, kind: 'invalid', fields })
  const { app_id, ...others } = line
  expect(JSON.stringify(others)).not.toMatch(/ann|EURO/i)
})

it.each<[number, string, string]>([
  [404, 'GET', '/api/nothing'],
  [405, 'DELETE', '/api/customers'],
])('logs a %i of the gateway itself with the request id of the gateway', async (status, method, path) => {
  const headers = { 'x-request-id': 'my-own-id' }
  const lines = await linesDuring(() => client.call(method, path, { headers }))
  const line = { level: 'info', route: 'gateway', status, ms: expect.any(Number) }
  expect(lines).toEqual([{ ...line, request_id: expect.stringMatching(uuid) }])
})

it.each<[string, Record<string, string>, object]>([
  [
    'the claimed application for a wrong key',
    { authorization: `Bearer ${newApiKey()}` },
    { claimed_app_id: 'app_Claimed' },
  ],
  ['the claimed application for no key', { authorization: '' }, { claimed_app_id: 'app_Claimed' }],
  ['no application for an application id of another form', { 'x-app-id': 'Ann Example' }, {}],
  ['no application for a key as the application id', { 'x-app-id': newApiKey() }, {}],
])('logs no key with a 401, and %s', async (_, headers, claimed) => {
  const [{ request_id, gateway_request_id, ms, bytes, ...line }] = await linesDuring(() =>
    client.get('/api/customers', { headers: { 'x-app-id': 'app_Claimed', ...headers } }),
  )
  expect(line).toEqual({
    level: 'info',
    route: 'customers.list',
    status: 401,
    kind: 'unauthorized',
    ...claimed,
  })
})

it('logs the ids of client, gateway and trace in at most 520 bytes, however large the request is', async () => {
  const trace_id = '1-5759e988-bd862e3fe1be46a994272793'
  process.env._X_AMZN_TRACE_ID = `Root=${trace_id};Parent=53995c3f42cd8ad8;Sampled=1;Lineage=a:0`
  const longId = 'x'.repeat(255)
  const request_id = 'x'.repeat(128)
  const headers = { 'x-request-id': request_id, 'user-agent': 'x'.repeat(4_000) }
  const lines = await rawLinesDuring(async () => {
    const body = invoiceBody({
      customer_id: 'customer',
      id: longId,
      line_items: Array(250).fill({ id: longId }),
    })
    await client.post('/api/invoices', body, { headers })
    await client.get(`/api/invoices/${longId}?include=line_items`, { headers })
    await client.get(`/api/invoices?include=${'x'.repeat(4_000)}`, { headers })
    const invalidLine = { currency: 'EURO', discount_amount: 'x'.repeat(500) }
    await client.post('/api/invoices', { ...body, line_items: Array(250).fill(invalidLine) }, { headers })
  })
  delete process.env._X_AMZN_TRACE_ID
  const ids = { request_id, gateway_request_id: expect.stringMatching(uuid), trace_id }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { ...ids, status: 200 },
    { ...ids, status: 200 },
    { ...ids, status: 422 },
    { ...ids, status: 422 },
  ])
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(520)
})

const lineFor = (status: number, error: unknown): unknown =>
  JSON.parse(logLine({ request_id: 'r', app_id: 'a', route: 'x', status, ms: 1, error }))

it('logs the name, message and stack of the error of a 5xx, and of its cause', () => {
  const error = new TypeError('outer', { cause: new RangeError('inner') })
  const frame = expect.stringMatching(/^at .*log\.test/)
  expect(lineFor(500, error)).toMatchObject({
    level: 'error',
    error: {
      name: 'TypeError',
      message: 'outer',
      stack: expect.arrayContaining([frame]),
      cause: { name: 'RangeError', message: 'inner', stack: expect.arrayContaining([frame]) },
    },
  })
})

/** Its message quotes the text. */
const syntaxErrorOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    return error
  }
}

it('logs a syntax error without the text that could not be parsed', () => {
  const error = syntaxErrorOf('{"name": Ann Example}')
  expect(String(error)).toContain('Ann')
  const line = JSON.stringify(lineFor(500, new Error('outer', { cause: error })))
  expect(line).toContain('SyntaxError')
  expect(line).not.toContain('Ann')
})

it('logs the type of a thrown value that is no error', () => {
  expect(lineFor(500, 'text with a name')).toMatchObject({ error: { name: 'string' } })
})

it('logs an error that is the cause of its own cause', () => {
  const circle = new Error('circle')
  circle.cause = new Error('second', { cause: circle })
  expect(lineFor(503, circle)).toMatchObject({ error: { cause: { cause: { message: 'circle' } } } })
})
