import { catalogue } from '../../shared/api/catalogue.ts'
import { errorKinds } from '../../shared/errors.ts'
import { customerBody, discountBody, invoiceBody, priceBody, productBody } from '../support/bodies.ts'
import { type RawAnswer, rawCall } from '../support/raw-http.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
})

const credentials = () => [
  ...['authorization', `Bearer ${client.credentials.api_key}`, 'x-app-id', client.credentials.app_id],
]
const raw = (method: string, path: string, headers: string[] = [], body?: string): Promise<RawAnswer> =>
  rawCall(client.baseUrl, {
    method,
    path,
    headers: [...credentials(), ...headers],
    ...(body === undefined ? {} : { body }),
  })

describe('an entity shows exactly the fields of §2 (S1)', () => {
  it('all of them where nothing was given', async () => {
    const product = await client.create('/api/products', { id: 1, name: 'Basic' })
    const customer = await client.create('/api/customers', { id: 1 })
    const price = { id: 1, product_id: 1, currency: 'EUR', price: 1, type: 'one_time' }
    const discount = { id: 1, name: 'Spring', duration: 'once', amount_off: 1, currency: 'EUR' }
    const invoice = await client.create('/api/invoices', invoiceBody({ customer_id: 1, subscription_id: 1 }))
    const id = expect.any(String)
    expect(product).toEqual({ id, name: 'Basic' })
    expect(customer).toEqual({ id, name: null, email: null, metadata: {} })
    expect(await client.create('/api/prices', price)).toEqual({
      ...{ id, title: null, currency: 'EUR', price: 1, tiered: false },
      ...{ type: 'one_time', interval: null, interval_count: null },
    })
    expect(await client.create('/api/discounts', discount)).toEqual({
      ...{ id, name: 'Spring', duration: 'once', duration_in_months: null },
      ...{ amount_off: 1, percent_off: null, currency: 'EUR' },
    })
    const [created, period_end] = [Date.UTC(2024, 0, 1) / 1000, Date.UTC(2024, 1, 1) / 1000]
    const ids = { customer_id: customer.id, subscription_id: expect.stringMatching(/^sub_/) }
    expect(invoice).toEqual({
      ...{ id, total: 999, created, period_start: created, period_end, currency: 'EUR', ...ids },
    })
    expect((await client.get('/api/subscriptions')).json.data.subscriptions).toEqual([
      {
        ...{ id: invoice.subscription_id, customer_id: customer.id, currency: 'EUR' },
        ...{ interval: null, interval_count: null, current_period_start: created },
        ...{ current_period_end: period_end, latest_invoice_id: invoice.id, created },
      },
    ])
  })

  it('none of what is kept besides, in any answer', async () => {
    const own = await newClient()
    const kept = { description: 'secret-description', phone: 'secret-phone', created: '2001-02-03' }
    const body = customerBody({ id: 'secret-id', ...kept })
    const customer = await own.create('/api/customers', body)
    await own.create('/api/products', productBody({ id: 'secret-product' }))
    await own.create('/api/prices', priceBody({ id: 'secret-price', product_id: 'secret-product' }))
    await own.create('/api/discounts', discountBody({ id: 'secret-discount' }))
    await own.create(
      '/api/invoices',
      invoiceBody({ id: 'secret-invoice', customer_id: customer.id, discounts: ['secret-discount'] }),
    )
    const paths = ['customers', 'products', 'prices', 'discounts', 'invoices', 'subscriptions'].map(
      (each) => `/api/${each}`,
    )
    const all = [
      '/api/invoices?include=customer,subscription',
      '/api/products?include=prices',
      '/api/customers/secret-id',
    ]
    for (const path of [...paths, ...all])
      expect(JSON.stringify((await own.get(path)).json)).not.toMatch(
        /secret|981158400|first_|extra|"pk"|"order"/,
      )
  })
})

describe('every error has its fixed title and nothing besides code and detail (S2)', () => {
  it.each<[number, string, () => Promise<{ status: number; json: unknown }>]>([
    [400, 'Unreadable body', () => client.post('/api/products', '', { raw: '{' })],
    [401, 'Unauthorized', () => client.get('/api/products', { headers: { 'x-app-id': 'x' } })],
    [404, 'Entity not found', () => client.get('/api/products/nothing')],
    [404, 'Route not found', () => client.get('/api/nothing')],
    [405, 'Method not allowed', () => client.call('DELETE', '/api/products')],
    [409, 'Conflict', () => client.put('/api/customers/1', { id: 'another' })],
    [413, 'Body too large', () => client.post('/api/products', 'x'.repeat(300_000))],
    [
      415,
      'Unsupported media type',
      () => client.post('/api/products', {}, { headers: { 'content-type': 'text/xml' } }),
    ],
    [422, 'Invalid request', () => client.post('/api/products', {})],
  ])('%i %s', async (code, title, send) => {
    await client.create('/api/customers', { id: 1 })
    const { status, json } = await send()
    expect(status).toBe(code)
    for (const error of (json as { errors: unknown[] }).errors)
      expect(error).toEqual({ code, title, detail: expect.stringMatching(/^\S.*\S$/s) })
  })

  it('in a table of its kinds, one title for each', () => {
    const titles = Object.values(errorKinds).map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
  })
})

