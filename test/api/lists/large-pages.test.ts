import { budget } from '../../../shared/budget.ts'
import { MAX_PAYLOAD_BYTES } from '../../../shared/pagination/page.ts'
import { customer } from '../../../shared/resources/customer.ts'
import { invoice } from '../../../shared/resources/invoice.ts'
import { price } from '../../../shared/resources/price.ts'
import { product } from '../../../shared/resources/product.ts'
import { childrenOf } from '../../../shared/store/children.ts'
import { listEntities } from '../../../shared/store/lists.ts'
import { withinBudget } from '../../../shared/store/service.ts'
import { CHILD_INDEX } from '../../../shared/store/table.ts'
import { setClock } from '../../support/clock.ts'
import { recordCopies } from '../../support/database/copied-entities.ts'
import { type DatabaseCall, databaseCallsOf, totalUnits } from '../../support/database/database-calls.ts'
import { interceptCalls, stopIntercepting } from '../../support/database/intercepted-calls.ts'
import { scaleAtOnce } from '../../support/database/scaling.ts'
import { range } from '../../support/range.ts'
import { customerBody, invoiceBody, lineItem, priceBody, productBody } from '../../support/requests/bodies.ts'
import { type ListPage, readPage, readPages, readPagesBefore } from '../../support/requests/list-pages.ts'
import {
  type ApiResponse,
  type Client,
  clientForTests,
  newClient,
  serveForTests,
} from '../../support/requests/service.ts'

serveForTests()
afterAll(() => setClock())

/** Of the handler's result as JSON, in which the body is a string with escaped quotes: Lambda limits that. */
const payloadBytes = ({ status: statusCode, headers, json }: ApiResponse): number =>
  Buffer.byteLength(
    JSON.stringify({ statusCode, headers: Object.fromEntries(headers), body: JSON.stringify(json) }),
  )

const LAMBDA_PAYLOAD_BYTES = 6 * 1024 * 1024

const idsOf = (pages: readonly ListPage[]) => pages.flatMap(({ ids }) => ids)

it.each([1, 2])(
  'returns as many entities as requested, even if they exceed 1 MB together, in %d shards',
  async (shards) => {
    const client = await newClient()
    await scaleAtOnce(client, shards)
    const metadata = { text: 'x'.repeat(16 * 1024 - 20) }
    const { id } = await client.create('/api/customers', customerBody({ metadata }))
    await recordCopies(client, customer, Array(74).fill(id))
    const pages = await readPages(client, '/api/customers', { limit: 70 })
    expect(pages.map(({ ids }) => ids.length)).toEqual([70, 5])
    expect(new Set(idsOf(pages)).size).toBe(75)
    const [firstPage, lastPage] = pages
    for (const shown of firstPage!.items) expect(shown.metadata.text).toBe(metadata.text)
    const pagesBefore = await readPagesBefore(client, '/api/customers', { limit: 70 }, lastPage!)
    expect(pagesBefore.map(({ ids }) => ids)).toEqual([firstPage!.ids])
  },
)

it('ends a page early that would exceed 5 MiB, with cursors that work in both directions', async () => {
  const client = await newClient()
  await scaleAtOnce(client, 3)
  const customer = await client.create('/api/customers', customerBody())
  const create = (line_items: object[]) =>
    client.create('/api/invoices', invoiceBody({ customer_id: customer.id, line_items }))
  const large = await create(range(250).map((line) => lineItem({ id: `${line}-${'"'.repeat(250)}` })))
  const small = await create([])
  // Every fifth invoice is small, so that pages end at different positions.
  const originals = range(24).map((index) => (index % 5 === 4 ? small : large))
  await recordCopies(
    client,
    invoice,
    originals.map(({ id }) => id),
  )
  const { ids: all } = await readPage(client, '/api/invoices', { limit: 100 })
  expect(all).toHaveLength(26)

  const query = { limit: 100, include: 'line_items,customer' }
  const pages = await readPages(client, '/api/invoices', query)
  expect(idsOf(pages)).toEqual(all)
  for (const { line_items, customer: shown } of pages.flatMap(({ items }) => items)) {
    expect([0, 250]).toContain(line_items.length)
    expect(shown).toEqual(customer)
  }
  const { next } = await readPage(client, '/api/invoices', { limit: 25 })
  const last = await readPage(client, '/api/invoices', { limit: 25, cursor: next })
  const pagesBefore = await readPagesBefore(client, '/api/invoices', query, last)
  expect(idsOf(pagesBefore.toReversed())).toEqual(all.slice(0, -1))
  for (const { hasMore } of pagesBefore) expect(hasMore).toBe(true)

  expect(MAX_PAYLOAD_BYTES).toBeLessThan(LAMBDA_PAYLOAD_BYTES)
  for (const walk of [pages, pagesBefore]) {
    expect(walk.length).toBeGreaterThan(1)
    const largest = Math.max(...walk.map(({ response }) => payloadBytes(response)))
    expect(largest).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES)
    expect(largest).toBeGreaterThan(MAX_PAYLOAD_BYTES - 500_000)
  }
})

