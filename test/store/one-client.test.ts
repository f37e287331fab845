import { readFileSync } from 'node:fs'
import { clientRates } from '../../lib/gateway/rate-rules.ts'
import { stageSettings } from '../../lib/stages.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../shared/contract/query.ts'
import { invoice } from '../../shared/resources/invoice.ts'
import { product } from '../../shared/resources/product.ts'
import { MAX_LISTED } from '../../shared/store/includes.ts'
import { table } from '../../shared/store/table.ts'
import { databaseCallsOf } from '../support/database/database-calls.ts'
import { range } from '../support/range.ts'
import { customerBody, invoiceBody } from '../support/requests/bodies.ts'
import { type Client, newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

/** What SECURITY.md promises about one client in production, computed from the settings and from what requests consume. */

const settings = stageSettings('prod')
const { read, write } = settings.throttle
const ceiling = settings.table.ceiling!
const { applicationRate, addressRate } = clientRates(settings)
const DAY = 86_400
/** Dollars for a million: of a request that is refused with 401 after a look-up, of a read unit and of a write unit. */
const [REFUSAL, READ_UNIT, WRITE_UNIT] = [4.96, 0.125, 0.625]
/** The writes of an update on average while 300 a second meet; see contention.test.ts. */
const WRITES = 5

const unitsOf = async (work: () => Promise<unknown>): Promise<number> =>
  (await databaseCallsOf(work)).reduce((sum, { units }) => sum + units, 0)

/** Records the largest invoice and the largest customer, who has been updated. */
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

const number = (value: number): string => Math.floor(value).toLocaleString('en')

it('SECURITY.md says what one client can consume in production, as computed from its settings', async () => {
  const client = await recordLargest()
  const largestInvoice = await unitsOf(() => client.get('/api/invoices/large'))
  // A read unit is 4 KB, a write unit 1 KB.
  const largestCustomer = await unitsOf(() => client.get('/api/customers/large'))
  const largestUpdate = 4 * largestCustomer * WRITES
  const mostDiscounts = invoice.fields.discounts.request.maxItems!
  // Entities that a page embeds at most, each of at least a unit: discounts; prices with products; customers and subscriptions.
  const smallPage = MAX_LIMIT * mostDiscounts + 2 * MAX_LISTED + 2 * MAX_LIMIT + MAX_LIMIT / 2
  // If they are as large as possible, the first step fills a response, and no other is read.
  const named = Math.ceil((4 * Number(product.fields.name.request.maxLength)) / 4_096)
  const invoices = DEFAULT_LIMIT * (largestInvoice + mostDiscounts * named + largestCustomer + 1)
  const largePage = Math.ceil(invoices + 2 * MAX_LISTED * named)
  const dearestPage = Math.max(smallPage, largePage)
  const parts = 1 + table.indexes.length
  const rows = [
    `| requests of one application, averaged over a minute | ${number(applicationRate)} a second, out of the ${number(read.rate)} of a read operation and the ${number(write.rate)} of a write operation |`,
    `| refused requests of one address without a key, averaged over a minute | ${number(addressRate)} a second, for ${number((addressRate * DAY * REFUSAL) / 1e6)} dollars a day |`,
    `| retrieves of the largest invoice, ${number(largestInvoice)} read units each | ${number(ceiling.read / largestInvoice)} a second use up the reads of the table |`,
    `| pages that embed the most, ${number(dearestPage)} read units each | ${(ceiling.read / dearestPage).toFixed(1)} a second use up the reads of the table |`,
    `| competing updates of the largest customer, ${number(largestUpdate)} write units each | ${number(ceiling.write / largestUpdate)} a second use up the writes of the table |`,
    `| reads and writes at the ceilings of the table and its ${table.indexes.length} indexes | ${number((parts * ceiling.read * READ_UNIT * DAY) / 1e6)} and ${number((parts * ceiling.write * WRITE_UNIT * DAY) / 1e6)} dollars a day |`,
  ]
  const text = readFileSync('SECURITY.md', 'utf8')
  expect(rows.filter((row) => !text.includes(row))).toEqual([])
  expect(applicationRate).toBeLessThanOrEqual(Math.min(read.rate, write.rate) / 2)
})
