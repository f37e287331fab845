import createClient from 'openapi-fetch'
import type { components, paths } from './client/schema.ts'

const { BILLING_URL = '', BILLING_APP_ID = '', BILLING_API_KEY = '' } = process.env
const billing = createClient<paths>({
  baseUrl: BILLING_URL,
  headers: { authorization: `Bearer ${BILLING_API_KEY}`, 'x-app-id': BILLING_APP_ID },
})

// Without a body, this operation erases the person. The compiler requires a body of callers of this function.
const updateCustomer = (id: string, body: components['schemas']['UpdateCustomerRequest']) =>
  billing.PUT('/api/customers/{id}', { params: { path: { id } }, body })

for (const plan of [1, 2, 3])
  await billing.POST('/api/products', { body: { id: `plan-${plan}`, name: `Plan ${plan}` } })
const readPage = async (cursor: string | null) => {
  const { data } = await billing.GET('/api/products', { params: { query: { limit: 2, cursor } } })
  if (!data) throw new Error('The list was refused')
  return { names: data.data.products.map(({ name }) => name).join(', '), next: data.pagination.next_cursor }
}
const first = await readPage(null)
const second = await readPage(first.next)
console.log(`products: ${first.names} | ${second.names}`)

await billing.POST('/api/customers', { body: { id: 42, name: 'Ann Example', email: 'ann@example.org' } })
await billing.POST('/api/prices', {
  body: { id: 'basic', product_id: 'plan-1', currency: 'EUR', price: 999, type: 'one_time' },
})
await billing.POST('/api/invoices', {
  body: {
    id: '2026-0001',
    total: 999,
    created: '2026-01-01',
    period_start: '2026-01-01',
    period_end: '2026-02-01',
    currency: 'EUR',
    customer_id: 42,
    subscription_id: 'ann-basic',
    line_items: [{ amount: 999, type: 'recurring', interval: 'month', interval_count: 1, price_id: 'basic' }],
  },
})
const { data: retrieved } = await billing.GET('/api/invoices/{id}', {
  params: { path: { id: '2026-0001' }, query: { include: ['customer', 'line_items', 'price'] } },
})
const invoice = retrieved?.data.invoice
const product = invoice?.line_items?.[0]?.price?.product
console.log(`invoice: ${invoice?.total} ${invoice?.customer?.name} ${product?.name}`)
const { data: subscription } = await billing.GET('/api/subscriptions/{id}', {
  params: { path: { id: 'ann-basic' }, query: { include: ['latest_invoice'] } },
})
console.log(`subscription: ${subscription?.data.subscription.latest_invoice?.total}`)

const { error: notFound, response } = await billing.GET('/api/products/{id}', {
  params: { path: { id: 'unknown' } },
})
console.log(`${response.status}: ${notFound?.errors[0]?.title}`)

const { error: invalid, response: refusal } = await billing.POST('/api/prices', {
  body: { id: 'basic-monthly', product_id: 'plan-1', currency: 'EUR', price: 999, type: 'recurring' },
})
console.log(`${refusal.status}: ${invalid?.errors.length} details`)

const { data: updated } = await updateCustomer('42', { id: 42, email: 'ann@new.example.org' })
console.log(`updated: ${updated?.data.customer.name} <${updated?.data.customer.email}>`)
