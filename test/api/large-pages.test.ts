import { MAX_ANSWER_BYTES } from '../../shared/http/envelope.ts'
import { customerBody, invoiceBody, lineItem } from '../support/bodies.ts'
import { backward, forward, inParallel, type ListPage, pageAt, upTo } from '../support/lists.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

const bytesOf = async (client: Client, path: string): Promise<number> => {
  const { api_key, app_id } = client.credentials
  const response = await fetch(client.baseUrl + path, {
    headers: { authorization: `Bearer ${api_key}`, 'x-app-id': app_id },
  })
  return (await response.arrayBuffer()).byteLength
}

const idsOf = (pages: readonly ListPage[]) => pages.flatMap(({ ids }) => ids)

describe('a page', () => {
  it('holds as many entities as asked for when they exceed 1 MB together', async () => {
    const client = await newClient()
    const metadata = { text: 'x'.repeat(16 * 1024 - 20) }
    await inParallel(upTo(105), () => client.create('/api/customers', customerBody({ metadata })))
    const there = await forward(client, '/api/customers', { limit: 100 })
    expect(there.map(({ ids }) => ids.length)).toEqual([100, 5])
    expect(new Set(idsOf(there)).size).toBe(105)
    expect(there[0]!.items.every((each) => each.metadata.text === metadata.text)).toBe(true)
    const back = await backward(client, '/api/customers', { limit: 100 }, there[1]!)
    expect(back.map(({ ids }) => ids)).toEqual([there[0]!.ids])
  })

  it('ends early, and goes on rightly both ways, where embedding would take the answer over 5 MB', async () => {
    const client = await newClient()
    const customer = await client.create('/api/customers', customerBody())
    const lines = upTo(250).map((index) => lineItem({ id: `${index}-${'é'.repeat(240)}` }))
    // Fat and slim invoices by turns, so that pages are cut at different places.
    const bodies = upTo(60).map((index) =>
      invoiceBody({ customer_id: customer.id, line_items: index % 4 === 3 ? [] : lines }),
    )
    await inParallel(bodies, (body) => client.create('/api/invoices', body), 10)
    const all = (await pageAt(client, '/api/invoices', { limit: 100 })).ids
    expect(all).toHaveLength(60)

    const query = { limit: 50, include: 'line_items' }
    const there = await forward(client, '/api/invoices', query)
    expect(idsOf(there)).toEqual(all)
    expect(there[0]!.ids.length).toBeLessThan(50)
    for (const { line_items } of there.flatMap(({ items }) => items))
      expect([0, 250]).toContain(line_items.length)
    const last = there.at(-1)!
    const back = await backward(client, '/api/invoices', query, last)
    expect([...idsOf([...back].reverse()), ...last.ids]).toEqual(all)
    expect(back.every(({ more }) => more)).toBe(true)

    const sizes = await Promise.all(
      [...there, ...back]
        .flatMap(({ next, previous }) => [next, previous])
        .filter((cursor) => cursor !== null)
        .map((cursor) => bytesOf(client, `/api/invoices?limit=50&include=line_items&cursor=${cursor}`)),
    )
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_ANSWER_BYTES)
    expect(Math.max(...sizes)).toBeGreaterThan(MAX_ANSWER_BYTES - 400_000)
  })
})
