import { logLine } from '../shared/log.ts'
import { newApiKey } from '../shared/store/credentials.ts'
import { listApiKeys } from '../tools/applications/api-keys.ts'
import { customerBody, invoiceBody } from './support/requests/bodies.ts'
import { type Client, logLines, newClient, serveForTests } from './support/requests/service.ts'

serveForTests()

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
let client: Client
let keyId: string
beforeAll(async () => {
  client = await newClient()
  keyId = (await listApiKeys(client.credentials.app_id))[0]!.key_id
  await client.create('/api/customers', customerBody({ id: 'customer' }))
})

const linesOf = async (work: () => Promise<unknown>) => {
  const before = logLines.length
  await work()
  return logLines.slice(before).map((line) => JSON.parse(line))
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
  const [line, ...more] = await linesOf(send)
  expect(more).toEqual([])
  expect(line).toEqual({
    level: 'info',
    request_id: expect.stringMatching(/^[\w.:-]+$/),
    gateway_request_id: expect.stringMatching(uuid),
    app_id: client.credentials.app_id,
    key_id: keyId,
    route,
    status,
    ms: expect.any(Number),
    ...reason,
  })
})

it.each<[string, string, object, string]>([
  [
    'wrong and missing fields, those of lines by their places',
    '/api/invoices',
    invoiceBody({ customer_id: 'customer', total: 'Ann', line_items: [{}, { currency: 'EURO' }] }),
    'total, line_items[1].currency',
  ],
  ['an unknown reference', '/api/invoices', invoiceBody({ customer_id: 'Ann' }), 'customer_id'],
  [
    'names that are not ours',
    '/api/customers?Ann=1&limit=2',
    customerBody({ Ann: 1, metadata: { ['ann@example.org'.repeat(10)]: 1 } }),
    '(unknown), metadata.(unknown)',
  ],
  [
    'the name of a prototype, below a name that is not ours',
    '/api/customers',
    customerBody({ metadata: { 'ann@example.org': { constructor: { prototype: 1 } } } }),
    'metadata.(unknown)',
  ],
])('logs the fields at fault and nothing of the client’s: %s', async (_, path, body, fields) => {
  const [line] = await linesOf(() => client.post(path, body))
  expect({ status: line.status, kind: line.kind, fields: line.fields }).toEqual({
    status: 422,
    kind: 'invalid',
    fields,
  })
  const { app_id, ...others } = line
  expect(JSON.stringify(others)).not.toMatch(/ann|EURO/i)
})

it.each<[number, string, string]>([
  [404, 'GET', '/api/nothing'],
  [405, 'DELETE', '/api/customers'],
])('logs a %i of the gateway itself with the gateway’s id', async (status, method, path) => {
  const headers = { 'x-request-id': 'my-own-id' }
  const lines = await linesOf(() => client.call(method, path, { headers }))
  const line = { level: 'info', route: 'gateway', status, ms: expect.any(Number) }
  expect(lines).toEqual([{ ...line, request_id: expect.stringMatching(uuid) }])
})

it.each<[string, Record<string, string>, object]>([
  ['a wrong key', { authorization: `Bearer ${newApiKey()}` }, { claimed_app_id: 'app_Claimed' }],
  ['no key', { authorization: '' }, { claimed_app_id: 'app_Claimed' }],
  ['an application id of another form', { 'x-app-id': 'Ann Example' }, {}],
  ['a key for an application id', { 'x-app-id': newApiKey() }, {}],
])('logs the claimed application and no key if %s was refused', async (_, headers, claimed) => {
  const [{ request_id, gateway_request_id, ms, ...line }] = await linesOf(() =>
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

it('logs the ids of client, gateway and trace in at most 500 bytes, however large the request is', async () => {
  const before = logLines.length
  const trace_id = '1-5759e988-bd862e3fe1be46a994272793'
  process.env._X_AMZN_TRACE_ID = `Root=${trace_id};Parent=53995c3f42cd8ad8;Sampled=1;Lineage=a:0`
  const headers = { 'x-request-id': 'x'.repeat(128), 'user-agent': 'x'.repeat(4_000) }
  const line_items = Array(250).fill({ id: 'x'.repeat(255) })
  const body = invoiceBody({ customer_id: 'customer', id: 'x'.repeat(255), line_items })
  await client.post('/api/invoices', body, { headers })
  await client.get(`/api/invoices/${'x'.repeat(255)}?include=line_items`, { headers })
  await client.get(`/api/invoices?include=${'x'.repeat(4_000)}`, { headers })
  const faulty = line_items.map(() => ({ currency: 'EURO', discount_amount: 'x'.repeat(500) }))
  await client.post('/api/invoices', { ...body, line_items: faulty }, { headers })
  delete process.env._X_AMZN_TRACE_ID
  const lines = logLines.slice(before)
  const ids = { request_id: 'x'.repeat(128), gateway_request_id: expect.stringMatching(uuid), trace_id }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    [200, 200, 422, 422].map((status) => ({ ...ids, status })),
  )
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(500)
})

const lineFor = (status: number, error: unknown): Record<string, never> =>
  JSON.parse(logLine({ request_id: 'r', app_id: 'a', route: 'x', status, ms: 1, error }))

it('logs name, message and stack of the error of a 5xx and of its cause', () => {
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

it('logs no text that a parser could not read', () => {
  const error: Error = (() => {
    try {
      return JSON.parse('{"name": Ann Example}')
    } catch (thrown) {
      return thrown
    }
  })()
  const line = lineFor(500, new Error('outer', { cause: error }))
  expect(JSON.stringify(line)).toMatch(/SyntaxError/)
  expect(JSON.stringify(line)).not.toMatch(/Ann/)
})

it('logs thrown values that are not errors, and circular causes', () => {
  expect(lineFor(500, 'text with a name')).toMatchObject({ error: { name: 'string' } })
  const circle = new Error('circle')
  circle.cause = new Error('second', { cause: circle })
  expect(lineFor(503, circle)).toMatchObject({ error: { cause: { cause: { message: 'circle' } } } })
})
