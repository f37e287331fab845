import { errorKinds } from '../../shared/errors.ts'
import { customerBody, discountBody, invoiceBody, priceBody, productBody } from '../support/bodies.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
})

describe('an entity shows the fields of §2 (S1)', () => {
  it('all of them, if none was given', async () => {
    const product = await client.create('/api/products', { id: 1, name: 'Basic' })
    const customer = await client.create('/api/customers', { id: 1 })
    const price = { id: 1, product_id: 1, currency: 'EUR', price: 1, type: 'one_time' }
    const discount = { id: 1, name: 'Spring', duration: 'once', amount_off: 1, currency: 'EUR' }
    const invoice = await client.create('/api/invoices', invoiceBody({ customer_id: 1, subscription_id: 1 }))
    const id = expect.any(String)
    expect(product).toMatchObject({ id, name: 'Basic' })
    expect(customer).toMatchObject({ id, name: null, email: null, metadata: {} })
    expect(await client.create('/api/prices', price)).toMatchObject({
      ...{ id, title: null, currency: 'EUR', price: 1, tiered: false },
      ...{ type: 'one_time', interval: null, interval_count: null },
    })
    expect(await client.create('/api/discounts', discount)).toMatchObject({
      ...{ id, name: 'Spring', duration: 'once', duration_in_months: null },
      ...{ amount_off: 1, percent_off: null, currency: 'EUR' },
    })
    const [created, period_end] = [Date.UTC(2024, 0, 1) / 1000, Date.UTC(2024, 1, 1) / 1000]
    const ids = { customer_id: customer.id, subscription_id: expect.stringMatching(/^sub_/) }
    expect(invoice).toMatchObject({
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

  it('and no hidden field, in any answer', async () => {
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

  it('as the table of kinds states, one title for each kind', () => {
    const titles = Object.values(errorKinds).map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
  })
})
