import { client } from './client/client.gen'
import {
  createCustomer,
  createInvoice,
  createPrice,
  createProduct,
  listProducts,
  retrieveInvoice,
  retrieveProduct,
  updateCustomer,
} from './client/sdk.gen'
import type { UpdateCustomerRequest } from './client/types.gen'

const { BILLING_URL = '', BILLING_APP_ID = '', BILLING_API_KEY = '' } = process.env
client.setConfig({
  baseUrl: BILLING_URL,
  auth: ({ scheme }) => (scheme === 'bearer' ? BILLING_API_KEY : BILLING_APP_ID),
})

// Without a body this operation erases the person; here the compiler asks for one.
const safeUpdate = (id: string, body: UpdateCustomerRequest) => updateCustomer({ path: { id }, body })

for (const plan of [1, 2, 3]) await createProduct({ body: { id: `plan-${plan}`, name: `Plan ${plan}` } })
const page = async (cursor: string | null) => {
  const { data } = await listProducts({ query: { limit: 2, cursor } })
  if (!data) throw new Error('The list was refused')
  return { names: data.data.products.map(({ name }) => name).join(', '), next: data.pagination.next_cursor }
}
const first = await page(null)
const second = await page(first.next)
console.log(`products: ${first.names} | ${second.names}`)

await createCustomer({ body: { id: 42, name: 'Ann Example', email: 'ann@example.org' } })
await createInvoice({
  body: {
    id: '2026-0001',
    total: 999,
    created: '2026-01-01',
    period_start: '2026-01-01',
    period_end: '2026-02-01',
    currency: 'EUR',
    customer_id: 42,
    subscription_id: 'ann-basic',
    line_items: [{ amount: 999, type: 'recurring', interval: 'month', interval_count: 1 }],
  },
})
const found = await retrieveInvoice({
  path: { id: '2026-0001' },
  query: { include: ['customer', 'line_items'] },
})
const invoice = found.data?.data.invoice
console.log(`invoice: ${invoice?.total} ${invoice?.customer?.name} ${invoice?.line_items?.length}`)

const unknown = await retrieveProduct({ path: { id: 'unknown' } })
console.log(`${unknown.response?.status}: ${unknown.error?.errors[0]?.title}`)

const invalid = await createPrice({
  body: { id: 'basic-monthly', product_id: 'plan-1', currency: 'EUR', price: 999, type: 'recurring' },
})
console.log(`${invalid.response?.status}: ${invalid.error?.errors.length} details`)

const { data: updated } = await safeUpdate('42', { id: 42, email: 'ann@new.example.org' })
console.log(`updated: ${updated?.data.customer.name} <${updated?.data.customer.email}>`)
