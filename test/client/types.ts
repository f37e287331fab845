import {
  type Client,
  type CreateInvoice,
  type Customer,
  createClient,
  type Invoice,
  type LineItem,
  type Product,
  type resources,
  VERSION,
} from '../../client/index.ts'

/** What the compiler must accept and reject. Nothing here runs. `check:package` also compiles it against the packed declarations. */

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const assertType = <_ extends true>(): void => undefined

const client: Client = createClient({ baseUrl: 'https://billing.example.org', appId: 'app', apiKey: 'key' })

export const responses = async (): Promise<void> => {
  const invoice = await client.invoices.retrieve('inv-1')
  assertType<Equal<typeof invoice, Invoice>>()
  // @ts-expect-error nothing is included
  invoice.line_items

  const full = await client.invoices.retrieve(42, { include: ['line_items', 'customer'] })
  assertType<Equal<keyof typeof full, keyof Invoice | 'line_items' | 'customer'>>()
  assertType<Equal<typeof full.customer, Customer & { external_id?: string }>>()
  assertType<Equal<typeof full.line_items, LineItem[]>>()
  // @ts-expect-error the subscription is not included
  full.subscription

  const joined = await client.invoices.retrieve(42, {
    include: ['line_items', 'price', 'discounts', 'external_id'],
  })
  assertType<Equal<typeof joined.external_id, string>>()
  assertType<Equal<(typeof joined.discounts)[number]['external_id'], string>>()
  const line = joined.line_items[0]!
  assertType<Equal<NonNullable<typeof line.price>['product']['external_id'], string>>()
  for await (const { customer } of client.subscriptions.all({ include: ['external_id', 'customer'] }))
    assertType<Equal<typeof customer.external_id, string>>()

  const sold = await client.invoices.retrieve(42, { include: ['price', 'line_items'] })
  assertType<Equal<keyof typeof sold, keyof Invoice | 'line_items'>>()
  const { price } = sold.line_items[0]!
  assertType<Equal<NonNullable<typeof price>['product']['name'], string>>()
  assertType<Equal<Extract<typeof price, null>, null>>()
  // @ts-expect-error a line may name no price
  price.id
  // @ts-expect-error prices are not included
  full.line_items[0]?.price

  const wanted: ('line_items' | 'customer')[] = []
  const some = await client.invoices.retrieve(42, { include: wanted })
  // @ts-expect-error whether the customer is included is known only at run time
  some.customer.id

  const page = await client.products.list({ limit: 10, include: ['prices'] })
  assertType<Equal<typeof page.next_cursor, string | null>>()
  for (const product of page.items) assertType<Equal<(typeof product.prices)[number]['price'], number>>()
  for await (const customer of client.customers.all()) {
    assertType<Equal<typeof customer, Customer>>()
    assertType<Equal<typeof customer.metadata, { [key: string]: unknown }>>()
  }
}

interface Plan {
  plan?: 'basic' | 'pro'
}

export const metadata = async (): Promise<void> => {
  const { customers, invoices } = createClient<Plan>({ baseUrl: 'b', appId: 'a', apiKey: 'k' })
  const customer = await customers.create({ id: 1, metadata: { plan: 'pro' } })
  assertType<Equal<typeof customer, Customer<Plan>>>()
  assertType<Equal<typeof customer.metadata.plan, 'basic' | 'pro' | undefined>>()
  const invoice = await invoices.retrieve(1, { include: ['customer'] })
  assertType<Equal<typeof invoice.customer.metadata, Plan>>()
  // @ts-expect-error there is no such plan
  await customers.update(1, { metadata: { plan: 'free' } })
  // @ts-expect-error the metadata has the type that the client was created with
  assertType<Equal<typeof customer, Customer>>()
}

export const values = (): void => {
  VERSION.split('.')
  assertType<Equal<keyof typeof resources, keyof Client>>()
  assertType<Equal<(typeof resources.subscriptions)['name'], 'subscription'>>()
  assertType<Equal<(typeof resources.subscriptions.operations)[number], 'list' | 'retrieve'>>()
}

export const openEnumerations = async (): Promise<void> => {
  const price = await client.prices.retrieve('basic')
  if (price.type === 'recurring') price.interval?.toUpperCase()
  if (price.type === 'a type of a newer service') price.price.toFixed()
  // @ts-expect-error an enumeration is text
  price.type === 1
  // @ts-expect-error a request takes only the known values
  await client.prices.create({ id: 1, product_id: 'p', currency: 'EUR', price: 1, type: 'a newer one' })
}

export const conditions = async (): Promise<void> => {
  const price = { id: 1, product_id: 'p', currency: 'EUR', price: 1 }
  await client.prices.create({ ...price, type: 'recurring', interval: 'month', interval_count: 1 })
  await client.prices.create({ ...price, type: 'one_time', interval: null })
  // @ts-expect-error a recurring price needs interval_count
  await client.prices.create({ ...price, type: 'recurring', interval: 'month' })
  // @ts-expect-error a recurring price needs an interval
  await client.prices.create({ ...price, type: 'recurring', interval: null, interval_count: 1 })
  // @ts-expect-error a one-time price has no interval
  await client.prices.create({ ...price, type: 'one_time', interval: 'month', interval_count: 1 })
  const discount = { id: 1, name: 'Spring', currency: 'EUR' }
  const repeating = { ...discount, duration: 'repeating', percent_off: 10 } as const
  await client.discounts.create({ ...discount, duration: 'once', amount_off: 500 })
  await client.discounts.create({ ...repeating, duration_in_months: '3', amount_off: null })
  // @ts-expect-error neither an amount nor a percentage
  await client.discounts.create({ ...discount, duration: 'once' })
  // @ts-expect-error an amount and a percentage
  await client.discounts.create({ ...discount, duration: 'once', amount_off: 500, percent_off: 10 })
  // @ts-expect-error a repeating discount needs its months
  await client.discounts.create(repeating)
  // @ts-expect-error a discount for ever has no months
  await client.discounts.create({ ...discount, duration: 'forever', duration_in_months: 3, percent_off: 10 })
}

