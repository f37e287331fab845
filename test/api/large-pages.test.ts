import { setClock } from '../../shared/clock.ts'
import { MAX_PAYLOAD_BYTES } from '../../shared/http/envelope.ts'
import { customerBody, invoiceBody, lineItem, priceBody, productBody } from '../support/bodies.ts'
import { backward, forward, inParallel, type ListPage, pageAt, upTo } from '../support/lists.ts'
import { type Answer, newClient, serveForTests } from '../support/service.ts'
import { grow } from '../support/shards.ts'

serveForTests()
afterAll(() => setClock())

/** The size that Lambda limits: the handler's result as JSON, in which the body is a string with escaped quotes. */
const payloadOf = ({ status: statusCode, headers, json }: Answer): number =>
  Buffer.byteLength(
    JSON.stringify({ statusCode, headers: Object.fromEntries(headers), body: JSON.stringify(json) }),
  )

const idsOf = (pages: readonly ListPage[]) => pages.flatMap(({ ids }) => ids)

describe('a page', () => {
  it.each([1, 2])(
    'holds as many entities as requested, even if they exceed 1 MB together, in %d shards',
    async (shards) => {
      const client = await newClient()
      await grow(client, shards)
      const metadata = { text: 'x'.repeat(16 * 1024 - 20) }
      await inParallel(upTo(105), () => client.create('/api/customers', customerBody({ metadata })))
      const there = await forward(client, '/api/customers', { limit: 100 })
      expect(there.map(({ ids }) => ids.length)).toEqual([100, 5])
      expect(new Set(idsOf(there)).size).toBe(105)
      expect(there[0]!.items.every((each) => each.metadata.text === metadata.text)).toBe(true)
      const back = await backward(client, '/api/customers', { limit: 100 }, there[1]!)
      expect(back.map(({ ids }) => ids)).toEqual([there[0]!.ids])
    },
  )

  it.each([
    ['quotes', '"', '"'.repeat(250)],
    ['backslashes', '\\', '\\'.repeat(250)],
    ['control characters, which an id may not hold, beside quotes', '\u0001', '"'.repeat(250)],
    ['characters of four bytes', '😀', '😀'.repeat(220)],
  ])(
    'ends early, with working cursors in both directions, if %s would exceed 5 MiB',
    async (_, text, lineId) => {
      const client = await newClient()
      await grow(client, 3)
      const name = text.repeat(255)
      const metadata = { text: text.repeat(16_000 / (Buffer.byteLength(JSON.stringify(text)) - 2)) }
      const customer = await client.create('/api/customers', customerBody({ name, email: name, metadata }))
      const lines = upTo(250).map((index) => lineItem({ id: `${index}-${lineId}` }))
      // Large and small invoices in turn, so that pages are cut at different positions.
      const bodies = upTo(48).map((index) =>
        invoiceBody({ customer_id: customer.id, line_items: index % 4 === 3 ? [] : lines }),
      )
      await inParallel(bodies, (body) => client.create('/api/invoices', body), 4)
      const all = (await pageAt(client, '/api/invoices', { limit: 100 })).ids
      expect(all).toHaveLength(48)

      const query = { limit: 100, include: 'line_items,customer' }
      const there = await forward(client, '/api/invoices', query)
      expect(idsOf(there)).toEqual(all)
      expect(there.length).toBeGreaterThan(1)
      for (const invoice of there.flatMap(({ items }) => items)) {
        expect([0, 250]).toContain(invoice.line_items.length)
        expect(invoice.customer).toEqual(customer)
      }
      const last = there.at(-1)!
      const back = await backward(client, '/api/invoices', query, last)
      expect([...idsOf([...back].reverse()), ...last.ids]).toEqual(all)
      expect(back.every(({ more }) => more)).toBe(true)

      const payloads = [...there, ...back].map(({ answer }) => payloadOf(answer))
      expect(MAX_PAYLOAD_BYTES).toBeLessThan(6_291_456)
      expect(Math.max(...payloads)).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES)
      expect(Math.max(...payloads)).toBeGreaterThan(MAX_PAYLOAD_BYTES - 500_000)
    },
  )

  it('with one entity of maximum size is far below the limit', async () => {
    const client = await newClient()
    const id = '"'.repeat(255)
    const metadata = { text: '"'.repeat(8_000) }
    const customer = await client.create('/api/customers', customerBody({ metadata }))
    const line_items = Array(250).fill(lineItem({ id }))
    await client.create('/api/invoices', invoiceBody({ id: 'large', customer_id: customer.id, line_items }))
    await client.create('/api/products', productBody({ id: 'large', name: '\u0001'.repeat(255) }))
    const price = { product_id: 'large', title: '\u0001'.repeat(255) }
    await inParallel(upTo(100), () => client.create('/api/prices', priceBody(price)))
    for (const path of [
      '/api/invoices/large?include=line_items,subscription,customer',
      '/api/products/large?include=prices',
    ])
      expect(payloadOf(await client.get(path))).toBeLessThan(MAX_PAYLOAD_BYTES / 8)
  })
})
