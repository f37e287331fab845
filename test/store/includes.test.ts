import { MAX_PAYLOAD_BYTES } from '../../shared/pagination/page.ts'
import { invoice } from '../../shared/resources/invoice.ts'
import { price } from '../../shared/resources/price.ts'
import { currentService } from '../../shared/store/service.ts'
import { setClock } from '../support/clock.ts'
import { recordCopies } from '../support/database/copied-entities.ts'
import { databaseCallsOf, totalUnits } from '../support/database/database-calls.ts'
import { interceptCalls } from '../support/database/intercepted-calls.ts'
import { inParallel } from '../support/in-parallel.ts'
import { range } from '../support/range.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  lineItem,
  priceBody,
  productBody,
} from '../support/requests/bodies.ts'
import { readPage } from '../support/requests/list-pages.ts'
import { type Client, newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

/** Its invoices refer to every resource that can be embedded. */
const newBusiness = async (): Promise<Client> => {
  const client = await newClient()
  const customer = await client.create('/api/customers', customerBody())
  const products = [productBody(), productBody()]
  for (const body of products) await client.create('/api/products', body)
  const prices = range(6).map((index) => priceBody({ product_id: products[index % 2]!.id }))
  await inParallel(prices, (body) => client.create('/api/prices', body))
  const discounts = range(4).map(() => discountBody())
  await inParallel(discounts, (body) => client.create('/api/discounts', body))
  await inParallel(range(12), (index) => {
    const line_items = prices.slice(index % 6).map(({ id }) => lineItem({ price_id: id }))
    const body = invoiceBody({
      customer_id: customer.id,
      subscription_id: `sub-${index % 3}`,
      discounts: discounts.slice(index % 4).map(({ id }) => id),
      line_items,
    })
    return client.create('/api/invoices', body)
  })
  return client
}

interface BatchOfKeys {
  readonly ConsistentRead?: boolean
}

/** From eventually consistent batch reads, like a replica that lags behind. */
const hideItems = (): { hidden: number } => {
  const counted = { hidden: 0 }
  interceptCalls(async ({ command, input }, proceed) => {
    const output = await proceed()
    if (command !== 'BatchGetItemCommand') return output
    for (const [table, batch] of Object.entries<BatchOfKeys>(input.RequestItems)) {
      if (batch.ConsistentRead) continue
      const items: unknown[] = output.Responses[table]
      const shownItems = items.filter((_, index) => index % 2 === 0)
      output.Responses[table] = shownItems
      counted.hidden += items.length - shownItems.length
    }
    return output
  })
  return counted
}

it('embeds every entity, although the replica of its eventually consistent reads lacks every second one', async () => {
  const client = await newBusiness()
  const { subscriptions } = (await client.get('/api/subscriptions')).json.data
  const subscriptionPaths = subscriptions.map(
    ({ id }: { id: string }) => `/api/subscriptions/${id}?include=customer,latest_invoice`,
  )
  const paths = [
    '/api/invoices?include=line_items,price,customer,subscription,discounts,external_id',
    '/api/subscriptions?include=customer',
    '/api/prices?include=product',
    '/api/products?include=prices',
    ...subscriptionPaths,
  ]
  const readAll = async () => {
    const responses: unknown[] = []
    for (const path of paths) responses.push((await client.get(path)).json.data)
    return responses
  }
  const complete = await readAll()
  const counted = hideItems()
  expect(await readAll()).toEqual(complete)
  expect(counted.hidden).toBeGreaterThan(5)
})

it('records invoices, although the replica of their eventually consistent reads lacks every second entity', async () => {
  const client = await newBusiness()
  const [recorded] = (await client.get('/api/invoices?include=line_items,discounts,external_id')).json.data
    .invoices
  const counted = hideItems()
  const { status } = await client.post(
    '/api/invoices',
    invoiceBody({
      customer_id: recorded.customer_id,
      discounts: recorded.discounts.map(({ id }: { id: string }) => id),
      subscription_id: 'new',
    }),
  )
  expect(status).toBe(200)
  expect(counted.hidden).toBeGreaterThan(0)
})

/** Makes eventually consistent batch reads return each item as it was at most `seconds` ago, like a replica that lags behind. */
const lagBehind = (seconds: number): void => {
  const replica = new Map<string, { item: unknown; readAt: number }>()
  interceptCalls(async ({ command, input }, proceed) => {
    const output = await proceed()
    if (command !== 'BatchGetItemCommand') return output
    const now = currentService().clock.now()
    for (const [table, batch] of Object.entries<BatchOfKeys>(input.RequestItems)) {
      if (batch.ConsistentRead) continue
      output.Responses[table] = output.Responses[table].map((item: { pk: string }) => {
        const known = replica.get(item.pk)
        if (known && now - known.readAt < 1_000 * seconds) return known.item
        replica.set(item.pk, { item, readAt: now })
        return item
      })
    }
    return output
  })
}

const { settings } = currentService()
afterEach(() => {
  setClock()
  currentService().settings = settings
})

const changedPrices = '/api/prices?changed_since=0&include=product'
it.each([
  { request: 'a list', path: '/api/prices?include=product', holdBackSeconds: 330, name: 'Old' },
  { request: 'a retrieve', path: '/api/prices/monthly?include=product', holdBackSeconds: 330, name: 'New' },
  { request: 'a change feed', path: changedPrices, holdBackSeconds: 330, name: 'New' },
  { request: 'a change feed that holds nothing back', path: changedPrices, holdBackSeconds: 0, name: 'New' },
])(
  'embeds in $request the $name name of a product, if a replica lags behind',
  async ({ path, holdBackSeconds, name }) => {
    currentService().settings = () => ({ ...settings(), holdBackSeconds })
    const client = await newClient()
    await client.create('/api/products', { id: 'plan', name: 'Old' })
    await client.create('/api/prices', priceBody({ id: 'monthly', product_id: 'plan' }))
    lagBehind(300)
    await client.get('/api/prices?include=product')
    await client.create('/api/products?on_conflict=update', { id: 'plan', name: 'New' })
    // A change feed shows the price when it is no longer held back.
    if (path === changedPrices) setClock(() => Date.now() + 1_000 * (holdBackSeconds + 2))
    const { data } = (await client.get(path)).json
    const [shown] = data.prices ?? [data.price]
    expect(shown.product.name).toBe(name)
  },
)

it('stops reading what a retrieve embeds once a response cannot contain it', async () => {
  const client = await newClient()
  const title = '😀'.repeat(5_000)
  await client.create('/api/customers', customerBody({ id: 'me' }))
  await client.create('/api/products', productBody({ id: 'plan' }))
  const { id } = await client.create('/api/prices', priceBody({ product_id: 'plan', title }))
  const priceIds = await recordCopies(client, price, Array(290).fill(id))
  const line_items = priceIds.map((price_id) => ({ price_id }))
  await client.create('/api/invoices', invoiceBody({ id: 'large', customer_id: 'me', line_items }))
  const calls = await databaseCallsOf(async () => {
    expect(await client.get('/api/invoices/large?include=line_items,price')).toMatchObject({ status: 422 })
  })
  const unitsOfPrice = totalUnits(await databaseCallsOf(() => client.get(`/api/prices/${id}`)))
  const pricesInResponse = MAX_PAYLOAD_BYTES / Buffer.byteLength(title)
  expect(totalUnits(calls)).toBeLessThanOrEqual((pricesInResponse + 3) * unitsOfPrice)
})

it('reads what a page of 100 small invoices embeds in two steps', async () => {
  const client = await newBusiness()
  const customers = range(90).map(() => customerBody())
  await inParallel(customers, (body) => client.create('/api/customers', body))
  await inParallel(customers, ({ id }) =>
    client.create('/api/invoices', invoiceBody({ customer_id: id, line_items: [lineItem()] })),
  )
  const calls = await databaseCallsOf(() =>
    client.get('/api/invoices?limit=100&include=line_items,price,customer,subscription,discounts'),
  )
  // The second step has 240 keys, of which a call takes 100.
  expect(calls.map(({ command }) => command)).toEqual([
    'QueryCommand',
    ...Array(6).fill('BatchGetItemCommand'),
  ])
})

it('reads at most about twice what a page of large invoices returns', async () => {
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'me' }))
  // Of about 250 KB together.
  const line_items = range(250).map((index) => lineItem({ id: `${index}-${'😀'.repeat(220)}` }))
  const { id } = await client.create('/api/invoices', invoiceBody({ customer_id: 'me', line_items }))
  await recordCopies(client, invoice, Array(60).fill(id))
  let shown = 0
  const calls = await databaseCallsOf(async () => {
    shown = (await readPage(client, '/api/invoices', { limit: 100, include: 'line_items' })).items.length
  })
  // A retrieve is strongly consistent, which costs twice as much as the reads of a list.
  const unitsOfInvoice = totalUnits(await databaseCallsOf(() => client.get(`/api/invoices/${id}`))) / 2
  expect(totalUnits(calls)).toBeLessThanOrEqual(2.2 * shown * unitsOfInvoice)
})
