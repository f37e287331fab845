import { MAX_PAYLOAD_BYTES } from '../../../shared/pagination/page.ts'
import { setClock } from '../../support/clock.ts'
import { scaleAtOnce } from '../../support/database/scaling.ts'
import { inParallel } from '../../support/in-parallel.ts'
import { range } from '../../support/range.ts'
import { customerBody, invoiceBody, lineItem, priceBody } from '../../support/requests/bodies.ts'
import { type ListPage, readPage, readPages, readPagesBefore } from '../../support/requests/list-pages.ts'
import { type ApiResponse, newClient, serveForTests } from '../../support/requests/service.ts'

serveForTests()
afterAll(() => setClock())

/** The size that Lambda limits: the handler's result as JSON, in which the body is a string with escaped quotes. */
const payloadOf = ({ status: statusCode, headers, json }: ApiResponse): number =>
  Buffer.byteLength(
    JSON.stringify({ statusCode, headers: Object.fromEntries(headers), body: JSON.stringify(json) }),
  )

const idsOf = (pages: readonly ListPage[]) => pages.flatMap(({ ids }) => ids)

/** Characters that become longer in the payload, each as the text of a customer and as the id of a line item. */
const texts = [
  ['"', '"'.repeat(250)],
  ['\\', '\\'.repeat(250)],
  // An id may not hold control characters.
  ['\u0001', '"'.repeat(250)],
  ['😀', '😀'.repeat(220)],
] as const

it.each([1, 2])(
  'returns as many entities as requested, even if they exceed 1 MB together, in %d shards',
  async (shards) => {
    const client = await newClient()
    await scaleAtOnce(client, shards)
    const metadata = { text: 'x'.repeat(16 * 1024 - 20) }
    await inParallel(range(75), () => client.create('/api/customers', customerBody({ metadata })))
    const there = await readPages(client, '/api/customers', { limit: 70 })
    expect(there.map(({ ids }) => ids.length)).toEqual([70, 5])
    expect(new Set(idsOf(there)).size).toBe(75)
    expect(there[0]!.items.every((each) => each.metadata.text === metadata.text)).toBe(true)
    const back = await readPagesBefore(client, '/api/customers', { limit: 70 }, there[1]!)
    expect(back.map(({ ids }) => ids)).toEqual([there[0]!.ids])
  },
)

it('ends a page that would exceed 5 MiB early, with working cursors in both directions', async () => {
  const client = await newClient()
  await scaleAtOnce(client, 3)
  const customers = await inParallel(texts, ([text]) => {
    const name = text.repeat(255)
    const metadata = { text: text.repeat(16_000 / (Buffer.byteLength(JSON.stringify(text)) - 2)) }
    return client.create('/api/customers', customerBody({ name, email: name, metadata }))
  })
  const lines = texts.map(([, id]) => range(250).map((index) => lineItem({ id: `${index}-${id}` })))
  // Large and small invoices in turn, so that pages are cut at different positions.
  const bodies = range(26).map((index) =>
    invoiceBody({
      customer_id: customers[index % 4].id,
      line_items: index % 5 === 4 ? [] : lines[index % 4],
    }),
  )
  await inParallel(bodies, (body) => client.create('/api/invoices', body), 4)
  const all = (await readPage(client, '/api/invoices', { limit: 100 })).ids
  expect(all).toHaveLength(26)

  const query = { limit: 100, include: 'line_items,customer' }
  const there = await readPages(client, '/api/invoices', query)
  expect(idsOf(there)).toEqual(all)
  for (const { line_items, customer, customer_id } of there.flatMap(({ items }) => items)) {
    expect([0, 250]).toContain(line_items.length)
    expect(customer).toEqual(customers.find(({ id }) => id === customer_id))
  }
  const { next } = await readPage(client, '/api/invoices', { limit: 25 })
  const last = await readPage(client, '/api/invoices', { limit: 25, cursor: next })
  const back = await readPagesBefore(client, '/api/invoices', query, last)
  expect(idsOf([...back].reverse())).toEqual(all.slice(0, -1))
  expect(back.every(({ hasMore }) => hasMore)).toBe(true)

  expect(MAX_PAYLOAD_BYTES).toBeLessThan(6_291_456)
  for (const pages of [there, back]) {
    expect(pages.length).toBeGreaterThan(1)
    const largest = Math.max(...pages.map(({ response }) => payloadOf(response)))
    expect(largest).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES)
    expect(largest).toBeGreaterThan(MAX_PAYLOAD_BYTES - 500_000)
  }
})

it('returns an invoice of maximum size with all its includes far below the limit of a page', async () => {
  const client = await newClient()
  const id = '"'.repeat(255)
  const metadata = { text: '"'.repeat(8_000) }
  const customer = await client.create('/api/customers', customerBody({ metadata }))
  // 1,000 line items in a body of 250 KiB.
  const line_items = Array(1_000).fill({ id: id.slice(0, 100), amount: 1, price_id: 'one' })
  await client.create('/api/products', { id: 'plan', name: 'Plan' })
  await client.create('/api/prices', priceBody({ id: 'one', product_id: 'plan' }))
  await client.create('/api/invoices', invoiceBody({ id: 'large', customer_id: customer.id, line_items }))
  const invoice = await client.get('/api/invoices/large?include=line_items,subscription,customer,price')
  expect(invoice.json.data.invoice.line_items).toHaveLength(1_000)
  expect(payloadOf(invoice)).toBeLessThan(MAX_PAYLOAD_BYTES / 4)
})

it('refuses with 422 an invoice whose line items with prices exceed a response, alone or first on a page', async () => {
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
    const { status, details } = await client.get(`${path}?include=line_items,price`)
    expect({ status, details }).toEqual({
      status: 422,
      details: [
        `include must not name price for invoice ${id}, whose line_items with price take more than 5 MiB; name line_items without price.`,
      ],
    })
    expect((await client.get(`${path}?include=line_items`)).status).toBe(200)
  }
})
