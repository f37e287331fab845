import fc from 'fast-check'
import { type Expected, type InvoiceContent, type List, Model } from './model.ts'
import type { ApiResponse, Client } from './service.ts'

/** A request to the service, and its equivalent in the model. */
export interface Step {
  readonly list: List
  readonly call: (client: Client, model: Model) => Promise<ApiResponse>
  readonly expect: (model: Model) => Expected
  readonly include?: readonly string[]
}

/** The names of all lists. */
export const lists = Object.keys(new Model().lists) as List[]
const some: fc.Arbitrary<string> = fc.constantFrom('a', 'a', 'a', 'b', 'c')
const either = fc.boolean()
const name = fc.constantFrom('x', 'y', null)

/** Returns either id of an entity. An entity that does not exist has only the client's id. */
const idOf = (model: Model, list: List, clientId: string, byServerId: boolean) =>
  (byServerId && model.find(list, clientId)?.id) || clientId
const pathOf = (model: Model, list: List, clientId: string, byServerId: boolean) =>
  `/api/${list}/${idOf(model, list, clientId, byServerId)}`

/** Returns the content of an earlier create of the id, if there is one and it is sent `again`; otherwise other content. */
const contentOf = <T>(
  model: Model,
  list: List,
  id: string,
  { again, content }: { again: boolean; content: T },
): T => ((again && model.find(list, id)?.content) || content) as T

/** Creates an entity under one of `ids`. Its body combines `values` and `more`; `shown` returns what a response shows. */
const createOf = <T extends Record<string, unknown>>(
  list: List,
  values: { [K in keyof T]: fc.Arbitrary<T[K]> },
  shown: (content: T) => Record<string, unknown>,
  { more = {}, ids = some }: { more?: object; ids?: fc.Arbitrary<string> } = {},
): fc.Arbitrary<Step> =>
  fc
    .record({ id: ids, content: fc.record(values) as fc.Arbitrary<T>, again: either })
    .map(({ id, ...each }) => ({
      list,
      call: (client, model) =>
        client.post(`/api/${list}`, { id, ...contentOf(model, list, id, each), ...more }),
      expect: (model) => {
        const content = contentOf(model, list, id, each)
        return model.create(list, id, content, shown(content))
      },
    }))

const createProduct = (ids = some) =>
  createOf('products', { name: fc.constantFrom('x', 'y') }, (content) => content, { ids })
const createCustomer = (ids = some) =>
  createOf(
    'customers',
    { name, email: name, metadata: fc.constantFrom({}, { k: [1] }), phone: name },
    ({ phone: _, ...shown }) => shown,
    { ids },
  )
const terms = { name: 'n', duration: 'forever', currency: 'EUR' }
const percent_off = fc.integer({ min: 1, max: 2 })
const createDiscount = (ids = some) =>
  createOf('discounts', { percent_off }, (content) => ({ ...terms, ...content }), { more: terms, ids })

const priceContent = fc.record({ product: some, price: fc.integer({ min: 0, max: 1 }) })
const createPrice = fc
  .record({ id: some, content: priceContent, again: either, byServerId: either })
  .map(({ id, byServerId, ...each }): Step => {
    const constant = { currency: 'EUR', type: 'one_time' }
    return {
      list: 'prices',
      call: (client, model) => {
        const { product, price } = contentOf(model, 'prices', id, each)
        const product_id = idOf(model, 'products', product, byServerId)
        return client.post('/api/prices', { id, product_id, price, ...constant })
      },
      expect: (model) => {
        const content = contentOf(model, 'prices', id, each)
        return model.find('products', content.product)
          ? model.create('prices', id, content, { ...constant, price: content.price })
          : { status: 422 }
      },
    }
  })