it('returns an invoice of the maximum size with all its includes, which is far below the limit of a page', async () => {
  const client = await newClient()
  const id = '"'.repeat(255)
  const metadata = { text: '"'.repeat(8_000) }
  const customer = await client.create('/api/customers', customerBody({ metadata }))
  // The body, with 1,000 line items, has 250 KiB.
  const line_items = Array(1_000).fill({ id: id.slice(0, 100), amount: 1, price_id: 'one' })
  await client.create('/api/products', { id: 'plan', name: 'Plan' })
  await client.create('/api/prices', priceBody({ id: 'one', product_id: 'plan' }))
  await client.create('/api/invoices', invoiceBody({ id: 'large', customer_id: customer.id, line_items }))
  const invoice = await client.get('/api/invoices/large?include=line_items,subscription,customer,price')
  expect(invoice.json.data.invoice.line_items).toHaveLength(1_000)
  expect(payloadBytes(invoice)).toBeLessThan(MAX_PAYLOAD_BYTES / 4)
})

it('refuses with 422 an invoice whose line items with their prices exceed a response, alone or first on a page', async () => {
  const client = await newClient()
  const name = '😀'.repeat(5_000)
  await client.create('/api/products', { id: 'plan', name })
  await client.create('/api/prices', priceBody({ id: 'one', product_id: 'plan', title: name }))
  const customer = await client.create('/api/customers', customerBody())
  const line_items = Array(1_000).fill({ price_id: 'one' })
  const { id } = await client.create(
    '/api/invoices',
    invoiceBody({ id: 'large', customer_id: customer.id, line_items }),
  )
  for (const path of ['/api/invoices/large', '/api/invoices']) {
    expect(await client.get(`${path}?include=line_items,price`)).toMatchObject({
      status: 422,
      details: [
        `include must not name price for invoice ${id}, whose line_items with price take more than 5 MiB; name line_items without price.`,
      ],
    })
    expect((await client.get(`${path}?include=line_items`)).status).toBe(200)
  }
})