describe('what a body may be (R1)', () => {
  const send = (headers: string[], body: string) => raw('POST', '/api/products', headers, body)
  const product = () => JSON.stringify(productBody())

  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json;',
    'application/vnd.api+json',
    'application/json; profile=x; charset=utf-8',
  ])('takes %s', async (type) => {
    expect((await send(['content-type', type], product())).status).toBe(200)
  })

  it('takes a missing content type for JSON', async () => {
    expect((await send([], product())).status).toBe(200)
  })

  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/jsonp',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/jsonx; charset=utf-8',
    'json',
    'x application/json',
  ])('refuses %s with 415', async (type) => {
    expect((await send(['content-type', type], product())).status).toBe(415)
    expect((await raw('PUT', '/api/customers/x', ['content-type', type], '{}')).status).toBe(415)
  })

  it('refuses two content types of which one is not JSON', async () => {
    const types = ['content-type', 'application/json', 'Content-Type', 'text/plain']
    expect((await send(types, product())).status).toBe(415)
  })

  it.each([256 * 1024 - 1, 256 * 1024])('reads %i bytes', async (bytes) => {
    const body = JSON.stringify({ id: 'large', name: 'x' }).slice(0, -2)
    const { status, text } = await send([], `${body}${'x'.repeat(bytes - body.length - 2)}"}`)
    expect([status, JSON.parse(text).errors[0].detail]).toEqual([422, expect.stringMatching(/^name must be/)])
  })

  it.each<[string, string]>([
    ['one byte too many', 'x'.repeat(256 * 1024 + 1)],
    ['one character of two bytes too many', 'ü'.repeat(128 * 1024 + 1)],
    ['5 MB', 'x'.repeat(5_000_000)],
  ])('refuses %s with 413', async (_, body) => {
    expect((await send([], body)).status).toBe(413)
    expect((await raw('PUT', '/api/customers/x', [], body)).status).toBe(413)
  })

  it('does not look at a body where none is taken', async () => {
    expect((await raw('GET', '/api/products', ['content-type', 'text/plain'], 'not { JSON')).status).toBe(200)
  })
})

describe('every answer carries a request id (S3)', () => {
  const sane = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

  it.each(['abc', 'A.b:c_d-9', 'x'.repeat(128), '0'])('the sane one that was sent: %s', async (id) => {
    for (const path of ['/api/products', '/api/products/nothing', '/api/nothing'])
      expect((await raw('GET', path, ['X-Request-ID', id])).headers['x-request-id']).toBe(id)
    const unauthorized = { path: '/api/products', headers: ['x-request-id', id] }
    expect((await rawCall(client.baseUrl, unauthorized)).headers['x-request-id']).toBe(id)
  })

  it.each(['', ' ', 'a b', 'x'.repeat(129), 'a,b', 'é', '<script>', '"', 'a/b', '{}'])(
    'else its own: %j',
    async (id) => {
      for (const path of ['/api/products', '/api/nothing'])
        expect((await raw('GET', path, ['x-request-id', id])).headers['x-request-id']).toMatch(sane)
    },
  )

  it('another one for each request', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await raw('GET', '/api/products')).headers['x-request-id']),
    )
    expect(new Set(ids).size).toBe(3)
  })
})

describe('routes and methods there are none of (S2)', () => {
  it.each([
    '/',
    '/api',
    '/api/',
    '/api/product',
    '/api/products/',
    '/api/Products',
    '/API/products',
    '/api/products/a/b',
    '/api//products',
    '/v1/api/products',
    '/api/subscriptions/x',
    '/api/toString',
    '/api/%70roducts/',
    '/api/products;x',
    '/favicon.ico',
  ])('%s is 404 in the envelope', async (path) => {
    const { status, text } = await raw('GET', path)
    expect([status, JSON.parse(text).errors[0].title]).toEqual([404, 'Route not found'])
  })

  const paths = [...new Set(catalogue.map(({ path }) => path))]
  it.each(paths)('%s allows what the catalogue says', async (path) => {
    const here = catalogue.filter((endpoint) => endpoint.path === path).map(({ method }) => String(method))
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      if (here.includes(method)) continue
      const answer = await raw(method, path.replace('{id}', 'x'))
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, here.join(', ')])
      if (method === 'HEAD') expect(answer.text).toBe('')
      else expect(JSON.parse(answer.text).errors[0].title).toBe('Method not allowed')
    }
  })

  it('HEAD has the headers of every answer and no body', async () => {
    for (const path of ['/api/products', '/api/nothing']) {
      const { headers, text } = await raw('HEAD', path, ['x-request-id', 'head'])
      expect(text).toBe('')
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-request-id': 'head',
      })
      expect(Number(headers['content-length'])).toBeGreaterThan(0)
    }
  })
})