const line = fc.record({
  type: fc.constantFrom('recurring', 'one_time'),
  interval: fc.constantFrom('month', 'year', null),
  interval_count: fc.integer({ min: 1, max: 2 }),
})
const invoiceContent: fc.Arbitrary<InvoiceContent> = fc.record({
  total: fc.constantFrom(1, -1),
  created: fc.integer({ min: 1, max: 3 }),
  period_start: fc.integer({ min: 1, max: 2 }),
  period_end: fc.integer({ min: 3, max: 4 }),
  currency: fc.constantFrom('EUR', 'USD'),
  customer: some,
  subscription: fc.constantFrom('s', 't'),
  discount: fc.constantFrom('a', 'a', 'b', null),
  lines: fc.array(line, { maxLength: 2 }),
})
const date = (number: number) => `2024-01-0${number}`
/** Returns the body of an invoice's create, which refers to entities by either id. */
const invoiceBodyOf = (model: Model, id: string, content: InvoiceContent, byServerId: boolean) => ({
  id,
  total: content.total,
  created: date(content.created),
  period_start: date(content.period_start),
  period_end: date(content.period_end),
  currency: content.currency,
  customer_id: idOf(model, 'customers', content.customer, byServerId),
  subscription_id: idOf(model, 'subscriptions', content.subscription, byServerId),
  discounts: content.discount ? [idOf(model, 'discounts', content.discount, byServerId)] : null,
  line_items: content.lines,
})
const createInvoice = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    content: invoiceContent,
    again: either,
    byServerId: either,
  })
  .map(
    ({ id, byServerId, ...each }): Step => ({
      list: 'invoices',
      call: (client, model) => {
        const content = contentOf(model, 'invoices', id, each)
        return client.post('/api/invoices', invoiceBodyOf(model, id, content, byServerId))
      },
      expect: (model) => model.createInvoice(id, contentOf(model, 'invoices', id, each)),
    }),
  )

const changes = fc.record(
  { name, email: name, metadata: fc.constantFrom({}, { z: 1 }) },
  { requiredKeys: [] },
)
const update = fc.record({ id: some, changes, byServerId: either }).map(
  ({ id, changes, byServerId }): Step => ({
    list: 'customers',
    call: (client, model) => client.put(pathOf(model, 'customers', id, byServerId), { id, ...changes }),
    expect: (model) => model.update(id, changes),
  }),
)
const anonymise = fc.record({ id: some, byServerId: either }).map(
  ({ id, byServerId }): Step => ({
    list: 'customers',
    call: (client, model) => client.put(pathOf(model, 'customers', id, byServerId)),
    expect: (model) => model.anonymise(id),
  }),
)

const includesOf: Record<List, readonly string[]> = {
  products: ['prices', 'external_id'],
  prices: ['product', 'external_id'],
  customers: ['external_id'],
  discounts: ['external_id'],
  invoices: ['line_items', 'customer', 'subscription', 'discounts', 'external_id'],
  subscriptions: ['customer', 'external_id'],
}

/** The includes to ask for. */
export const embedded = fc.subarray([...new Set(Object.values(includesOf).flat())])

/** Returns those of the includes that a list has. */
export const includesIn = (list: List, names: readonly string[]): string[] =>
  names.filter((name) => includesOf[list].includes(name))

const retrieve = fc
  .record({ list: fc.constantFrom(...lists), id: some, byServerId: either, embedded })
  .map(({ list, id, byServerId, embedded }): Step => {
    const include = includesIn(list, embedded)
    return {
      list,
      include,
      call: (client, model) => client.get(`${pathOf(model, list, id, byServerId)}?include=${include}`),
      expect: (model) => model.retrieve(list, id),
    }
  })

const anyStep = fc.oneof(
  { weight: 1, arbitrary: createProduct() },
  { weight: 3, arbitrary: createPrice },
  { weight: 3, arbitrary: createCustomer() },
  { weight: 1, arbitrary: createDiscount() },
  { weight: 8, arbitrary: createInvoice },
  { weight: 3, arbitrary: update },
  { weight: 1, arbitrary: anonymise },
  { weight: 3, arbitrary: retrieve },
)

/** Sequences of requests that concern a few entities, so that they interact. */
export const steps = fc
  .tuple(
    ...['a', 'b'].map((id) => createCustomer(fc.constant(id))),
    createProduct(fc.constant('a')),
    createDiscount(fc.constant('a')),
    fc.array(anyStep, { minLength: 8, maxLength: 24, size: 'max' }),
  )
  .map((parts) => parts.flat())