describe('a page with many prices', () => {
  /** A title that takes about 4.2 KB in the payload, so that fewer prices fill a page. */
  const title = '\u0001'.repeat(600)

  /** Returns the ids of the prices, newest first. */
  const recordPrices = async (client: Client, product_id: string, count: number): Promise<string[]> => {
    if (count === 0) return []
    const { id } = await client.create('/api/prices', priceBody({ product_id, title }))
    return [...(await recordCopies(client, price, Array(count - 1).fill(id))), id]
  }

  interface ProductIds {
    readonly id: string
    readonly priceIds: readonly string[]
  }

  interface ShownProduct {
    readonly id: string
    readonly prices: readonly { readonly id: string }[]
  }

  const idsIn = (products: readonly ShownProduct[]): ProductIds[] =>
    products.map(({ id, prices }) => ({ id, priceIds: prices.map((price) => price.id) }))

  const client = clientForTests()
  const recorded: ProductIds[] = []
  let largest: ProductIds
  beforeAll(async () => {
    for (const count of [50, 0, 1_050, 1, 610, 1, 400]) {
      const { id } = await client.create('/api/products', productBody())
      recorded.unshift({ id, priceIds: await recordPrices(client, id, count) })
    }
    largest = recorded.find(({ priceIds }) => priceIds.length === 1_050)!
  })

  it('reads prices for at most half of the time of a request, but always the prices of the first product', async () => {
    const app = client.credentials.app_id
    const page = { limit: 100, position: undefined }
    const { items: products } = await listEntities({ app, shards: 1, resource: product }, page)
    /** If less than half of the time is left; undefined for prices that were not read. */
    const countPrices = (parents: typeof products) =>
      withinBudget(budget.responseReserve + budget.request / 2 - 1, async () => {
        const children = await childrenOf({ app, shards: 1, child: price, parents })
        return parents.map(({ order }) => children.get(order)?.length)
      })
    expect(await countPrices(products.slice(0, 4))).toEqual([400, 1, undefined, undefined])
    expect(await countPrices(products.slice(4))).toEqual([1_050, 0, 50])
    expect(await countPrices(products.slice(4).toReversed())).toEqual([50, 0, undefined])
  })

  describe('a page of products, while the database is too busy for all prices', () => {
    /** Only the first `successes` queries of prices succeed. */
    const readWhileBusy = async (successes: number, cursor: string | null = null) => {
      let sent = 0
      interceptCalls(async ({ input }, proceed) => {
        if (input.IndexName !== CHILD_INDEX) return proceed()
        sent += 1
        if (sent <= successes) return proceed()
        throw Object.assign(new Error('busy'), { name: 'ThrottlingException' })
      })
      const response = await client.get(`/api/products?include=prices&cursor=${cursor}`)
      stopIntercepting()
      return response
    }
    const expectProducts = ({ status, json }: ApiResponse, products: readonly ProductIds[]): void => {
      expect(status).toBe(200)
      expect(idsIn(json.data.products)).toEqual(products)
    }

    it('ends before the first product whose prices could not be read', async () => {
      expectProducts(await readWhileBusy(1), recorded.slice(0, 2))
      const { next } = await readPage(client, '/api/products', { limit: 4 })
      expectProducts(await readWhileBusy(2, next), recorded.slice(4))
    })

    it('ends early also if it is the previous page', async () => {
      const { next } = await readPage(client, '/api/products', { limit: 4 })
      const { previous } = await readPage(client, '/api/products', { limit: 1, cursor: next })
      expectProducts(await readWhileBusy(1, previous), recorded.slice(1, 4))
      expectProducts(await readWhileBusy(2, previous), recorded.slice(0, 4))
    })

    it('is refused with 503 if the prices of its first product could not be read', async () => {
      const { next } = await readPage(client, '/api/products', { limit: 4 })
      expect((await readWhileBusy(1, next)).status).toBe(503)
    })
  })

  it('ends a page of invoices early at 1,000 distinct prices, and continues on the next page', async () => {
    const { id: customer_id } = await client.create('/api/customers', customerBody())
    const pricesPerInvoice = 205
    const priceIds = largest.priceIds.slice(0, 5 * pricesPerInvoice)
    for (let start = 0; start < priceIds.length; start += pricesPerInvoice) {
      const line_items = priceIds.slice(start, start + pricesPerInvoice).map((price_id) => ({ price_id }))
      await client.create('/api/invoices', invoiceBody({ customer_id, line_items }))
    }
    const query = { include: 'line_items,price', limit: 100 }
    const pages = await readPages(client, '/api/invoices', query)
    expect(pages.map(({ items }) => items.length)).toEqual([4, 1])
    const shownLines: { price: { id: string } }[] = pages
      .flatMap(({ items }) => items)
      .flatMap(({ line_items }) => line_items)
    expect(shownLines.map(({ price }) => price.id).toSorted()).toEqual(priceIds.toSorted())
    const [firstPage, lastPage] = pages
    const pagesBefore = await readPagesBefore(client, '/api/invoices', query, lastPage!)
    expect(pagesBefore.map(({ items }) => items)).toEqual([firstPage!.items])
  })

  describe('a product whose prices exceed a page', () => {
    let firstPage: ListPage
    let calls: DatabaseCall[]
    beforeAll(async () => {
      await recordPrices(client, largest.id, 150)
      // Stops the clock: a page ends early once half of the request's time has passed, as it may on a busy machine.
      const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now())
      calls = await databaseCallsOf(async () => {
        firstPage = await readPage(client, '/api/products', { include: 'prices', limit: 100 })
      })
      clock.mockRestore()
    })

    it('ends the page before it, whose prices are read only until they fill the page', () => {
      expect(idsIn(firstPage.items)).toEqual(recorded.slice(0, recorded.indexOf(largest)))
      expect(calls.map(({ command }) => command)).toEqual(Array(3).fill('QueryCommand'))
      // All 2,262 prices are 254 units. The page shows 1,012 of them, 114 units, and at most 1,160 fit into it.
      expect(totalUnits(calls)).toBeLessThan(145)
    })

    it('is refused with 422, alone or first on a page, and its prices can be listed', async () => {
      const { id } = largest
      const list = `/api/prices?product_id=${id}`
      const details = [
        `include must not name prices for product ${id}, whose prices take more than 5 MiB; read them with GET ${list}.`,
      ]
      const retrieve = await client.get(`/api/products/${id}?include=prices`)
      expect(retrieve).toMatchObject({ status: 422, details })
      const page = await client.get(`/api/products?include=prices&cursor=${firstPage.next}`)
      expect(page).toMatchObject({ status: 422, details })
      expect((await client.get(`${list}&limit=100`)).json.data.prices).toHaveLength(100)
    })
  })
})
