import { readFileSync } from 'node:fs'
import { clientRates } from '../../lib/gateway/rate-rules.ts'
import { stageSettings } from '../../lib/stages.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../shared/contract/query.ts'
import { invoice } from '../../shared/resources/invoice.ts'
import { product } from '../../shared/resources/product.ts'
import { MAX_LISTED } from '../../shared/store/includes.ts'
import { table } from '../../shared/store/table.ts'
import { databaseCallsOf, totalUnits } from '../support/database/database-calls.ts'
import { range } from '../support/range.ts'
import { customerBody, invoiceBody } from '../support/requests/bodies.ts'
import { type Client, newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

/**
 * The limits of one client in production that SECURITY.md states, computed from the settings and from the
 * units that requests consume.
 */

const settings = stageSettings('prod')
const { read, write } = settings.throttle
const ceiling = settings.table.ceiling!
const { applicationRate, addressRate } = clientRates(settings)
const DAY_SECONDS = 86_400
/** Refused with 401 after a look-up. */
const DOLLARS_PER_MILLION_REFUSALS = 4.96
const DOLLARS_PER_MILLION_READS = 0.125
const DOLLARS_PER_MILLION_WRITES = 0.625
/** At 300 updates a second of one entity; see contention.test.ts. */
const WRITES_PER_UPDATE = 5

const unitsOf = async (work: () => Promise<unknown>): Promise<number> =>
  totalUnits(await databaseCallsOf(work))

/** For a number of events every second of a day. */
const dollarsPerDay = (perSecond: number, dollarsPerMillion: number): number =>
  (perSecond * DAY_SECONDS * dollarsPerMillion) / 1e6

const recordLargest = async (): Promise<Client> => {
  const client = await newClient()
  const text = (length: number) => '😀'.repeat(length)
  const metadata = { text: 'x'.repeat(16 * 1024 - 20) }
  const person = { name: text(5_000), email: 'x'.repeat(512), description: text(5_000), metadata }
  await client.create('/api/customers', customerBody({ ...person, id: 'large' }))
  expect((await client.put('/api/customers/large', { id: 'large', name: text(4_999) })).status).toBe(200)
  const line_items = range(1_000).map((index) => ({ amount: 999, id: `${index}-${text(55)}` }))
  await client.create('/api/invoices', invoiceBody({ id: 'large', customer_id: 'large', line_items }))
  return client
}

/** Without fraction, with separators of thousands. */
const formatted = (value: number): string => Math.floor(value).toLocaleString('en')

it('SECURITY.md states the limits of one client in production, as computed from the settings', async () => {
  const client = await recordLargest()
  const largestInvoice = await unitsOf(() => client.get('/api/invoices/large'))
  // A read unit is 4 KB, a write unit 1 KB.
  const largestCustomer = await unitsOf(() => client.get('/api/customers/large'))
  const largestUpdate = 4 * largestCustomer * WRITES_PER_UPDATE
  const mostDiscounts = invoice.fields.discounts.request.maxItems!
  // The most entities that a page embeds, each of at least one unit: discounts, prices with products,
  // customers, subscriptions.
  const pageOfSmallEntities = MAX_LIMIT * mostDiscounts + 2 * MAX_LISTED + 2 * MAX_LIMIT + MAX_LIMIT / 2
  // If the entities are as large as possible, the first query fills a response, and no other query is sent.
  const largestNamed = Math.ceil((4 * Number(product.fields.name.request.maxLength)) / 4_096)
  const invoices = DEFAULT_LIMIT * (largestInvoice + mostDiscounts * largestNamed + largestCustomer + 1)
  const pageOfLargeEntities = Math.ceil(invoices + 2 * MAX_LISTED * largestNamed)
  const mostExpensivePage = Math.max(pageOfSmallEntities, pageOfLargeEntities)
  // The ceiling applies to the table and to each index.
  const ceilings = 1 + table.indexes.length
  const readDollars = dollarsPerDay(ceilings * ceiling.read, DOLLARS_PER_MILLION_READS)
  const writeDollars = dollarsPerDay(ceilings * ceiling.write, DOLLARS_PER_MILLION_WRITES)
  const refusalDollars = dollarsPerDay(addressRate, DOLLARS_PER_MILLION_REFUSALS)
  const rows = [
    `| requests of one application, averaged over a minute | ${formatted(applicationRate)} a second, out of the ${formatted(read.rate)} of a read operation and the ${formatted(write.rate)} of a write operation |`,
    `| refused requests of one address without a key, averaged over a minute | ${formatted(addressRate)} a second, for ${formatted(refusalDollars)} dollars a day |`,
    `| retrieves of the largest invoice, ${formatted(largestInvoice)} read units each | ${formatted(ceiling.read / largestInvoice)} a second use up the reads of the table |`,
    `| pages that embed the most, ${formatted(mostExpensivePage)} read units each | ${(ceiling.read / mostExpensivePage).toFixed(1)} a second use up the reads of the table |`,
    `| competing updates of the largest customer, ${formatted(largestUpdate)} write units each | ${formatted(ceiling.write / largestUpdate)} a second use up the writes of the table |`,
    `| reads and writes at the ceilings of the table and its ${table.indexes.length} indexes | ${formatted(readDollars)} and ${formatted(writeDollars)} dollars a day |`,
  ]
  const text = readFileSync('SECURITY.md', 'utf8')
  expect(rows.filter((row) => !text.includes(row))).toEqual([])
  expect(applicationRate).toBeLessThanOrEqual(Math.min(read.rate, write.rate) / 2)
})
