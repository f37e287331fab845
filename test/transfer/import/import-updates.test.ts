import { writeFileSync } from 'node:fs'
import { anonymisedValues, customerBody, priceBody, productBody } from '../../support/requests/bodies.ts'
import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import { type Entry, filesOf, importAs, linesOf, ndjson, outcomesIn } from '../importing.ts'

serveForTests()

let client: Client
beforeEach(async () => {
  client = await newClient()
})

const customers = (names: Readonly<Record<string, string>>): string =>
  ndjson(Object.entries(names).map(([id, name]) => ['customer', customerBody({ id, name })]))

const nameOf = async (id: string) => (await client.get(`/api/customers/${id}`)).json.data.customer.name

describe('import --update', () => {
  it('updates recorded customers, erases nobody and restores nobody', async () => {
    for (const id of ['same', 'other', 'cleared', 'erased', 'returned'])
      await client.create('/api/customers', customerBody({ id, phone: id === 'cleared' ? '1' : null }))
    for (const id of ['erased', 'returned']) await client.put(`/api/customers/${id}`)
    await client.create('/api/customers', { id: 'namesake', ...anonymisedValues })
    await client.put('/api/customers/returned', { id: 'returned', name: 'Ann' })
    await client.create('/api/products', productBody({ id: 'plan', name: 'A' }))
    await client.create('/api/prices', priceBody({ id: 'monthly', product_id: 'plan', price: 1900 }))
    // Responses do not show that a phone number differs.
    const rows: [said: string, outcome: string, ...Entry][] = [
      ['unchanged', 'unchanged', 'customer', customerBody({ id: 'same' })],
      ['unchanged', 'updated', 'customer', customerBody({ id: 'cleared' })],
      ['unknown', 'conflict', 'customer', customerBody({ id: 'erased' })],
      // Nor that this one was erased before an update.
      ['updated', 'conflict', 'customer', customerBody({ id: 'returned' })],
      ['unknown', 'updated', 'customer', customerBody({ id: 'namesake' })],
      ['created', 'created', 'customer', customerBody({ id: 'new' })],
      ['updated', 'updated', 'customer', customerBody({ id: 'other', name: 'Bea' })],
      ['conflict', 'conflict', 'customer', { id: 'same' }, true],
      ['updated', 'updated', 'product', productBody({ id: 'plan', name: 'B' })],
      ['conflict', 'conflict', 'price', priceBody({ id: 'monthly', product_id: 'plan', price: 2900 })],
    ]
    const { paths, report } = filesOf({ 'rows.ndjson': ndjson(rows.map(([, , ...entry]) => entry)) })
    const outcomes = async (...more: string[]) => {
      await importAs(client, [...paths, '--update', '--report', report + more, ...more])
      const lines = linesOf(report + more).sort((a, b) => a.row - b.row)
      return lines.map(({ outcome }) => outcome)
    }
    expect(await outcomes('--dry-run')).toEqual(rows.map(([said]) => said))
    expect(await outcomes()).toEqual(rows.map(([, outcome]) => outcome))
    expect([await nameOf('other'), await nameOf('same')]).toEqual(['Bea', 'Ann Example'])
  })

  it('sends a row that has changed since the report again, and every later row with its id', async () => {
    const { paths, report } = filesOf({ 'rows.ndjson': '' })
    const importing = async (text: string) => {
      writeFileSync(paths[0]!, text)
      const command = [...paths, '--update', '--report', report, '--concurrency', '1']
      return (await importAs(client, command)).counts
    }
    expect(await importing(customers({ a: 'A', b: 'B' }))).toMatchObject({ created: 2 })
    expect(await importing(customers({ a: 'A2', b: 'B' }))).toMatchObject({ updated: 1, resumed: 1 })
    expect(await importing(customers({ a: 'A2', b: 'B' }))).toMatchObject({ updated: 0, resumed: 2 })
    expect(await importing(customers({ a: 'A', b: 'B' }))).toMatchObject({ updated: 1, resumed: 1 })
    expect(outcomesIn(report)).toEqual({ 'customer a': 'updated', 'customer b': 'created' })
    const last = customers({ b: 'B', a: 'A4' })
    expect(await importing(customers({ a: 'A3' }) + last)).toMatchObject({ updated: 2, resumed: 1 })
    expect(await importing(customers({ a: 'A5' }) + last)).toMatchObject({ updated: 2, resumed: 1 })
    expect(await nameOf('a')).toBe('A4')
    // A row that was sent without --update may differ from the customer as it is now.
    await importAs(client, [...paths, '--report', report])
    expect(await importing(customers({ a: 'A5' }) + last)).toMatchObject({ updated: 2, unchanged: 1 })
  })
})
