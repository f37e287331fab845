import { customerBody, discountBody, invoiceBody, priceBody, productBody } from '../support/bodies.ts'
import { type Answer, type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
  await client.create('/api/products', productBody({ id: 'product' }))
})
const entityOf = ({ json }: Answer) => Object.values(json.data)[0]

describe('creating again (I4)', () => {
  it('treats -0 as 0, like every answer', async () => {
    const send = (n: string) => [
      client.post('/api/customers', '', { raw: `{"id":"zero","metadata":{"n":[${n}]}}` }),
      client.post('/api/prices', '', {
        raw: `{"id":"zero","product_id":"product","currency":"EUR","price":${n},"type":"one_time"}`,
      }),
    ]
    for (const n of ['-0', '-0', '0', '-0.0e3'])
      expect((await Promise.all(send(n))).map(({ status }) => status)).toEqual([200, 200])
  })

  it('treats both ids of a reference as equal', async () => {
    const product = await client.create('/api/products', productBody({ id: 7 }))
    const body = priceBody({ product_id: 7 })
    const price = await client.create('/api/prices', body)
    for (const product_id of [product.id, '7', 7])
      expect(await client.create('/api/prices', { ...body, product_id })).toEqual(price)
  })

  it('treats both ids of all references of an invoice as equal', async () => {
    const customer = await client.create('/api/customers', customerBody({ id: 'customer' }))
    const discount = await client.create('/api/discounts', discountBody({ id: 'discount' }))
    const names = { customer_id: 'customer', subscription_id: 'subscription', discounts: ['discount'] }
    const body = invoiceBody({ ...names, line_items: [{}] })
    const invoice = await client.create('/api/invoices', body)
    const { subscription_id } = invoice
    const ours = { customer_id: customer.id, subscription_id, discounts: [discount.id] }
    for (const same of [
      ours,
      { subscription_id },
      { customer_id: customer.id },
      { discounts: [discount.id] },
    ])
      expect(await client.create('/api/invoices', { ...body, ...same })).toEqual(invoice)
  })

  it('succeeds after an update in between, and changes nothing', async () => {
    const body = customerBody({ metadata: { a: 1 }, phone: '1' })
    const { id } = await client.create('/api/customers', body)
    for (const fields of [{ name: 'Second' }, { name: 'Third', metadata: null, phone: null }]) {
      const updated = entityOf(await client.put(`/api/customers/${id}`, { id: body.id, ...fields }))
      expect(await client.create('/api/customers', body)).toEqual(updated)
      expect(entityOf(await client.get(`/api/customers/${id}`))).toEqual(updated)
    }
    // The updated content differs from the create's.
    const { status, details } = await client.post('/api/customers', { ...body, name: 'Third' })
    expect([status, details[0]]).toEqual([409, expect.stringMatching(/of: name\b/)])
  })

  it('is a conflict after anonymisation, before and after a later update', async () => {
    const body = customerBody()
    const { id } = await client.create('/api/customers', body)
    await client.put(`/api/customers/${id}`)
    const again = async () => (await client.post('/api/customers', body)).status
    expect(await again()).toBe(409)
    await client.put(`/api/customers/${id}`, body)
    expect(await again()).toBe(409)
  })

  it('creates a separate entity for another kind or application', async () => {
    const body = { id: 'shared', name: 'Shared' }
    const other = await newClient()
    const made = await Promise.all([
      client.create('/api/products', body),
      client.create('/api/customers', body),
      other.create('/api/products', body),
    ])
    expect(new Set(made.map(({ id }) => id)).size).toBe(3)
  })
})
