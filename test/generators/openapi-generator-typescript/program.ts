import {
  Configuration,
  CustomersApi,
  InvoicesApi,
  PricesApi,
  ProductsApi,
  ResponseError,
  type UpdateCustomerRequest,
} from './client'

const { BILLING_URL = '', BILLING_APP_ID = '', BILLING_API_KEY = '' } = process.env
const configuration = new Configuration({
  basePath: BILLING_URL,
  accessToken: BILLING_API_KEY,
  apiKey: BILLING_APP_ID,
})
const products = new ProductsApi(configuration)
const prices = new PricesApi(configuration)
const customers = new CustomersApi(configuration)
const invoices = new InvoicesApi(configuration)

// Without a body this operation erases the person; here the compiler asks for one.
const updateCustomer = (id: string, updateCustomerRequest: UpdateCustomerRequest) =>
  customers.updateCustomer({ id, updateCustomerRequest })

const refusal = async (answer: Promise<unknown>) => {
  const error = await answer.catch((error: unknown) => error)
  if (!(error instanceof ResponseError)) throw error
  const { errors } = (await error.response.json()) as { errors: { title: string }[] }
  return { status: error.response.status, errors }
}

for (const plan of [1, 2, 3])
  await products.createProduct({ createProductRequest: { id: `plan-${plan}`, name: `Plan ${plan}` } })
const page = async (cursor: string | null) => {
  const { data, pagination } = await products.listProducts({ limit: 2, cursor })
  return { names: data.products.map(({ name }) => name).join(', '), next: pagination.nextCursor }
}
const first = await page(null)
const second = await page(first.next)
console.log(`products: ${first.names} | ${second.names}`)

await customers.createCustomer({
  createCustomerRequest: { id: 42, name: 'Ann Example', email: 'ann@example.org' },
})
await invoices.createInvoice({
  createInvoiceRequest: {
    id: '2026-0001',
    total: 999,
    created: '2026-01-01',
    periodStart: '2026-01-01',
    periodEnd: '2026-02-01',
    currency: 'EUR',
    customerId: 42,
    subscriptionId: 'ann-basic',
    lineItems: [{ amount: 999, type: 'recurring', interval: 'month', intervalCount: 1 }],
  },
})
const { data } = await invoices.retrieveInvoice({ id: '2026-0001', include: ['customer', 'line_items'] })
const { invoice } = data
console.log(`invoice: ${invoice.total} ${invoice.customer?.name} ${invoice.lineItems?.length}`)

const unknown = await refusal(products.retrieveProduct({ id: 'unknown' }))
console.log(`${unknown.status}: ${unknown.errors[0]?.title}`)

const invalid = await refusal(
  prices.createPrice({
    createPriceRequest: {
      id: 'basic-monthly',
      productId: 'plan-1',
      currency: 'EUR',
      price: 999,
      type: 'recurring',
    },
  }),
)
console.log(`${invalid.status}: ${invalid.errors.length} details`)

const updated = await updateCustomer('42', { id: 42, email: 'ann@new.example.org' })
console.log(`updated: ${updated.data.customer.name} <${updated.data.customer.email}>`)
