import { type DatabaseCall, databaseCallsOf } from '../support/database/database-calls.ts'
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

/** Records a business whose invoices refer to every resource that can be embedded. */
const newBusiness = async (): Promise<Client> => {
  const client = await newClient()
  const customer = await client.create('/api/customers', customerBody())
  const [product, other] = [productBody(), productBody()]
  for (const each of [product, other]) await client.create('/api/products', each)
  const prices = range(6).map((index) => priceBody({ product_id: [product, other][index % 2]!.id }))
  await inParallel(prices, (body) => client.create('/api/prices', body))
  const discounts = range(4).map(() => discountBody())
  await inParallel(discounts, (body) => client.create('/api/discounts', body))
  await inParallel(range(12), (index) => {
    const line_items = prices.slice(index % 6).map(({ id }) => lineItem({ price_id: id }))
    const used = discounts.slice(index % 4).map(({ id }) => id)
    const subscription_id = `sub-${index % 3}`
    const body = invoiceBody({ customer_id: customer.id, subscription_id, discounts: used, line_items })
    return client.create('/api/invoices', body)
  })
  return client
}

/** Hides every second item from reads that may miss the latest writes, as a replica that lags behind. */
const hideItems = (): { hidden: number } => {
  const counted = { hidden: 0 }
  interceptCalls(async ({ command, input }, proceed) => {
    const output = await proceed()
    if (command !== 'BatchGetItemCommand') return output
    for (const [table, { ConsistentRead }] of Object.entries<{ ConsistentRead?: boolean }>(
      input.RequestItems,
    )) {
      if (ConsistentRead) continue
      const items: unknown[] = output.Responses[table]
      output.Responses[table] = items.filter((_, index) => index % 2 === 0)
      counted.hidden += items.length - output.Responses[table].length
    }
    return output
  })
  return counted
}

it('embeds everything, although a replica lacks every second entity that it may read there', async () => {
  const client = await newBusiness()
  const paths = [
    '/api/invoices?include=line_items,price,customer,subscription,discounts,external_id',
    '/api/subscriptions?include=customer',
    '/api/prices?include=product',
    '/api/products?include=prices',
  ]
  const { subscriptions } = (await client.get('/api/subscriptions')).json.data
  for (const { id } of subscriptions) paths.push(`/api/subscriptions/${id}?include=customer,latest_invoice`)
  const read = async () => {
    const answers = []
    for (const path of paths) answers.push((await client.get(path)).json.data)
    return answers
  }
  const whole = await read()
  const counted = hideItems()
  expect(await read()).toEqual(whole)
  expect(counted.hidden).toBeGreaterThan(5)
})

const unitsOf = (calls: readonly DatabaseCall[]): number => calls.reduce((sum, { units }) => sum + units, 0)

/** Returns the items of the first page of a path, and the units that were read for them. */
const costOf = async (client: Client, path: string, query: Record<string, string | number>) => {
  let items: readonly { readonly id: string }[] = []
  const calls = await databaseCallsOf(async () => {
    items = (await readPage(client, path, query)).items
  })
  return { items, units: unitsOf(calls) }
}

const line = (index: number, size: number) => lineItem({ id: `${index}-${'😀'.repeat(size)}` })
/** Lines with about 250 KB. */
const large = range(250).map((index) => line(index, 220))
const small = [line(0, 1)]

it.each<[string, (index: number) => object[], number]>([
  ['large invoices', () => large, 30],
  ['large invoices after as many small ones as are read first', (index) => (index < 40 ? large : small), 60],
  ['large and small invoices in turn', (index) => (index % 2 ? large : small), 50],
  // Lines whose fields are null in the response are longer there than in the table.
  ['invoices that are larger in a response', () => range(250).map(() => ({})), 60],
])('reads at most about twice what a page of %s returns', async (_, linesOf, count) => {
  const client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'me' }))
  await inParallel(
    range(count),
    (index) => client.create('/api/invoices', invoiceBody({ customer_id: 'me', line_items: linesOf(index) })),
    4,
  )
  const path = '/api/invoices'
  const { items, units } = await costOf(client, path, { limit: 100, include: 'line_items' })
  let returned = 0
  // A retrieve is strongly consistent, at twice the price.
  for (const { id } of items)
    returned += unitsOf(await databaseCallsOf(() => client.get(`${path}/${id}`))) / 2
  expect(units).toBeLessThanOrEqual(2.2 * returned + 5)
})
