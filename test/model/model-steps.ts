import fc from 'fast-check'
import type { ApiResponse, Client } from '../support/requests/service.ts'
import { type Expected, type InvoiceContent, type List, Model, type Values } from './model.ts'

/** A request to the service, and its equivalent in the model. */
export interface Step {
  readonly list: List
  readonly call: (client: Client, model: Model) => Promise<ApiResponse>
  readonly expect: (model: Model) => Expected
  readonly include?: readonly string[]
}

/** The names of all lists. */
export const lists = Object.keys(new Model().lists) as List[]
/** Ids of few entities, mostly of the same one. */
const fewIds: fc.Arbitrary<string> = fc.constantFrom('a', 'a', 'a', 'b', 'c')
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

/** The content that the creates of a list send, and the responses that the model expects. */
interface Create<T> {
  readonly content: fc.Arbitrary<T>
  /** Returns the body without the id. It refers to entities by either id. Default: the content. */
  readonly body?: (content: T, idOf: (list: List, clientId: string) => string) => object
  /** Default: a create of an entity that shows all of the content. */
  readonly expect?: (model: Model, id: string, content: T) => Expected
  readonly ids?: fc.Arbitrary<string>
}

const createOf = <T extends object>(
  list: List,
  {
    content,
    body = (same) => same,
    expect = (model, id, shown) => model.create(list, id, shown as Values, shown as Values),
    ids = fewIds,
  }: Create<T>,
): fc.Arbitrary<Step> =>
  fc.record({ id: ids, content, again: either, byServerId: either }).map(({ id, byServerId, ...each }) => ({
    list,
    call: (client, model) => {
      const sent = contentOf(model, list, id, each)
      const idIn = (target: List, clientId: string) => idOf(model, target, clientId, byServerId)
      return client.post(`/api/${list}`, { id, ...body(sent, idIn) })
    },
    expect: (model) => expect(model, id, contentOf(model, list, id, each)),
  }))

const createProduct = (ids = fewIds) =>
  createOf('products', { content: fc.record({ name: fc.constantFrom('x', 'y') }), ids })

const person = { name, email: name, metadata: fc.constantFrom({}, { k: [1] }), phone: name }
const createCustomer = (ids = fewIds) =>
  createOf('customers', {
    content: fc.record(person),
    expect: (model, id, content) => {
      const { phone: _, ...shown } = content
      return model.create('customers', id, content, shown)
    },
    ids,
  })

const percentage = fc.record({
  name: fc.constant('n'),
  duration: fc.constant('forever'),
  currency: fc.constant('EUR'),
  percent_off: fc.integer({ min: 1, max: 2 }),
})
const createDiscount = (ids = fewIds) => createOf('discounts', { content: percentage, ids })

const createPrice = createOf('prices', {
  content: fc.record({
    product: fewIds,
    currency: fc.constant('EUR'),
    price: fc.integer({ min: 0, max: 1 }),
    type: fc.constant('one_time'),
  }),
  body: ({ product, ...others }, idOf) => ({ ...others, product_id: idOf('products', product) }),
  expect: (model, id, content) => {
    const { product, ...shown } = content
    return model.find('products', product) ? model.create('prices', id, content, shown) : { status: 422 }
  },
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
  customer: fewIds,
  subscription: fc.constantFrom('s', 't'),
  discount: fc.constantFrom('a', 'a', 'b', null),
  lines: fc.array(line, { maxLength: 2 }),
})
const date = (number: number) => `2024-01-0${number}`
const createInvoice = createOf('invoices', {
  content: invoiceContent,
  body: (content, idOf) => ({
    total: content.total,
    created: date(content.created),
    period_start: date(content.period_start),
    period_end: date(content.period_end),
    currency: content.currency,
    customer_id: idOf('customers', content.customer),
    subscription_id: idOf('subscriptions', content.subscription),
    discounts: content.discount ? [idOf('discounts', content.discount)] : null,
    line_items: content.lines,
  }),
  expect: (model, id, content) => model.createInvoice(id, content),
  ids: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
})

const changes = fc.record(
  { name, email: name, metadata: fc.constantFrom({}, { z: 1 }) },
  { requiredKeys: [] },
)
const update = fc.record({ id: fewIds, changes, byServerId: either }).map(
  ({ id, changes, byServerId }): Step => ({
    list: 'customers',
    call: (client, model) => client.put(pathOf(model, 'customers', id, byServerId), { id, ...changes }),
    expect: (model) => model.update(id, changes),
  }),
)
const anonymise = fc.record({ id: fewIds, byServerId: either }).map(
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

/** Returns the includes among these names that a list has. */
export const includesIn = (list: List, names: readonly string[]): string[] =>
  names.filter((name) => includesOf[list].includes(name))

const retrieve = fc
  .record({ list: fc.constantFrom(...lists), id: fewIds, byServerId: either, embedded })
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
