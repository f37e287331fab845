import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { resourcesByName } from '../../shared/catalogue.ts'
import { streamCollector } from '../../shared/cold-start/sdk/internals.ts'
import { listPartition } from '../../shared/store/keys.ts'
import { currentService, dynamodb, tableName } from '../../shared/store/service.ts'
import { table } from '../../shared/store/table.ts'
import { type DatabaseCall, databaseCallsOf, totalUnits } from '../support/database/database-calls.ts'
import { inParallel } from '../support/in-parallel.ts'
import { range } from '../support/range.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  priceBody,
  productBody,
} from '../support/requests/bodies.ts'
import { type ListPage, readPage } from '../support/requests/list-pages.ts'
import { clientForTests, newClient, serveForTests } from '../support/requests/service.ts'

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
const linesWithPrice = lines.map((plainLine) => ({ ...plainLine, price_id: 'it' }))
const invoiceOf = (fields: object = {}) => invoiceBody({ customer_id: 'me', line_items: lines, ...fields })
const create = (list: string, body: object) => client.create(`/api/${list}`, body)
const upsert = (body: object) => client.create('/api/customers?on_conflict=update', body)
const update = (fields: object) => client.put('/api/customers/me', { id: 'me', ...fields })

const client = clientForTests()

/** These requests also put the key of the application into the cache. */
beforeAll(async () => {
  await create('products', productBody({ id: 'it' }))
  await create('prices', priceBody({ id: 'it', product_id: 'it' }))
  await create('customers', customerBody({ id: 'me' }))
  await create('discounts', discountBody({ id: 'it' }))
  await create('invoices', invoiceOf({ id: 'it', subscription_id: 's' }))
  await create('invoices', invoiceOf({ id: 'priced', line_items: linesWithPrice }))
  await inParallel(range(8), () => create('products', productBody()))
  await inParallel(range(8), () => create('invoices', invoiceOf()))
})

const get = 'GetItemCommand'
const put = 'PutItemCommand'
const batch = 'BatchGetItemCommand'
const query = 'QueryCommand'
const transaction = 'TransactWriteItemsCommand'

const indexNames = table.indexes.map(({ name }) => name)

/** The units are those of the last command. */
type Row = [request: string, commands: readonly string[], send: () => Promise<unknown>, units?: number]

const reads: Row[] = [
  ...['products/it', 'prices/it', 'customers/me', 'discounts/it', 'invoices/it', 'subscriptions/s'].map(
    (path): Row => [`a retrieve of ${path}`, [get], () => client.get(`/api/${path}`), 1],
  ),
  ['a retrieve of an unknown id', [get], () => client.get('/api/customers/nobody'), 1],
  ['a retrieve with prices', [get, query], () => client.get('/api/products/it?include=prices')],
  [
    'a retrieve with all includes',
    [get, batch],
    () => client.get('/api/invoices/it?include=line_items,customer,subscription'),
  ],
  ...['products', 'prices', 'customers', 'discounts', 'invoices', 'subscriptions'].map(
    (list): Row => [`a list of ${list}`, [query], () => client.get(`/api/${list}`)],
  ),
  ['a list of products with prices', [query, query], () => client.get('/api/products?include=prices')],
  ['a list of the invoices of a customer', [get, query], () => client.get('/api/invoices?customer_id=me')],
  ['a change feed of invoices', [query], () => client.get('/api/invoices?changed_since=0')],
  ['a change feed of products', [query, query], () => client.get('/api/products?changed_since=0')],
  ['a change feed of customers', [query, query], () => client.get('/api/customers?changed_since=0')],
  [
    'a list of invoices with all includes',
    [query, batch],
    () => client.get('/api/invoices?include=line_items,customer,subscription'),
  ],
  [
    'a list of invoices with the prices of line items',
    [query, batch, batch, batch],
    () => client.get('/api/invoices?include=line_items,price'),
  ],
  [
    'a retrieve with the prices of line items',
    [get, batch, batch],
    () => client.get('/api/invoices/priced?include=line_items,price'),
    1,
  ],
  ['a request with an invalid parameter', [], () => client.get('/api/products?limit=0')],
]

