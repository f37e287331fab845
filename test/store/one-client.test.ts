import { readFileSync } from 'node:fs'
import { clientRates } from '../../lib/gateway/rate-rules.ts'
import { stageSettings } from '../../lib/stages.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../shared/contract/query.ts'
import { MAX_PAYLOAD_BYTES } from '../../shared/pagination/page.ts'
import { invoice } from '../../shared/resources/invoice.ts'
import { MAX_LISTED } from '../../shared/store/includes.ts'
import { MAX_ROUNDS } from '../../shared/store/query.ts'
import { MAX_ROUND } from '../../shared/store/read.ts'
import { table } from '../../shared/store/table.ts'
import { type DatabaseCall, databaseCallsOf, totalUnits } from '../support/database/database-calls.ts'
import { range } from '../support/range.ts'
import { customerBody, invoiceBody, priceBody, productBody } from '../support/requests/bodies.ts'
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
/** The price of a gigabyte that is sent to the internet, in dollars. */
const DOLLARS_PER_GB = 0.09
/** A strongly consistent read unit. */
const READ_UNIT_BYTES = 4_096
/** The mean number of writes of an update while 300 updates a second of one entity are sent; see contention.test.ts. */
const WRITES_PER_UPDATE = 5

const unitsOf = async (work: () => Promise<unknown>): Promise<number> =>
  totalUnits(await databaseCallsOf(work))

/** For a number of events every second of a day. */
const dollarsPerDay = (perSecond: number, dollarsPerMillion: number): number =>
  (perSecond * DAY_SECONDS * dollarsPerMillion) / 1e6

const text = (length: number) => '😀'.repeat(length)
/** A name of the maximum length. */
const NAME = text(5_000)

/** Returns a client that has recorded the largest customer and the largest price and product, and has changed all of them. */
const recordLargest = async (): Promise<Client> => {
  const client = await newClient()
  const metadata = { text: 'x'.repeat(16 * 1024 - 20) }
  const person = { id: 'large', name: NAME, email: 'x'.repeat(512), description: NAME, metadata }
  await client.create('/api/customers', customerBody(person))
  expect((await client.put('/api/customers/large', { id: 'large', name: text(4_999) })).status).toBe(200)
  const records = {
    products: productBody({ id: 'large', name: NAME }),
    prices: priceBody({ id: 'large', product_id: 'large', title: NAME }),
  }
  for (const [list, body] of Object.entries(records)) {
    await client.create(`/api/${list}`, body)
    const nameField = 'title' in body ? 'title' : 'name'
    await client.create(`/api/${list}?on_conflict=update`, { ...body, [nameField]: text(4_999) })
  }
  return client
}

/** Returns the units of a create of the largest invoice, by whether they are read or written. */
const unitsOfLargestCreate = async (client: Client) => {
  const line_items = range(1_000).map((index) => ({ amount: 999, id: `${index}-${text(55)}` }))
  const body = invoiceBody({ id: 'large', customer_id: 'large', line_items })
  const calls = await databaseCallsOf(() => client.create('/api/invoices', body))
  const isRead = ({ command }: DatabaseCall) => command === 'BatchGetItemCommand'
  return {
    read: totalUnits(calls.filter(isRead)),
    write: totalUnits(calls.filter((call) => !isRead(call))),
  }
}

/** Returns the bytes of a response that contains one price, with its product, in 120 line items, and the units that it reads. */
const largestRepetition = async (client: Client) => {
  const line_items = Array(120).fill({ price_id: 'large' })
  await client.create('/api/invoices', invoiceBody({ id: 'repeated', customer_id: 'large', line_items }))
  let bytes = 0
  const units = await unitsOf(async () => {
    const { status, json } = await client.get('/api/invoices/repeated?include=line_items,price')
    expect(status).toBe(200)
    bytes = Buffer.byteLength(JSON.stringify(json))
  })
  return { bytes, units }
}

/** Returns a number without its fraction, with separators of thousands. */
const formatted = (value: number): string => Math.floor(value).toLocaleString('en')

