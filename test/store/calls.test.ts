import { IncomingMessage } from 'node:http'
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { resourcesByName } from '../../shared/catalogue.ts'
import { listPartition } from '../../shared/store/keys.ts'
import { currentService, dynamodb, tableName } from '../../shared/store/service.ts'
import { table } from '../../shared/store/table.ts'
import { databaseCallsOf } from '../support/database/database-calls.ts'
import { inParallel } from '../support/in-parallel.ts'
import { range } from '../support/range.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  priceBody,
  productBody,
} from '../support/requests/bodies.ts'
import { readPage } from '../support/requests/list-pages.ts'
import { type Client, newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

const line = {
  id: 'li_1',
  amount: 1_999,
  currency: 'EUR',
  quantity: 1,
  discount_amount: 200,
  tax_amount: 342,
  period_start: '2024-01-01',
  period_end: '2024-02-01',
  interval: 'month',
  interval_count: 1,
  type: 'recurring',
}
const lines = [line, line, line]
const sold = lines.map((each) => ({ ...each, price_id: 'it' }))
const bill = (fields: object = {}) => invoiceBody({ customer_id: 'me', line_items: lines, ...fields })
const update = { id: 'me', name: 'New' }
const upsert = (body: object) => client.create('/api/customers?on_conflict=update', body)
const create = (list: string, body: object) => client.create(`/api/${list}`, body)

let client: Client

/** Fills an application with entities of every resource. These requests also put its key into the cache. */
beforeAll(async () => {
  client = await newClient()
  await create('products', productBody({ id: 'it' }))
  await create('prices', priceBody({ id: 'it', product_id: 'it' }))
  await create('customers', customerBody({ id: 'me' }))
  await create('discounts', discountBody({ id: 'it' }))
  await create('invoices', bill({ id: 'it', subscription_id: 's' }))
  await create('invoices', bill({ id: 'sold', line_items: sold }))
  await inParallel(range(8), () => create('products', productBody()))
  await inParallel(range(8), () => create('invoices', bill()))
})

const [get, put, batch] = ['GetItemCommand', 'PutItemCommand', 'BatchGetItemCommand']
const [query, transaction] = ['QueryCommand', 'TransactWriteItemsCommand']

const indexes = table.indexes.map(({ name }) => name)

/** A request, its commands, and the capacity units that the last of them consumes. */
type Row = [string, readonly string[], () => Promise<unknown>, number?]

const reads: Row[] = [
  ...['products/it', 'prices/it', 'customers/me', 'discounts/it', 'invoices/it', 'subscriptions/s'].map(
    (path): Row => [`a retrieve of ${path}`, [get], () => client.get(`/api/${path}`), 1],
  ),
  ['a retrieve of an unknown id', [get], () => client.get('/api/customers/nobody'), 1],
  ['a retrieve with prices', [get, query], () => client.get('/api/products/it?include=prices')],
  [
    'a retrieve with everything',
    [get, batch],
    () => client.get('/api/invoices/it?include=line_items,customer,subscription'),
  ],
  ...['products', 'prices', 'customers', 'discounts', 'invoices', 'subscriptions'].map(
    (list): Row => [`a list of ${list}`, [query], () => client.get(`/api/${list}`)],
  ),
  ['a list of products with prices', [query, query], () => client.get('/api/products?include=prices')],
  ['a list of the invoices of a customer', [get, query], () => client.get('/api/invoices?customer_id=me')],
  ['a list of the invoices since a time', [query], () => client.get('/api/invoices?changed_since=0')],
  ['a list of the products since a time', [query, query], () => client.get('/api/products?changed_since=0')],
  [
    'a list of the customers since a time',
    [query, query],
    () => client.get('/api/customers?changed_since=0'),
  ],
  [
    'a list of invoices with everything',
    [query, batch, batch],
    () => client.get('/api/invoices?include=line_items,customer,subscription'),
  ],
  [
    'a list of invoices with the prices of lines',
    [query, batch, batch, batch],
    () => client.get('/api/invoices?include=line_items,price'),
  ],
  [
    'a retrieve with the prices of lines',
    [get, batch, batch],
    () => client.get('/api/invoices/sold?include=line_items,price'),
    1,
  ],
  ['a request that is refused', [], () => client.get('/api/products?limit=0')],
]

const fullCustomer = { phone: '+49 30 1234', description: 'Pays late', metadata: { tier: 'gold' } }
const writes: Row[] = [
  ['a new product', [put], () => create('products', productBody()), 2],
  ['the retry of a create', [put], () => create('products', productBody({ id: 'it' }))],
  ['a new customer', [put], () => create('customers', customerBody(fullCustomer)), 2],
  [
    'a new customer whose id has the form of ours',
    [batch, put],
    () => create('customers', customerBody({ id: `cus_${'0'.repeat(22)}` })),
    2,
  ],
  [
    'a customer recorded as erased',
    [put],
    () => client.create('/api/customers?erased=true', { id: 'gone' }),
    2,
  ],
  ['a new customer who may be updated', [put], () => upsert(customerBody()), 2],
  ['a customer who is up to date', [put], () => upsert(customerBody({ id: 'me' }))],
  [
    'the first update, of a customer who is out of date',
    [put, put],
    () => upsert({ id: 'me', name: 'Bea' }),
    3,
  ],
  ['a new discount', [put], () => create('discounts', discountBody()), 2],
  ['a new price', [batch, put], () => create('prices', priceBody({ product_id: 'it', title: 'Monthly' })), 3],
  ['a new invoice', [batch, transaction], () => create('invoices', bill({ discounts: ['it'] })), 8],
  [
    'lines with prices',
    [batch, transaction],
    () => create('invoices', bill({ line_items: sold.slice(1) })),
    8,
  ],
  [
    'a further invoice of a subscription',
    [batch, transaction],
    () => create('invoices', bill({ subscription_id: 's', period_end: '2024-03-01' })),
    9,
  ],
  [
    'one more invoice of that subscription',
    [batch, transaction],
    () => create('invoices', bill({ subscription_id: 's', period_end: '2024-04-01' })),
    10,
  ],
  [
    'an invoice that changes nothing of its subscription',
    [batch, put],
    () => create('invoices', bill({ subscription_id: 's', period_end: '2024-01-15' })),
    3,
  ],
  // The first update, above, has added an entry to the index of changes. These move it, until the item has all its stamps.
  ...range(5).map((nth): Row => {
    const work = () => client.put('/api/customers/me', { ...update, name: `${nth}` })
    return ['an update', [get, put], work, 4]
  }),
  [
    'an update of what is not shown, which only the index of changes notices',
    [get, put],
    () => client.put('/api/customers/me', { id: 'me', phone: '+49 30 4321' }),
    3,
  ],
  ['an update of an unknown customer', [get], () => client.put('/api/customers/nobody', { id: 'nobody' })],
  ...range(5).map((nth): Row => {
    const units = nth === 0 ? 4 : 3
    return ['an erasure', [get, put], () => client.put('/api/customers/me'), units]
  }),
]

interface BatchOfKeys {
  readonly Keys: readonly { readonly pk: string }[]
  readonly ConsistentRead: boolean
}

/** Returns whether a key is that of an entity that never changes, of which every replica has the same version. */
const isOfFinalEntity = ({ pk }: { readonly pk: string }): boolean =>
  [...resourcesByName.values()].some(({ prefix, isMutable }) => !isMutable && pk.includes(`#${prefix}_`))

// A row without units would make jest pass a callback in their place.
const rows = [...reads, ...writes].map(([what, commands, send, units]) => ({ what, commands, send, units }))
it.each(rows)('$what makes the database calls $commands', async ({ commands, send, units }) => {
  const calls = await databaseCallsOf(send)
  expect(calls.map(({ command }) => command)).toEqual(commands)
  for (const { command, input } of calls) {
    const { FilterExpression, ScanFilter, QueryFilter } = input
    expect({ FilterExpression, ScanFilter, QueryFilter }).toEqual({
      FilterExpression: undefined,
      ScanFilter: undefined,
      QueryFilter: undefined,
    })
    if (command === get) expect(input.ConsistentRead).toBe(true)
    if (command === query) expect(indexes).toContain(input.IndexName)
    if (command === batch)
      for (const { Keys, ConsistentRead } of Object.values<BatchOfKeys>(input.RequestItems))
        expect(ConsistentRead).toBe(!Keys.every(isOfFinalEntity))
  }
  if (units !== undefined) expect(calls.at(-1)!.units).toBe(units)
})

it('looks up a key in the database once, and then from its cache', async () => {
  const names = async () =>
    (await databaseCallsOf(() => client.get('/api/customers/me'))).map(({ command }) => command)
  currentService().keyCache.clear()
  expect(await names()).toEqual([get, get])
  expect(await names()).toEqual([get])
})

it('a page needs one database call of the same cost, however deep it is', async () => {
  const pages: { units: number; calls: number }[] = []
  let cursor: string | null = null
  do {
    const calls = await databaseCallsOf(async () => {
      const page: { next: string | null } = await readPage(client, '/api/invoices', { limit: 2, cursor })
      cursor = page.next
    })
    pages.push({ units: calls[0]!.units, calls: calls.length })
  } while (cursor)
  expect(pages.length).toBeGreaterThan(4)
  expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(1)
})

it('a page costs at most one read unit more than its bytes need, with fat invoices as with slim ones', async () => {
  const unitsOf = async (work: () => Promise<unknown>) => (await databaseCallsOf(work))[0]!.units
  const costs = async (line_items: object[]) => {
    const owner = await newClient()
    await owner.create('/api/customers', customerBody({ id: 'me' }))
    await inParallel(range(41), () => owner.create('/api/invoices', bill({ line_items })))
    const least = new QueryCommand({
      TableName: tableName(),
      IndexName: 'by-list',
      KeyConditionExpression: '#list = :list',
      ExpressionAttributeNames: { '#list': 'list' },
      ExpressionAttributeValues: { ':list': listPartition(owner.credentials.app_id, 'invoices', 0) },
      Limit: 40,
    })
    return {
      least: await unitsOf(() => dynamodb().send(least)),
      listed: await unitsOf(() => owner.get('/api/invoices?limit=40')),
    }
  }
  const [slim, fat] = [await costs([]), await costs(lines)]
  expect(slim.least).toBeGreaterThan(1)
  expect(slim.listed).toBeLessThanOrEqual(slim.least + 1)
  expect(fat.listed).toBe(slim.listed)
})

it('the responses of the database are read without a pipe, which would delay their garbage collection', async () => {
  const pipe = jest.spyOn(IncomingMessage.prototype, 'pipe')
  expect((await client.get('/api/products')).status).toBe(200)
  expect(pipe).not.toHaveBeenCalled()
  pipe.mockRestore()
})
