import { MAX_PAYLOAD_BYTES } from '../../../shared/pagination/page.ts'
import { customer } from '../../../shared/resources/customer.ts'
import { invoice } from '../../../shared/resources/invoice.ts'
import { setClock } from '../../support/clock.ts'
import { recordCopies } from '../../support/database/copied-entities.ts'
import { scaleAtOnce } from '../../support/database/scaling.ts'
import { inParallel } from '../../support/in-parallel.ts'
import { range } from '../../support/range.ts'
import { customerBody, invoiceBody, lineItem, priceBody } from '../../support/requests/bodies.ts'
import { type ListPage, readPage, readPages, readPagesBefore } from '../../support/requests/list-pages.ts'
import { type ApiResponse, newClient, serveForTests } from '../../support/requests/service.ts'

serveForTests()
afterAll(() => setClock())

/** Of the handler's result as JSON, in which the body is a string with escaped quotes: Lambda limits that. */
const payloadBytes = ({ status: statusCode, headers, json }: ApiResponse): number =>
  Buffer.byteLength(
    JSON.stringify({ statusCode, headers: Object.fromEntries(headers), body: JSON.stringify(json) }),
  )

const LAMBDA_PAYLOAD_BYTES = 6 * 1024 * 1024

const idsOf = (pages: readonly ListPage[]) => pages.flatMap(({ ids }) => ids)

/** They become longer in the payload. */
const growing = [
  { character: '"', lineId: '"'.repeat(250) },
  { character: '\\', lineId: '\\'.repeat(250) },
  // An id must not contain control characters.
  { character: '\u0001', lineId: '"'.repeat(250) },
  { character: '😀', lineId: '😀'.repeat(220) },
]

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
  const customers = await inParallel(growing, ({ character }) => {
    const name = character.repeat(255)
    const bytesInJson = Buffer.byteLength(JSON.stringify(character)) - '""'.length
    const metadata = { text: character.repeat(16_000 / bytesInJson) }
    return client.create('/api/customers', customerBody({ name, email: name, metadata }))
  })
  const create = (index: number, line_items: object[]) =>
    client.create('/api/invoices', invoiceBody({ customer_id: customers[index].id, line_items }))
  const large = await inParallel(growing, ({ lineId }, index) =>
    create(
      index,
      range(250).map((line) => lineItem({ id: `${line}-${lineId}` })),
    ),
  )
  const small = await create(0, [])
  // Every fifth invoice is small, so that pages end at different positions.
  const originals = range(21).map((index) => (index % 5 === 4 ? small : large[index % 4]))
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
  for (const { line_items, customer: shown, customer_id } of pages.flatMap(({ items }) => items)) {
    expect([0, 250]).toContain(line_items.length)
    expect(shown).toEqual(customers.find(({ id }) => id === customer_id))
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
