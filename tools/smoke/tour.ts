import { type Client, createClient } from '../../client/index.ts'

/** Where the tour goes, and as whom. */
export interface Destination {
  readonly baseUrl: string
  readonly appId: string
  readonly apiKey: string
}

/** One call of the tour; its answer must hold true, or come true soon where lists lag behind writes. */
export interface Step {
  /** The endpoint's id, and what is done where one endpoint does two things. */
  readonly operation: string
  readonly call: () => Promise<unknown>
  readonly holds: (answer: never) => boolean
}

const step = <T>(operation: string, call: () => Promise<T>, holds: (answer: T) => boolean): Step => ({
  operation,
  call,
  holds,
})

const isAmong =
  (id: () => string) =>
  ({ items }: { readonly items: readonly { readonly id: string }[] }): boolean =>
    items.some((item) => item.id === id())

/** One tour: the client, the id that its data has with us, and those that the service gave it. */
interface Visit {
  readonly api: Client
  readonly own: string
  readonly ids: Map<string, string>
}

const productSteps = ({ api, own, ids }: Visit): Step[] => {
  const id = (kind: string) => () => ids.get(kind) as string
  const price = { id: own, product_id: own, currency: 'EUR', price: 999, type: 'one_time' } as const
  return [
    step(
      'products.create',
      () => api.products.create({ id: own, name: 'Smoke test' }),
      (it) => ids.set('product', it.id).size > 0,
    ),
    step(
      'products.retrieve',
      () => api.products.retrieve(own),
      (it) => it.id === id('product')(),
    ),
    step(
      'prices.create',
      () => api.prices.create(price),
      (it) => ids.set('price', it.id).size > 0,
    ),
    step(
      'prices.retrieve',
      () => api.prices.retrieve(own),
      (it) => it.price === price.price,
    ),
    step('prices.list', () => api.prices.list(), isAmong(id('price'))),
    step(
      'products.list',
      () => api.products.list({ include: ['prices'] }),
      ({ items }) => items.find((it) => it.id === id('product')())?.prices[0]?.id === id('price')(),
    ),
  ]
}

const discountSteps = ({ api, own, ids }: Visit): Step[] => {
  const discount = {
    id: own,
    name: 'Smoke test',
    duration: 'once',
    percent_off: 10,
    currency: 'EUR',
  } as const
  return [
    step(
      'discounts.create',
      () => api.discounts.create(discount),
      (it) => ids.set('discount', it.id).size > 0,
    ),
    step(
      'discounts.retrieve',
      () => api.discounts.retrieve(own),
      (it) => it.percent_off === 10,
    ),
    step(
      'discounts.list',
      () => api.discounts.list(),
      isAmong(() => ids.get('discount') as string),
    ),
  ]
}

const email = 'smoke@example.org'

const customerSteps = ({ api, own, ids }: Visit): Step[] => [
  step(
    'customers.create',
    () => api.customers.create({ id: own, name: 'Smoke test', email, metadata: { smoke: true } }),
    (it) => ids.set('customer', it.id).size > 0,
  ),
  step(
    'customers.update',
    () => api.customers.update(own, { name: 'Smoke' }),
    (it) => it.name === 'Smoke',
  ),
  step(
    'customers.retrieve',
    () => api.customers.retrieve(own),
    (it) => it.email === email,
  ),
  step(
    'customers.list',
    () => api.customers.list(),
    isAmong(() => ids.get('customer') as string),
  ),
]

const invoiceSteps = ({ api, own, ids }: Visit): Step[] => {
  const id = (kind: string) => () => ids.get(kind) as string
  const invoice = {
    ...{ id: own, total: 999, currency: 'EUR', customer_id: own, subscription_id: own, discounts: [own] },
    ...{ created: '2024-01-01', period_start: '2024-01-01', period_end: '2024-02-01' },
    line_items: [{ amount: 999, quantity: 1 }],
  }
  return [
    step(
      'invoices.create',
      () => api.invoices.create(invoice),
      (it) => ids.set('invoice', it.id).set('subscription', it.subscription_id).size > 0,
    ),
    step(
      'invoices.retrieve',
      () => api.invoices.retrieve(own, { include: ['line_items', 'customer', 'subscription'] }),
      (it) => it.line_items[0]?.amount === 999 && it.subscription.latest_invoice_id === it.id,
    ),
    step('invoices.list', () => api.invoices.list({ include: ['line_items'] }), isAmong(id('invoice'))),
    step('subscriptions.list', () => api.subscriptions.list(), isAmong(id('subscription'))),
    step(
      'customers.update (anonymise)',
      () => api.customers.anonymise(own),
      (it) => it.email !== email && it.metadata.smoke === true,
    ),
  ]
}

/**
 * The tour of all operations as a client's program makes it. All that it leaves is named by `own`: products, prices,
 * discounts, an anonymised customer and an invoice, since nothing can be deleted.
 */
export const tour = ({ baseUrl, appId, apiKey }: Destination, own: string): Step[] => {
  const visit = { api: createClient({ baseUrl, appId, apiKey, retries: 0 }), own, ids: new Map() }
  return [productSteps, discountSteps, customerSteps, invoiceSteps].flatMap((steps) => steps(visit))
}
