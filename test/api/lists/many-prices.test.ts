import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import { budget, withinBudget } from '../../../shared/budget.ts'
import { storedContent } from '../../../shared/contract/field.ts'
import { serverIdFor } from '../../../shared/ids.ts'
import { price } from '../../../shared/resources/price.ts'
import { product } from '../../../shared/resources/product.ts'
import { unspread } from '../../../shared/spread.ts'
import { childrenOf } from '../../../shared/store/children.ts'
import { itemOf, readEntity } from '../../../shared/store/entities.ts'
import type { Item } from '../../../shared/store/items.ts'
import { listEntities } from '../../../shared/store/lists.ts'
import { dynamodb, tableName } from '../../../shared/store/service.ts'
import { CHILD_INDEX } from '../../../shared/store/table.ts'
import { databaseCallsOf } from '../../support/database/database-calls.ts'
import { interceptCalls, stopIntercepting } from '../../support/database/intercepted-calls.ts'
import { inParallel } from '../../support/in-parallel.ts'
import { range } from '../../support/range.ts'
import { customerBody, invoiceBody, priceBody, productBody } from '../../support/requests/bodies.ts'
import { expectInvalid } from '../../support/requests/invalid-requests.ts'
import { type ListPage, readPage, readPages, readPagesBefore } from '../../support/requests/list-pages.ts'
import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'

serveForTests()

/** A title of about 1.8 KB in the payload, so that few prices are many. */
const title = '\u0001'.repeat(255)
/** The most items that one call of DynamoDB writes. */
const BATCH = 25

/** Writes `count` prices of a product, as creates do but 25 at a time. Returns their ids, newest first. */
const recordPrices = async (
  { credentials: { app_id: app } }: Client,
  productId: string,
  count: number,
): Promise<string[]> => {
  const parent = await readEntity(app, product, productId)
  const items = range(count).map((): Item => {
    const body = priceBody({ product_id: productId, title })
    const id = serverIdFor(app, price.prefix, body.id)
    const content = storedContent(price.fields, body, id)
    return itemOf({ app, spread: unspread, resource: price, id, externalId: body.id, content, parent })
  })
  await inParallel(range(Math.ceil(count / BATCH)), async (batch) => {
    const puts = items.slice(batch * BATCH, (batch + 1) * BATCH).map((Item) => ({ PutRequest: { Item } }))
    await dynamodb().send(new BatchWriteCommand({ RequestItems: { [tableName()]: puts } }))
  })
  const newestFirst = items.toSorted((a, b) => (a.order < b.order ? 1 : -1))
  return newestFirst.map(({ pk }) => pk.slice(pk.indexOf('#') + 1))
}

const all = { include: 'prices', limit: 100 }

interface Listed {
  readonly id: string
  readonly prices: readonly { readonly id: string }[]
}

/** Returns the ids of products, each with those of its prices. */
const pricesOf = (products: readonly Listed[]) =>
  products.map(({ id, prices }) => [id, prices.map((price) => price.id)])

let client: Client
/** The products with their prices, newest first. */
const recorded: [string, string[]][] = []
/** The product with the most prices, and these. */
let largest: [string, string[]]
beforeAll(async () => {
  client = await newClient()
  for (const count of [50, 0, 1_300, 101, 900, 1, 400]) {
    const { id } = await client.create('/api/products', productBody())
    recorded.unshift([id, await recordPrices(client, id, count)])
  }
  largest = recorded.find(([, { length }]) => length === 1_300)!
})

it('reads prices for half of the time of a request at most, but always those of the first product', async () => {
  const app = client.credentials.app_id
  const page = { limit: 100, position: undefined }
  const { items: products } = await listEntities({ app, shards: 1, resource: product }, page)
  const countsOf = (parents: typeof products) =>
    withinBudget(budget.responseReserve + budget.request / 2 - 1, async () => {
      const children = await childrenOf({ app, shards: 1, child: price, parents })
      return parents.map(({ order }) => children.get(order)?.length)
    })
  expect(await countsOf(products.slice(0, 4))).toEqual([400, 1, undefined, undefined])
  expect(await countsOf(products.slice(4))).toEqual([1_300, 0, 50])
  expect(await countsOf(products.slice(4).toReversed())).toEqual([50, 0, undefined])
})

