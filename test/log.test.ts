import { logRequest, millisSince, setLogSink } from '../shared/log.ts'
import { newApiKey } from '../shared/store/credentials.ts'
import { listApiKeys } from '../tools/applications/api-keys.ts'
import { customerBody, invoiceBody } from './support/bodies.ts'
import { type Client, logLines, newClient, serveForTests } from './support/service.ts'

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

describe('a request logs one line', () => {
  it.each<[string, string, number, () => Promise<unknown>]>([
    ['info', 'customers.list', 200, () => client.get('/api/customers')],
    ['info', 'customers.retrieve', 200, () => client.get('/api/customers/customer')],
    ['info', 'customers.retrieve', 404, () => client.get('/api/customers/nobody')],
    ['info', 'customers.create', 422, () => client.post('/api/customers', {})],
    ['info', 'customers.create', 400, () => client.post('/api/customers', '', { raw: '{' })],
    ['info', 'customers.update', 200, () => client.put('/api/customers/customer')],
    ['info', 'customers.update', 409, () => client.put('/api/customers/customer', { id: 'x' })],
  ])('at level %s for %s with %i', async (level, route, status, send) => {
    const [line, ...more] = await linesOf(send)
    expect(more).toEqual([])
    expect(line).toEqual({
      level,
      request_id: expect.stringMatching(/^[\w.:-]+$/),
      gateway_request_id: expect.stringMatching(uuid),
      app_id: client.credentials.app_id,
      key_id: keyId,
      route,
      status,
      ms: expect.any(Number),
    })
  })

  it.each<[number, string, string]>([
    [404, 'GET', '/api/nothing'],
    [405, 'DELETE', '/api/customers'],
  ])('also for a %i of the gateway itself, with the gateway’s id', async (status, method, path) => {
    const headers = { 'x-request-id': 'my-own-id' }
    const lines = await linesOf(() => client.call(method, path, { headers }))
    const line = { level: 'info', route: 'gateway', status, ms: expect.any(Number) }
    expect(lines).toEqual([{ ...line, request_id: expect.stringMatching(uuid) }])
  })

  it('with the client’s request id and the gateway’s', async () => {
    const headers = { 'x-request-id': 'my-own-id' }
    const [line] = await linesOf(() => client.get('/api/customers', { headers }))
    expect([line.request_id, line.gateway_request_id]).toEqual(['my-own-id', expect.stringMatching(uuid)])
  })

  it('with the trace id of the gateway’s access log', async () => {
    process.env._X_AMZN_TRACE_ID =
      'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1;Lineage=a:0'
    const [line] = await linesOf(() => client.get('/api/customers'))
    delete process.env._X_AMZN_TRACE_ID
    expect(line.trace_id).toBe('1-5759e988-bd862e3fe1be46a994272793')
  })

  it.each<[string, Record<string, string>, object]>([
    ['a wrong key', { authorization: `Bearer ${newApiKey()}` }, { claimed_app_id: 'app_Claimed' }],
    ['no key', { authorization: '' }, { claimed_app_id: 'app_Claimed' }],
    ['an application id of another form', { 'x-app-id': 'Ann Example' }, {}],
    ['a key for an application id', { 'x-app-id': newApiKey() }, {}],
  ])('with the claimed application and no key if %s was refused', async (_, headers, claimed) => {
    const [{ request_id, gateway_request_id, ms, ...line }] = await linesOf(() =>
      client.get('/api/customers', { headers: { 'x-app-id': 'app_Claimed', ...headers } }),
    )
    expect(line).toEqual({ level: 'info', route: 'customers.list', status: 401, ...claimed })
  })

  it('of at most 500 bytes, however large the request is', async () => {
    const before = logLines.length
    process.env._X_AMZN_TRACE_ID = 'Root=1-5759e988-bd862e3fe1be46a994272793'
    const headers = { 'x-request-id': 'x'.repeat(128), 'user-agent': 'x'.repeat(5_000) }
    const line_items = Array(250).fill({ id: 'x'.repeat(255) })
    const body = invoiceBody({ customer_id: 'customer', id: 'x'.repeat(255), line_items })
    await client.post('/api/invoices', body, { headers })
    await client.get(`/api/invoices/${'x'.repeat(255)}?include=line_items`, { headers })
    await client.get(`/api/invoices?include=${'x'.repeat(5_000)}`, { headers })
    delete process.env._X_AMZN_TRACE_ID
    const lines = logLines.slice(before)
    expect(lines.map((line) => JSON.parse(line).status)).toEqual([200, 200, 422])
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(500)
  })
})

it('times are logged in milliseconds, to a tenth', () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(1_234.567)
  expect([millisSince(1_000), millisSince(1_234.56)]).toEqual([234.6, 0])
  now.mockRestore()
})

describe('the log line of a 5xx', () => {
  const lineFor = (status: number, error: unknown): Record<string, never> => {
    let written = ''
    setLogSink((line) => {
      written = line
    })
    logRequest({ request_id: 'r', app_id: 'a', route: 'x', status, ms: 1, error })
    return JSON.parse(written)
  }

  it('has name, message and stack of the error and of its cause', () => {
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

  it('has no cause or error if there is none', () => {
    const { error } = lineFor(500, new Error('alone'))
    expect(Object.keys(error as unknown as object)).toEqual(['name', 'message', 'stack'])
    expect(Object.keys(lineFor(500, undefined))).not.toContain('error')
  })

  it('does not quote a text that a parser could not read', () => {
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

  it('is written for thrown values that are not errors, and for circular causes', () => {
    expect(lineFor(500, 'text with a name')).toMatchObject({ error: { name: 'string' } })
    const circle = new Error('circle')
    circle.cause = new Error('second', { cause: circle })
    expect(lineFor(503, circle)).toMatchObject({ error: { cause: { cause: { message: 'circle' } } } })
  })

  it('has no error for a client error', () => {
    expect(Object.keys(lineFor(422, new Error('name must be Ann')))).not.toContain('error')
  })
})
