import { IncomingMessage } from 'node:http'
import { forgetApplications } from '../../shared/store/authorisation.ts'
import { CHILD_INDEX, LIST_INDEX } from '../../shared/store/table.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  lineItem,
  priceBody,
  productBody,
} from '../support/bodies.ts'
import { inParallel, pageAt, upTo } from '../support/lists.ts'
import { metered } from '../support/meter.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

let client: Client
// biome-ignore lint/suspicious/noExplicitAny: entities of any kind
let made: Record<'product' | 'price' | 'customer' | 'discount' | 'invoice', any>
const product = productBody()
const update = { id: 'me', name: 'New' }

/** An application with some of everything; its key is known by the first of its requests. */
beforeAll(async () => {
  client = await newClient()
  made = {
    product: await client.create('/api/products', product),
    price: await client.create('/api/prices', priceBody({ product_id: product.id })),
    customer: await client.create('/api/customers', customerBody({ id: 'me' })),
    discount: await client.create('/api/discounts', discountBody()),
    invoice: await client.create(
      '/api/invoices',
      invoiceBody({ customer_id: 'me', subscription_id: 's', line_items: [lineItem()] }),
    ),
  }
  await inParallel(upTo(8), () => client.create('/api/products', productBody()))
  await inParallel(upTo(8), (index) =>
    client.create('/api/invoices', invoiceBody({ customer_id: 'me', subscription_id: `s${index}` })),
  )
})

const get = 'GetItemCommand'
const put = 'PutItemCommand'
const batch = 'BatchGetItemCommand'
const query = 'QueryCommand'
const transaction = 'TransactWriteItemsCommand'
const change = 'UpdateItemCommand'

const requests: [string, readonly string[], () => Promise<unknown>][] = [
  ...(['product', 'price', 'customer', 'discount', 'invoice'] as const).map(
    (kind): [string, readonly string[], () => Promise<unknown>] => [
      `a retrieved ${kind}`,
      [get],
      () => client.get(`/api/${kind}s/${made[kind].id}`),
    ],
  ),
  ["a retrieved customer by the client's id", [get], () => client.get('/api/customers/me')],
  ['an unknown id', [get], () => client.get('/api/customers/nobody')],
  [
    'a retrieved product with its prices',
    [get, query],
    () => client.get(`/api/products/${product.id}?include=prices`),
  ],
  [
    'a retrieved invoice with its lines, which it carries',
    [get],
    () => client.get(`/api/invoices/${made.invoice.id}?include=line_items`),
  ],
  [
    'a retrieved invoice with everything',
    [get, batch],
    () => client.get(`/api/invoices/${made.invoice.id}?include=line_items,customer,subscription`),
  ],
  ...['products', 'prices', 'customers', 'discounts', 'invoices', 'subscriptions'].map(
    (list): [string, readonly string[], () => Promise<unknown>] => [
      `a list of ${list}`,
      [query],
      () => client.get(`/api/${list}`),
    ],
  ),
  ['a list of products with prices', [query, query], () => client.get('/api/products?include=prices')],
  [
    'a list of invoices with everything',
    [query, batch],
    () => client.get('/api/invoices?include=line_items,customer,subscription'),
  ],
  ['a new product', [put], () => client.create('/api/products', productBody())],
  ['the retry of a create', [put], () => client.create('/api/products', product)],
  ['a new customer', [put], () => client.create('/api/customers', customerBody())],
  ['a new discount', [put], () => client.create('/api/discounts', discountBody())],
  [
    'a new price',
    [batch, put],
    () => client.create('/api/prices', priceBody({ product_id: made.product.id })),
  ],
  [
    'a new invoice',
    [batch, transaction],
    () => client.create('/api/invoices', invoiceBody({ customer_id: 'me', discounts: [made.discount.id] })),
  ],
  [
    'an invoice that changes nothing of its subscription',
    [batch, put],
    () =>
      client.create(
        '/api/invoices',
        invoiceBody({ customer_id: 'me', subscription_id: 's', period_end: '2024-01-15' }),
      ),
  ],
  ['an update', [change], () => client.put('/api/customers/me', update)],
  ['an update of an unknown customer', [change], () => client.put('/api/customers/nobody', { id: 'nobody' })],
  ['an erasure', [change], () => client.put('/api/customers/me')],
  ['an update of what was erased', [change, change], () => client.put('/api/customers/me', update)],
  ['a request that is refused', [], () => client.get('/api/products?limit=0')],
]

describe('the database calls', () => {
  it.each(requests)('of %s are %j', async (_, commands, work) => {
    const calls = await metered(work)
    expect(calls.map(({ command }) => command)).toEqual(commands)
    for (const { command, input } of calls) {
      expect([input.FilterExpression, input.ScanFilter, input.QueryFilter]).toEqual([
        undefined,
        undefined,
        undefined,
      ])
      if (command === get) expect(input.ConsistentRead).toBe(true)
      if (command === query) expect([LIST_INDEX, CHILD_INDEX]).toContain(input.IndexName)
      if (command === batch)
        for (const { ConsistentRead } of Object.values(input.RequestItems) as { ConsistentRead?: boolean }[])
          expect(ConsistentRead).toBe(true)
    }
  })

  it('are one more where the key was not known, and then no more', async () => {
    const names = async () =>
      (await metered(() => client.get('/api/customers/me'))).map(({ command }) => command)
    forgetApplications()
    expect([await names(), await names()]).toEqual([[get, get], [get]])
  })

  it('are one for each page, however deep, at the same cost', async () => {
    const pages: { units: number; calls: number }[] = []
    let cursor: string | null = null
    do {
      const calls = await metered(async () => {
        const page: { next: string | null } = await pageAt(client, '/api/invoices', { limit: 2, cursor })
        cursor = page.next
      })
      pages.push({ units: calls[0]!.units, calls: calls.length })
    } while (cursor)
    expect(pages.length).toBeGreaterThan(4)
    expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(1)
  })
})

it('the answers of the database are read without a pipe, which would hold them through collections', async () => {
  const pipe = jest.spyOn(IncomingMessage.prototype, 'pipe')
  expect((await client.get('/api/products')).status).toBe(200)
  expect(pipe).not.toHaveBeenCalled()
  pipe.mockRestore()
})