it('ends a page before the prices that the database is too busy for, in both directions, but not before those of the first product', async () => {
  /** Returns the status of a page of products for which this many queries of prices succeed, and the products with their prices. */
  const served = async (queries: number, cursor: string | null = null) => {
    let sent = 0
    interceptCalls(async ({ input }, proceed) => {
      if (input.IndexName !== CHILD_INDEX) return proceed()
      sent += 1
      if (sent <= queries) return proceed()
      throw Object.assign(new Error('busy'), { name: 'ThrottlingException' })
    })
    const { status, json } = await client.get(`/api/products?include=prices&cursor=${cursor}`)
    stopIntercepting()
    return [status, status === 200 ? pricesOf(json.data.products) : []]
  }
  expect(await served(1)).toEqual([200, recorded.slice(0, 2)])
  const { next } = await readPage(client, '/api/products', { limit: 4 })
  expect(await served(1, next)).toEqual([503, []])
  expect(await served(2, next)).toEqual([200, recorded.slice(4)])
  const { previous } = await readPage(client, '/api/products', { limit: 1, cursor: next })
  expect(await served(1, previous)).toEqual([200, recorded.slice(3, 4)])
  expect(await served(2, previous)).toEqual([200, recorded.slice(0, 4)])
})

it('ends a page of invoices early at 1,000 distinct prices, and continues on the next one', async () => {
  const { id: customer_id } = await client.create('/api/customers', customerBody())
  const [invoices, each] = [5, 220]
  const prices = largest[1].slice(0, invoices * each)
  for (const number of range(invoices)) {
    const billed = prices.slice(number * each, (number + 1) * each)
    const line_items = billed.map((price_id) => ({ price_id }))
    await client.create('/api/invoices', invoiceBody({ customer_id, line_items }))
  }
  const query = { include: 'line_items,price', limit: 100 }
  const there = await readPages(client, '/api/invoices', query)
  const shown = (items: { line_items: { price: { id: string } }[] }[]) =>
    items.flatMap(({ line_items }) => line_items.map(({ price }) => price.id))
  expect(there.map(({ items }) => items.length)).toEqual([4, 1])
  expect(there.flatMap(({ items }) => shown(items)).toSorted()).toEqual(prices.toSorted())
  const back = await readPagesBefore(client, '/api/invoices', query, there[1]!)
  expect(back.map(({ items }) => items)).toEqual([there[0]!.items])
})

it('stops reading prices once they fill the page, and refuses with 422 a product whose prices do not fit, alone or first on a page', async () => {
  const [id] = largest
  await recordPrices(client, id, 1_800)
  let first: ListPage | undefined
  // A busy machine would end the page earlier, after half of the request's time.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now())
  const calls = await databaseCallsOf(async () => {
    first = await readPage(client, '/api/products', all)
  })
  clock.mockRestore()
  expect(pricesOf(first!.items)).toEqual(recorded.slice(0, recorded.indexOf(largest)))
  // Of 4,552 prices, which are 280 units, 2,701 are read, no more than fit, and 1,402 shown, which are 86 units.
  expect(calls.map(({ command }) => command)).toEqual(Array(4).fill('QueryCommand'))
  expect(calls.reduce((sum, { units }) => sum + units, 0)).toBeLessThan(172)
  const list = `GET /api/prices?product_id=${id}`
  const detail = `include must not name prices for product ${id}, whose prices take more than 5 MiB; read them with ${list}.`
  for (const path of [`${id}?include=prices`, `?include=prices&cursor=${first!.next}`]) {
    const response = await client.get(`/api/products/${path}`.replace('/?', '?'))
    expectInvalid(response, 'include')
    expect(response.details).toEqual([detail])
  }
  expect((await client.get(`/api/prices?product_id=${id}&limit=100`)).json.data.prices).toHaveLength(100)
})
