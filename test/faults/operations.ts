import {
  customerBody,
  discountBody,
  invoiceBody,
  lineItem,
  priceBody,
  productBody,
} from '../support/bodies.ts'
import { type Client, SENTINEL } from '../support/service.ts'

/** A request of an operation, and where what it records can be read. */
export interface FaultyRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: object
  /** The path of the one entity that must be there, as the answer said, once the request has succeeded. */
  readonly recorded?: string
}

/** An operation under faults: what it needs, and a request that differs from all others by `unique`. */
export interface FaultyOperation {
  /** The endpoint's id, and what more is asked of it. */
  readonly name: string
  seed(client: Client): Promise<void>
  request(unique: string): FaultyRequest
}

type Seed = FaultyOperation['seed']

// All data carries the sentinel, so that a log line or an error that holds any of it is noticed.
const person = {
  name: `Ann ${SENTINEL}`,
  email: `${SENTINEL}@example.org`,
  phone: SENTINEL,
  description: SENTINEL,
  metadata: { [SENTINEL]: [{ deep: SENTINEL }] },
}
const customerOf = (id: string) => customerBody({ ...person, id })
const productOf = (id: string) => productBody({ id, name: SENTINEL })
const priceOf = (id: string) => priceBody({ id, product_id: 'product', title: SENTINEL })
const discountOf = (id: string) => discountBody({ id, name: SENTINEL })
const invoiceOf = (id: string) =>
  invoiceBody({
    id,
    customer_id: 'customer',
    subscription_id: `subscription of ${id}`,
    discounts: ['discount'],
    line_items: [lineItem({ id: SENTINEL })],
  })

const seedCatalogue: Seed = async (client) => {
  await client.create('/api/products', productOf('product'))
  await client.create('/api/prices', priceOf('price'))
}
const seedCustomer: Seed = async (client) => {
  await client.create('/api/customers', customerOf('customer'))
}
const seedDiscount: Seed = async (client) => {
  await client.create('/api/discounts', discountOf('discount'))
}
const seedInvoice: Seed = async (client) => {
  await seedCustomer(client)
  await seedDiscount(client)
  await client.create('/api/invoices', invoiceOf('invoice'))
}

const reading = (name: string, seed: Seed, path: string): FaultyOperation => ({
  name,
  seed,
  request: () => ({ method: 'GET', path }),
})

const creating = (plural: string, seed: Seed, body: (id: string) => object): FaultyOperation => ({
  name: `${plural}.create`,
  seed,
  request: (unique) => ({
    method: 'POST',
    path: `/api/${plural}`,
    body: body(unique),
    recorded: `/api/${plural}/${unique}`,
  }),
})

const changing = (name: string, body?: (unique: string) => object): FaultyOperation => ({
  name: `customers.update, ${name}`,
  seed: seedCustomer,
  request: (unique) => ({
    method: 'PUT',
    path: '/api/customers/customer',
    ...(body ? { body: body(unique) } : {}),
    recorded: '/api/customers/customer',
  }),
})

/** All operations of the API, those with includes asking for them. */
export const operations: readonly FaultyOperation[] = [
  reading('products.list', seedCatalogue, '/api/products?include=prices'),
  creating('products', seedCatalogue, productOf),
  reading('products.retrieve', seedCatalogue, '/api/products/product?include=prices'),
  reading('prices.list', seedCatalogue, '/api/prices'),
  creating('prices', seedCatalogue, priceOf),
  reading('prices.retrieve', seedCatalogue, '/api/prices/price'),
  reading('customers.list', seedCustomer, '/api/customers'),
  creating('customers', seedCustomer, customerOf),
  reading('customers.retrieve', seedCustomer, '/api/customers/customer'),
  changing('a change', (unique) => ({ ...person, id: 'customer', name: unique })),
  changing('an erasure'),
  reading('discounts.list', seedDiscount, '/api/discounts'),
  creating('discounts', seedDiscount, discountOf),
  reading('discounts.retrieve', seedDiscount, '/api/discounts/discount'),
  reading('invoices.list', seedInvoice, '/api/invoices?include=line_items,customer,subscription'),
  creating('invoices', seedInvoice, invoiceOf),
  reading('invoices.retrieve', seedInvoice, '/api/invoices/invoice?include=line_items,customer,subscription'),
  reading('subscriptions.list', seedInvoice, '/api/subscriptions'),
]