export const calls = async (): Promise<void> => {
  const { data, requestId, attempts, headers } = await client.products.retrieve('p').withResponse()
  assertType<Equal<typeof data, Product>>()
  assertType<Equal<typeof requestId, string>>()
  assertType<Equal<typeof attempts, number>>()
  assertType<Equal<ReturnType<typeof headers.get>, string | null>>()
  const bodies = async function* () {
    yield { id: 1, name: 'Basic' }
  }
  const summary = await client.products.createAll(bodies(), {
    concurrency: 4,
    onProgress: (result, done) => {
      assertType<Equal<typeof done, number>>()
      if (result.outcome === 'failed') result.error.message.trim()
      else assertType<Equal<typeof result.entity, Product>>()
      // @ts-expect-error a failed body has no entity
      result.entity
    },
  })
  for (const { index, body, error } of summary.failed) body.name.padEnd(index, error.message)
  // @ts-expect-error invoices never change
  await client.invoices.createAll([], { on_conflict: 'update' })
  const { outcome, entity } = await client.customers.upsert({ id: 1 })
  assertType<Equal<typeof outcome, 'created' | 'updated' | 'unchanged'>>()
  assertType<Equal<typeof entity, Customer>>()
  // @ts-expect-error invoices never change
  client.invoices.upsert
  const renamed = await client.products.upsert({ id: 1, name: 'Pro' })
  assertType<Equal<typeof renamed.entity, Product>>()
  // @ts-expect-error createAll takes bodies, not ids
  await client.products.createAll(['a'])
}

export const filters = async (): Promise<void> => {
  await client.prices.list({ product_id: 'p', include: ['product'] })
  // @ts-expect-error a filter is an id
  await client.subscriptions.list({ customer_id: null })
  // @ts-expect-error products have no filter
  await client.products.list({ customer_id: 42 })
}

export const requests = async (): Promise<void> => {
  // @ts-expect-error a name is required
  await client.products.create({ id: 42 })
  // @ts-expect-error a field is misspelt
  await client.products.create({ id: 42, name: 'Basic', titel: 'x' })
  const metadata = { any: [1, { thing: true }] }
  await client.customers.create({ id: 'c', name: undefined, email: null, metadata })
  // @ts-expect-error an update needs changes
  await client.customers.update('c')
  // @ts-expect-error an id is text or an integer
  await client.customers.retrieve(undefined)
  // @ts-expect-error changes are an object
  await client.customers.update('c', null)
  // @ts-expect-error the id of a customer never changes
  await client.customers.update('c', { id: 'd' })
  const body: CreateInvoice = {
    id: 'i',
    total: 999,
    currency: 'EUR',
    customer_id: 'c',
    subscription_id: 's',
    created: '2026-01-01',
    period_start: '2026-01-01',
    period_end: '2026-02-01',
    discounts: ['d', 7] as const,
    line_items: [{ amount: 999, type: 'recurring', interval: 'month', interval_count: 1 }],
  }
  await client.invoices.create(body, { signal: new AbortController().signal, timeout: 1_000, retries: 0 })
  await client.invoices.create({ ...body, created: new Date(), line_items: [{ period_end: new Date() }] })
  await client.customers.update('c', { created: new Date() })
  // @ts-expect-error a time is a date, not a number of seconds
  await client.invoices.create({ ...body, created: 1 })
  // @ts-expect-error an amount is an integer in minor units
  await client.invoices.create({ ...body, total: '9.99' })
}

export const lists = async (): Promise<void> => {
  // @ts-expect-error iterating backwards needs a cursor
  client.customers.all({ direction: 'newer' })
  // @ts-expect-error customers embed nothing
  await client.customers.list({ include: ['invoices'] })
  // @ts-expect-error an invoice cannot include these
  await client.invoices.list({ include: ['lines'] })
  const { latest_invoice } = await client.subscriptions.retrieve('s', { include: ['latest_invoice'] })
  assertType<Equal<typeof latest_invoice, Invoice & { external_id?: string }>>()
  // @ts-expect-error only a retrieve embeds the latest invoice
  await client.subscriptions.list({ include: ['latest_invoice'] })
}

export const operations = (): void => {
  // @ts-expect-error no endpoint creates a subscription
  client.subscriptions.create
  // @ts-expect-error only a customer can be updated
  client.invoices.update
  createClient({ baseUrl: 'b', appId: 'a', apiKey: 'k', fetch: globalThis.fetch, retries: undefined })
  // @ts-expect-error the key is missing
  createClient({ baseUrl: 'https://billing.example.org', appId: 'app' })
}
