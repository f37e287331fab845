import { errorKinds } from '../../shared/errors.ts'
import { customerBody } from '../support/bodies.ts'
import { newClient, serveForTests } from '../support/service.ts'
import { record } from '../support/tenants.ts'

serveForTests()

it('no response contains a hidden field or an internal attribute', async () => {
  const client = await newClient()
  const kept = { description: 'secret-description', phone: 'secret-phone', created: '2001-02-03' }
  await client.create('/api/customers', customerBody({ id: 'secret-id', ...kept }))
  await record(client, ' secret')
  const lists = ['customers', 'products', 'prices', 'discounts', 'invoices', 'subscriptions']
  const others = ['invoices?include=customer,subscription', 'products?include=prices', 'customers/secret-id']
  for (const path of [...lists, ...others]) {
    const { status, json } = await client.get(`/api/${path}`)
    expect(status).toBe(200)
    expect(JSON.stringify(json)).not.toMatch(/secret|981158400|first_|extra|"pk"|"order"/)
  }
})

it('each kind of error has its own title', () => {
  const titles = Object.values(errorKinds).map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
})
