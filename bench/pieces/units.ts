import { resourceNamed } from '../../shared/catalogue.ts'
import { exampleBody } from '../../shared/openapi/examples.ts'
import { type BenchCall, createFixture, customerBody, type Fixture } from '../fixture.ts'
import type { Measurement, Piece } from '../rows.ts'

/** Prices of us-east-1 in November 2025, in dollars for a million; docs/performance.md explains them. */
const READ_UNIT = 0.125
const WRITE_UNIT = 0.625
const GATEWAY_AND_FIREWALL = 4.1
const INVOCATION = 0.2
const LOG = 0.39
const GB_SECOND = 13.3334
/** The assumed seconds of a function: for itself, and for each call of DynamoDB. */
const OWN_SECONDS = 0.005
const CALL_SECONDS = 0.006

const PAGE = 20

interface Cost {
  readonly read: number
  readonly write: number
  readonly calls: number
}

const dollarsOf = ({ read, write, calls }: Cost): number =>
  GATEWAY_AND_FIREWALL +
  INVOCATION +
  (OWN_SECONDS + CALL_SECONDS * calls) * GB_SECOND +
  LOG +
  read * READ_UNIT +
  write * WRITE_UNIT

const writeCommands = ['PutItemCommand', 'TransactWriteItemsCommand']

const costOf = async (fixture: Fixture, call: BenchCall): Promise<Cost> => {
  const calls = await fixture.observe(call)
  const sum = (units: readonly number[]) => units.reduce((total, consumed) => total + consumed, 0)
  const reads = calls.filter(({ command }) => !writeCommands.includes(command))
  const writes = calls.filter(({ command }) => writeCommands.includes(command))
  return {
    read: sum(reads.map(({ units }) => units)),
    write: sum(writes.map(({ units }) => units)),
    calls: calls.length,
  }
}

const create = (resource: string, body: object): BenchCall => ({ endpoint: `${resource}.create`, body })
const body = (resource: string, fields: object) => ({ ...exampleBody(resourceNamed(resource)), ...fields })

const [line] = exampleBody(resourceNamed('invoice')).line_items as readonly object[]
const invoiceBody = (id: string, name: string) =>
  body('invoice', {
    id,
    customer_id: `customer-${name}`,
    subscription_id: `subscription-${name}`,
    discounts: [`discount-${name}`],
    line_items: Array(3).fill({ ...line, price_id: `price-${name}` }),
  })

const recordReferences = async ({ send }: Fixture, name: string): Promise<void> => {
  await send(create('products', body('product', { id: `product-${name}` })))
  await send(create('prices', body('price', { id: `price-${name}`, product_id: `product-${name}` })))
  await send(create('customers', customerBody(`customer-${name}`)))
  await send(create('discounts', body('discount', { id: `discount-${name}` })))
}

/** They refer to the same entities or, if not `isShared`, each invoice to its own. */
const recordInvoices = async (isShared: boolean): Promise<Fixture> => {
  const fixture = await createFixture()
  for (let number = 0; number < PAGE; number += 1) {
    const name = isShared ? 'shared' : String(number)
    if (!isShared || number === 0) await recordReferences(fixture, name)
    await fixture.send(create('invoices', invoiceBody(`invoice-${number}`, name)))
  }
  return fixture
}

const list = (resource: string, include?: string): BenchCall => ({
  endpoint: `${resource}.list`,
  query: { limit: String(PAGE), ...(include ? { include } : {}) },
})
const allIncludes = 'line_items,price,customer,subscription,discounts'

const reads: readonly (readonly [string, BenchCall])[] = [
  ['list of invoices', list('invoices')],
  ['list of invoices with lines', list('invoices', 'line_items')],
  ['list of invoices, all included', list('invoices', allIncludes)],
  ['list of prices with products', list('prices', 'product')],
  ['list of products with prices', list('products', 'prices')],
  ['list of subscriptions with customers', list('subscriptions', 'customer')],
  ['retrieve of an invoice', { endpoint: 'invoices.retrieve', id: 'invoice-0' }],
  [
    'retrieve of an invoice, all included',
    { endpoint: 'invoices.retrieve', id: 'invoice-0', query: { include: allIncludes } },
  ],
]

const writes = (name: string): readonly (readonly [string, BenchCall])[] => [
  ['create of a product', create('products', body('product', { id: 'new' }))],
  ['create of a price', create('prices', body('price', { id: 'new', product_id: `product-${name}` }))],
  ['create of a customer', create('customers', customerBody('new'))],
  ['create of an invoice', create('invoices', { ...invoiceBody('new', name), subscription_id: 'new' })],
  [
    'update of a customer',
    { endpoint: 'customers.update', id: `customer-${name}`, body: { id: `customer-${name}`, name: 'New' } },
  ],
]

const rowsOf = (label: string, cost: Cost): Measurement[] => {
  const rows = [
    { label, unit: 'read units', ours: cost.read },
    { label, unit: 'write units', ours: cost.write },
    { label, unit: 'calls', ours: cost.calls },
    { label, unit: '$ a million', ours: dollarsOf(cost) },
  ]
  return rows.filter(({ ours }) => ours > 0)
}

/** The units that requests consume of DynamoDB, and the price of a million requests. */
export const units: Piece = async () => {
  const rows: Measurement[] = []
  const pages = { shared: await recordInvoices(true), distinct: await recordInvoices(false) }
  for (const [kind, fixture] of Object.entries(pages))
    for (const [label, call] of reads)
      rows.push(...rowsOf(`${label}, ${kind} references`, await costOf(fixture, call)))
  for (const [label, call] of writes('shared')) rows.push(...rowsOf(label, await costOf(pages.shared, call)))
  return rows
}