const allCustomerFields = { phone: '+49 30 1234', description: 'Pays late', metadata: { tier: 'gold' } }
const writes: Row[] = [
  ['a new product', [put], () => create('products', productBody()), 2],
  ['a repeated create', [put], () => create('products', productBody({ id: 'it' }))],
  ['a new customer', [put], () => create('customers', customerBody(allCustomerFields)), 2],
  [
    'a new customer whose client id has the form of a server id',
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
  ['an upsert of a new customer', [put], () => upsert(customerBody()), 2],
  ['an upsert with the values of the customer', [put], () => upsert(customerBody({ id: 'me' }))],
  [
    'an upsert that is the first update of a customer',
    [put, put],
    () => upsert({ id: 'me', name: 'Bea' }),
    3,
  ],
  ['a new discount', [put], () => create('discounts', discountBody()), 2],
  ['a new price', [batch, put], () => create('prices', priceBody({ product_id: 'it', title: 'Monthly' })), 3],
  [
    'a new invoice',
    [batch, batch, transaction],
    () => create('invoices', invoiceOf({ discounts: ['it'] })),
    8,
  ],
  [
    'a new invoice with the prices of line items',
    [batch, batch, transaction],
    () => create('invoices', invoiceOf({ line_items: linesWithPrice.slice(1) })),
    8,
  ],
  [
    'an invoice that is the second of a subscription',
    [batch, batch, transaction],
    () => create('invoices', invoiceOf({ subscription_id: 's', period_end: '2024-03-01' })),
    9,
  ],
  [
    'an invoice that is the third of a subscription',
    [batch, batch, transaction],
    () => create('invoices', invoiceOf({ subscription_id: 's', period_end: '2024-04-01' })),
    10,
  ],
  [
    'an invoice that does not change its subscription',
    [batch, batch, put],
    () => create('invoices', invoiceOf({ subscription_id: 's', period_end: '2024-01-15' })),
    3,
  ],
  // The upsert above has added an entry to the index of changes. These updates move it, until the item has
  // all its stamps.
  ...range(5).map((number): Row => ['an update', [get, put], () => update({ name: `${number}` }), 4]),
  [
    'an update of a hidden field, which changes an entry only in the index of changes',
    [get, put],
    () => update({ phone: '+49 30 4321' }),
    3,
  ],
  ['an update of an unknown customer', [get], () => client.put('/api/customers/nobody', { id: 'nobody' })],
  ['an erasure', [get, put], () => client.put('/api/customers/me'), 4],
  ...range(4).map((): Row => ['a repeated erasure', [get, put], () => client.put('/api/customers/me'), 3]),
]

interface BatchOfKeys {
  readonly Keys: readonly { readonly pk: string }[]
  readonly ConsistentRead: boolean
}

/** Returns whether a key belongs to an entity of one of these prefixes. */
const hasPrefix = ({ pk }: { readonly pk: string }, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => pk.includes(`#${prefix}`))

const mutablePrefixes = [...resourcesByName.values()].flatMap(({ prefix, isMutable }) =>
  isMutable ? [`${prefix}_`] : [],
)

/**
 * Returns the prefixes of the entities that a request must read as the latest writes left them: in a retrieve, of those that
 * can change; in a create, of a subscription that it may start or change, and of a new customer; in a list, of none.
 */
const latestPrefixes = ([first, ...others]: readonly string[]): readonly string[] => {
  if (first === get) return mutablePrefixes
  return others.includes(put) || others.includes(transaction) ? ['sub_', 'cus_000'] : []
}

// Objects, because Jest would pass a callback in place of the units that a list does not have.
const rows = [...reads, ...writes].map(([request, commands, send, units]) => ({
  request,
  commands,
  send,
  units,
}))
it.each(rows)('$request makes the database calls $commands', async ({ commands, send, units }) => {
  const calls = await databaseCallsOf(send)
  expect(calls.map(({ command }) => command)).toEqual(commands)
  for (const { command, input } of calls) {
    // A filter would read, and charge for, items that it then leaves out.
    for (const filter of ['FilterExpression', 'ScanFilter', 'QueryFilter'])
      expect(input).not.toHaveProperty(filter)
    if (command === get) expect(input.ConsistentRead).toBe(true)
    if (command === query) expect(indexNames).toContain(input.IndexName)
    if (command === batch)
      for (const { Keys, ConsistentRead } of Object.values<BatchOfKeys>(input.RequestItems))
        for (const key of Keys) expect(hasPrefix(key, latestPrefixes(commands))).toBe(ConsistentRead)
  }
  if (units !== undefined) expect(calls.at(-1)!.units).toBe(units)
})

it('reads a key from the database once, and then from the cache', async () => {
  const commandsOfRetrieve = async () => {
    const calls = await databaseCallsOf(() => client.get('/api/customers/me'))
    return calls.map(({ command }) => command)
  }
  currentService().keyCache.clear()
  expect(await commandsOfRetrieve()).toEqual([get, get])
  expect(await commandsOfRetrieve()).toEqual([get])
})

it('a page needs one database call of the same cost, however deep it is', async () => {
  const callsOfPages: DatabaseCall[][] = []
  let cursor: string | null = null
  do {
    const calls = await databaseCallsOf(async () => {
      const page: ListPage = await readPage(client, '/api/invoices', { limit: 2, cursor })
      cursor = page.next
    })
    callsOfPages.push(calls)
  } while (cursor)
  expect(callsOfPages.length).toBeGreaterThan(4)
  for (const calls of callsOfPages) expect(calls).toHaveLength(1)
  const costs = new Set(callsOfPages.map(totalUnits))
  expect(costs.size).toBe(1)
})

it('a page costs at most one read unit more than its bytes need, whether invoices have line items or not', async () => {
  const unitsOf = async (work: () => Promise<unknown>) => totalUnits(await databaseCallsOf(work))
  const costsWith = async (line_items: object[]) => {
    const owner = await newClient()
    await owner.create('/api/customers', customerBody({ id: 'me' }))
    await inParallel(range(41), () => owner.create('/api/invoices', invoiceOf({ line_items })))
    const leastQuery = new QueryCommand({
      TableName: tableName(),
      IndexName: 'by-list',
      KeyConditionExpression: '#list = :list',
      ExpressionAttributeNames: { '#list': 'list' },
      ExpressionAttributeValues: { ':list': listPartition(owner.credentials.app_id, 'invoices', 0) },
      Limit: 40,
    })
    return {
      least: await unitsOf(() => dynamodb().send(leastQuery)),
      listed: await unitsOf(() => owner.get('/api/invoices?limit=40')),
    }
  }
  const withoutLines = await costsWith([])
  const withLines = await costsWith(lines)
  expect(withoutLines.least).toBeGreaterThan(1)
  expect(withoutLines.listed).toBeLessThanOrEqual(withoutLines.least + 1)
  expect(withLines.listed).toBe(withoutLines.listed)
})

it('the responses of the database are read by our collector, since a pipe delays their garbage collection', () => {
  expect(dynamodb().config.streamCollector).toBe(streamCollector)
})
