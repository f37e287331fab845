import fc from 'fast-check'
import type { ApiResponse, Client } from '../support/requests/service.ts'
import { type Expected, type InvoiceContent, type ListName, Model, type Values } from './model.ts'

export interface Step {
  readonly list: ListName
  /** The model has the ids that the request needs. */
  readonly send: (client: Client, model: Model) => Promise<ApiResponse>
  /** Returns the response that the model expects. */
  readonly respond: (model: Model) => Expected
  readonly include?: readonly string[]
}

export const listNames = Object.keys(new Model().lists) as ListName[]
/** Mostly of the same entity. */
const fewIds: fc.Arbitrary<string> = fc.constantFrom('a', 'a', 'a', 'b', 'c')
const name = fc.constantFrom('x', 'y', null)

/** An entity that does not exist has only a client id. */
const idOf = (model: Model, list: ListName, clientId: string, byServerId: boolean): string => {
  const entry = byServerId ? model.find(list, clientId) : undefined
  return entry?.id ?? clientId
}
const pathOf = (model: Model, list: ListName, clientId: string, byServerId: boolean) =>
  `/api/${list}/${idOf(model, list, clientId, byServerId)}`

/** With `isRepeated`, the content of an earlier create of the id if there is one. */
const contentOf = <T>(
  model: Model,
  list: ListName,
  id: string,
  { isRepeated, content }: { isRepeated: boolean; content: T },
): T => {
  const earlier = isRepeated ? model.find(list, id) : undefined
  return (earlier?.content ?? content) as T
}

interface Create<T> {
  readonly content: fc.Arbitrary<T>
  /** Refers to entities by either id. Default: the content. */
  readonly body?: (content: T, idOf: (list: ListName, clientId: string) => string) => object
  /** Default: an entity that shows all of the content. */
  readonly respond?: (model: Model, id: string, content: T) => Expected
  readonly ids?: fc.Arbitrary<string>
}

const createOf = <T extends object>(
  list: ListName,
  {
    content,
    body = (unchanged) => unchanged,
    respond = (model, id, shown) => model.create(list, id, shown as Values, shown as Values),
    ids = fewIds,
  }: Create<T>,
): fc.Arbitrary<Step> =>
  fc
    .record({ id: ids, content, isRepeated: fc.boolean(), byServerId: fc.boolean() })
    .map(({ id, byServerId, ...sending }) => ({
      list,
      send: (client, model) => {
        const sent = contentOf(model, list, id, sending)
        const idIn = (target: ListName, clientId: string) => idOf(model, target, clientId, byServerId)
        return client.post(`/api/${list}`, { id, ...body(sent, idIn) })
      },
      respond: (model) => respond(model, id, contentOf(model, list, id, sending)),
    }))

const createProduct = (ids = fewIds) =>
  createOf('products', { content: fc.record({ name: fc.constantFrom('x', 'y') }), ids })

const person = { name, email: name, metadata: fc.constantFrom({}, { k: [1] }), phone: name }
const createCustomer = (ids = fewIds) =>
  createOf('customers', {
    content: fc.record(person),
    respond: (model, id, content) => {
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
  respond: (model, id, content) => {
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
const dateOf = (day: number) => `2024-01-0${day}`
const createInvoice = createOf('invoices', {
  content: invoiceContent,
  body: (content, idOf) => ({
    total: content.total,
    created: dateOf(content.created),
    period_start: dateOf(content.period_start),
    period_end: dateOf(content.period_end),
    currency: content.currency,
    customer_id: idOf('customers', content.customer),
    subscription_id: idOf('subscriptions', content.subscription),
    discounts: content.discount ? [idOf('discounts', content.discount)] : null,
    line_items: content.lines,
  }),
  respond: (model, id, content) => model.createInvoice(id, content),
  ids: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
})

const changes = fc.record(
  { name, email: name, metadata: fc.constantFrom({}, { z: 1 }) },
  { requiredKeys: [] },
)
const update = fc.record({ id: fewIds, changes, byServerId: fc.boolean() }).map(
  ({ id, changes, byServerId }): Step => ({
    list: 'customers',
    send: (client, model) => client.put(pathOf(model, 'customers', id, byServerId), { id, ...changes }),
    respond: (model) => model.update(id, changes),
  }),
)
const anonymise = fc.record({ id: fewIds, byServerId: fc.boolean() }).map(
  ({ id, byServerId }): Step => ({
    list: 'customers',
    send: (client, model) => client.put(pathOf(model, 'customers', id, byServerId)),
    respond: (model) => model.anonymise(id),
  }),
)

const allIncludes: Record<ListName, readonly string[]> = {
  products: ['prices', 'external_id'],
  prices: ['product', 'external_id'],
  customers: ['external_id'],
  discounts: ['external_id'],
  invoices: ['line_items', 'customer', 'subscription', 'discounts', 'external_id'],
  subscriptions: ['customer', 'external_id'],
}

export const someIncludes = fc.subarray([...new Set(Object.values(allIncludes).flat())])

export const includesOf = (list: ListName, names: readonly string[]): string[] =>
  names.filter((name) => allIncludes[list].includes(name))

const retrieve = fc
  .record({
    list: fc.constantFrom(...listNames),
    id: fewIds,
    byServerId: fc.boolean(),
    includes: someIncludes,
  })
  .map(({ list, id, byServerId, includes }): Step => {
    const include = includesOf(list, includes)
    return {
      list,
      include,
      send: (client, model) => client.get(`${pathOf(model, list, id, byServerId)}?include=${include}`),
      respond: (model) => model.retrieve(list, id),
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

/** Sequences of requests for a few entities, so that the requests affect each other. */
export const steps = fc
  .tuple(
    ...['a', 'b'].map((id) => createCustomer(fc.constant(id))),
    createProduct(fc.constant('a')),
    createDiscount(fc.constant('a')),
    fc.array(anyStep, { minLength: 8, maxLength: 24, size: 'max' }),
  )
  .map((parts) => parts.flat())
