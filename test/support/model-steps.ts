import fc from 'fast-check'
import { type Expected, type InvoiceSaid, type List, Model } from './model.ts'
import type { Answer, Client } from './service.ts'

/** A request to the service, and its equivalent in the model. */
export interface Step {
  readonly list: List
  readonly call: (client: Client, model: Model) => Promise<Answer>
  readonly expect: (model: Model) => Expected
  readonly include?: readonly string[]
}

/** The names of all lists. */
export const lists = Object.keys(new Model().lists) as List[]
const some = fc.constantFrom('a', 'b', 'c')
const either = fc.boolean()
const name = fc.constantFrom('x', 'y', null)

/** Returns the path of an entity by either id. An entity that does not exist has only the client's id. */
const pathOf = (model: Model, list: List, clientId: string, byServerId: boolean) =>
  `/api/${list}/${(byServerId && model.find(list, clientId)?.id) || clientId}`
const idOf = (model: Model, list: List, clientId: string, byServerId: boolean) =>
  (byServerId && model.find(list, clientId)?.id) || clientId

const createProduct = fc.record({ id: some, name: fc.constantFrom('x', 'y') }).map(
  ({ id, ...said }): Step => ({
    list: 'products',
    call: (client) => client.post('/api/products', { id, ...said }),
    expect: (model) => model.create('products', id, said, said),
  }),
)

const createPrice = fc
  .record({ id: some, product: some, price: fc.integer({ min: 0, max: 1 }), byServerId: either })
  .map(
    ({ id, byServerId, ...said }): Step => ({
      list: 'prices',
      call: (client, model) =>
        client.post('/api/prices', {
          id,
          product_id: idOf(model, 'products', said.product, byServerId),
          price: said.price,
          currency: 'eur',
          type: 'one_time',
        }),
      expect: (model) =>
        model.createPrice(id, said, {
          title: null,
          currency: 'EUR',
          price: said.price,
          tiered: false,
          type: 'one_time',
          interval: null,
          interval_count: null,
        }),
    }),
  )

const createCustomer = fc
  .record({ id: some, name, email: name, metadata: fc.constantFrom({}, { k: [1] }), phone: name })
  .map(
    ({ id, ...said }): Step => ({
      list: 'customers',
      call: (client) => client.post('/api/customers', { id, ...said }),
      expect: (model) =>
        model.create('customers', id, said, { name: said.name, email: said.email, metadata: said.metadata }),
    }),
  )

const createDiscount = fc.record({ id: some, percent_off: fc.integer({ min: 1, max: 2 }) }).map(
  ({ id, percent_off }): Step => ({
    list: 'discounts',
    call: (client) =>
      client.post('/api/discounts', { id, percent_off, name: 'n', duration: 'forever', currency: 'EUR' }),
    expect: (model) =>
      model.create(
        'discounts',
        id,
        { percent_off },
        {
          name: 'n',
          duration: 'forever',
          duration_in_months: null,
          amount_off: null,
          percent_off,
          currency: 'EUR',
        },
      ),
  }),
)

const invoiceSaid: fc.Arbitrary<InvoiceSaid> = fc.record({
  total: fc.constantFrom(1, -1),
  created: fc.integer({ min: 1, max: 3 }),
  period_start: fc.integer({ min: 1, max: 2 }),
  period_end: fc.integer({ min: 3, max: 4 }),
  currency: fc.constantFrom('EUR', 'USD'),
  customer: some,
  subscription: fc.constantFrom('s', 't'),
  interval: fc.constantFrom('month', null),
})
const date = (number: number) => `2024-01-0${number}`
const createInvoice = fc
  .record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), said: invoiceSaid, byServerId: either })
  .map(
    ({ id, said, byServerId }): Step => ({
      list: 'invoices',
      call: (client, model) =>
        client.post('/api/invoices', {
          id,
          total: said.total,
          created: date(said.created),
          period_start: date(said.period_start),
          period_end: date(said.period_end),
          currency: said.currency,
          customer_id: idOf(model, 'customers', said.customer, byServerId),
          subscription_id: idOf(model, 'subscriptions', said.subscription, byServerId),
          line_items: said.interval
            ? [{ type: 'recurring', interval: said.interval, interval_count: 1 }]
            : null,
        }),
      expect: (model) => model.createInvoice(id, said),
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

/** The includes of each list that other requests can change. */
export const includesOf: Partial<Record<List, readonly string[]>> = {
  products: ['prices'],
  invoices: ['customer', 'subscription'],
}
const retrieve = fc
  .record({
    list: fc.constantFrom<List>('products', 'prices', 'customers', 'discounts', 'invoices'),
    id: some,
    byServerId: either,
    embed: either,
  })
  .map(({ list, id, byServerId, embed }): Step => {
    const include = (embed && includesOf[list]) || []
    return {
      list,
      include,
      call: (client, model) =>
        client.get(
          `${pathOf(model, list, id, byServerId)}${include.length > 0 ? `?include=${include}` : ''}`,
        ),
      expect: (model) => model.retrieve(list, id),
    }
  })

/** Sequences of requests that concern a few entities, so that they interact. */
export const steps = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: createProduct },
    { weight: 3, arbitrary: createPrice },
    { weight: 4, arbitrary: createCustomer },
    { weight: 1, arbitrary: createDiscount },
    { weight: 6, arbitrary: createInvoice },
    { weight: 3, arbitrary: update },
    { weight: 2, arbitrary: anonymise },
    { weight: 3, arbitrary: retrieve },
  ),
  { minLength: 8, maxLength: 24, size: 'max' },
)