it('SECURITY.md states the limits of one client in production, as computed from the settings', async () => {
  const client = await recordLargest()
  const largestCreate = await unitsOfLargestCreate(client)
  const repetition = await largestRepetition(client)
  const largestInvoice = await unitsOf(() => client.get('/api/invoices/large'))
  // A read unit is 4 KB, a write unit 1 KB.
  const largestCustomer = await unitsOf(() => client.get('/api/customers/large'))
  const largestUpdate = 4 * largestCustomer * WRITES_PER_UPDATE
  const renamed = await unitsOf(() => client.get('/api/prices/large'))
  const mostDiscounts = invoice.fields.discounts.request.maxItems!
  /** The number of the largest entities with which a response is full. */
  const fitting = Math.ceil(MAX_PAYLOAD_BYTES / Buffer.byteLength(NAME))
  /** The most units of entities with different ids, of which at most `large` are as large as possible. */
  const unitsOfIds = (ids: number, large = fitting + MAX_ROUND): number =>
    ids + Math.min(ids, large) * (renamed - 1)
  const parents = unitsOfIds(MAX_LISTED)
  // If more than fit are referred to, the parents of listed entities are not read.
  const largestRetrieve =
    largestInvoice + largestCustomer + 1 + unitsOfIds(mostDiscounts + MAX_LISTED, fitting) + parents
  // A page reads as any replica has the entities, for half the units.
  const ownUnits = MAX_LIMIT * (largestInvoice + largestCustomer + 1)
  const largestPage = (ownUnits + unitsOfIds(MAX_LIMIT * mostDiscounts + MAX_LISTED) + parents) / 2
  const mostReferences = largestCreate.read + ((mostDiscounts + MAX_LISTED) * renamed) / 2
  // After the first entities, a page reads as many more as would fit if they were as large.
  const mostRead = ((MAX_LIMIT - DEFAULT_LIMIT) * largestInvoice * READ_UNIT_BYTES) / MAX_PAYLOAD_BYTES
  // The ceiling applies to the table and to each index.
  const ceilings = 1 + table.indexes.length
  const readDollars = dollarsPerDay(ceilings * ceiling.read, DOLLARS_PER_MILLION_READS)
  const writeDollars = dollarsPerDay(ceilings * ceiling.write, DOLLARS_PER_MILLION_WRITES)
  const refusalDollars = dollarsPerDay(addressRate, DOLLARS_PER_MILLION_REFUSALS)
  const traffic = (applicationRate * repetition.bytes * 3_600 * DOLLARS_PER_GB) / 1e9
  const usesUp = (units: number, kind: 'read' | 'write') => {
    const rate = ceiling[kind] / units
    return `${rate < 10 ? rate.toFixed(1) : formatted(rate)} a second use up the ${kind}s of the table`
  }
  const rows = [
    `| requests of one application, averaged over a minute | ${formatted(applicationRate)} a second, out of the ${formatted(read.rate)} of a read operation and the ${formatted(write.rate)} of a write operation |`,
    `| refused requests of one address without a key, averaged over a minute | ${formatted(addressRate)} a second, for ${formatted(refusalDollars)} dollars a day |`,
    `| retrieves of the largest invoice, ${formatted(largestInvoice)} read units each | ${usesUp(largestInvoice, 'read')} |`,
    `| retrieves that embed the most, at most ${formatted(largestRetrieve)} read units each | ${usesUp(largestRetrieve, 'read')} |`,
    `| pages that embed the most, at most ${formatted(largestPage)} read units each | ${usesUp(largestPage, 'read')} |`,
    `| retrieves that embed one price in 120 line items, ${formatted(repetition.units)} read units and ${(repetition.bytes / 1e6).toFixed(2)} MB each | ${formatted(applicationRate)} a second send data for ${formatted(traffic)} dollars an hour |`,
    `| creates of the largest invoice, ${formatted(largestCreate.write)} write units each | ${usesUp(largestCreate.write, 'write')} |`,
    `| creates of an invoice with the most references, ${formatted(mostReferences)} read units each | ${usesUp(mostReferences, 'read')} |`,
    `| competing updates of the largest customer, ${formatted(largestUpdate)} write units each | ${usesUp(largestUpdate, 'write')} |`,
    `| reads and writes at the ceilings of the table and its ${table.indexes.length} indexes | ${formatted(readDollars)} and ${formatted(writeDollars)} dollars a day |`,
    `A page usually reads about twice as much as it returns, at most ${Math.ceil(mostRead)} times as much as a response holds`,
    `up to ${formatted((MAX_ROUNDS + 1) * (2 ** 20 / READ_UNIT_BYTES / 2))} units for each shard`,
  ]
  const security = readFileSync('SECURITY.md', 'utf8').replaceAll(/\s+/g, ' ')
  expect(rows.filter((row) => !security.includes(row))).toEqual([])
})
