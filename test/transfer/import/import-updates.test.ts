import { writeFileSync } from 'node:fs'
import { anonymisedValues, customerBody, priceBody, productBody } from '../../support/requests/bodies.ts'
import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import {
  type Contents,
  type Entry,
  importContents,
  importFiles,
  ndjson,
  recordedEntity,
  reportedOutcomes,
  writeFiles,
} from '../importing.ts'

serveForTests()

let client: Client
beforeEach(async () => {
  client = await newClient()
})

interface ExpectedRow {
  readonly entry: Entry
  readonly predicted: string
  readonly outcome: string
}

describe('import --update', () => {
  it.each<[string, Contents]>([
    ['a sheet', { 'customers.csv': 'id,name,email\nonly,,\nnew,,\nbare,,\n' }],
    [
      'NDJSON',
      { 'all.ndjson': ndjson(['only', 'new', 'bare'].map((id) => ['customer', { id, name: undefined }])) },
    ],
  ])('clears nothing by a row that has nothing but an id, in %s', async (_, contents) => {
    await client.create('/api/customers', { id: 'only', name: 'Ann' })
    await client.create('/api/customers', { id: 'bare' })
    const { lines } = await importContents(client, contents, '--update')
    expect(lines).toMatchObject([
      { id: 'only', outcome: 'conflict' },
      { id: 'new', outcome: 'created' },
      { id: 'bare', outcome: 'unchanged' },
    ])
    expect(lines[0]!.errors.at(-1)).toBe(
      'The row has nothing but an id, so --update does not clear the other fields of the customer.',
    )
    expect(await recordedEntity(client, 'customers', 'only')).toMatchObject({ name: 'Ann' })
  })

  it('updates recorded customers, erases nobody and restores nobody', async () => {
    for (const id of ['same', 'other', 'cleared', 'erased', 'returned'])
      await client.create('/api/customers', customerBody({ id, phone: id === 'cleared' ? '1' : null }))
    for (const id of ['erased', 'returned']) await client.put(`/api/customers/${id}`)
    await client.create('/api/customers', { id: 'namesake', ...anonymisedValues })
    await client.put('/api/customers/returned', { id: 'returned', name: 'Ann' })
    await client.create('/api/products', productBody({ id: 'plan', name: 'A' }))
    await client.create('/api/prices', priceBody({ id: 'monthly', product_id: 'plan', price: 1900 }))
    const customer = (fields: { readonly id: string; readonly name?: string }): Entry => [
      'customer',
      customerBody(fields),
    ]
    const price: Entry = ['price', priceBody({ id: 'monthly', product_id: 'plan', price: 2900 })]
    const rows: ExpectedRow[] = [
      { entry: customer({ id: 'same' }), predicted: 'unchanged', outcome: 'unchanged' },
      // Responses do not show that the phone number differs.
      { entry: customer({ id: 'cleared' }), predicted: 'unchanged', outcome: 'updated' },
      { entry: customer({ id: 'erased' }), predicted: 'unknown', outcome: 'conflict' },
      // Responses do not show that this customer was erased before an update.
      { entry: customer({ id: 'returned' }), predicted: 'updated', outcome: 'conflict' },
      { entry: customer({ id: 'namesake' }), predicted: 'unknown', outcome: 'updated' },
      { entry: customer({ id: 'new' }), predicted: 'created', outcome: 'created' },
      { entry: customer({ id: 'other', name: 'Bea' }), predicted: 'updated', outcome: 'updated' },
      { entry: ['customer', { id: 'same' }, true], predicted: 'conflict', outcome: 'conflict' },
      {
        entry: ['product', productBody({ id: 'plan', name: 'B' })],
        predicted: 'updated',
        outcome: 'updated',
      },
      { entry: price, predicted: 'conflict', outcome: 'conflict' },
    ]
    const contents = { 'rows.ndjson': ndjson(rows.map(({ entry }) => entry)) }
    const dryRun = await importContents(client, contents, '--update', '--dry-run')
    expect(dryRun.lines.map(({ outcome }) => outcome)).toEqual(rows.map(({ predicted }) => predicted))
    const run = await importContents(client, contents, '--update')
    expect(run.lines.map(({ outcome }) => outcome)).toEqual(rows.map(({ outcome }) => outcome))
    expect(await recordedEntity(client, 'customers', 'other')).toMatchObject({ name: 'Bea' })
    expect(await recordedEntity(client, 'customers', 'same')).toMatchObject({ name: 'Ann Example' })
  })

  it('sends a row that has changed since the report again, and every later row with its id', async () => {
    const files = writeFiles({ 'rows.ndjson': '' })
    /** Imports customers, given by id and name, from the same file with the same report. */
    const importCustomers = async (...names: readonly (readonly [id: string, name: string])[]) => {
      const rows = names.map(([id, name]): Entry => ['customer', customerBody({ id, name })])
      writeFileSync(files.paths[0]!, ndjson(rows))
      return (await importFiles(client, files, '--update', '--concurrency', '1')).counts
    }
    expect(await importCustomers(['a', 'A'], ['b', 'B'])).toMatchObject({ created: 2 })
    expect(await importCustomers(['a', 'A2'], ['b', 'B'])).toMatchObject({ updated: 1, resumed: 1 })
    expect(await importCustomers(['a', 'A2'], ['b', 'B'])).toMatchObject({ updated: 0, resumed: 2 })
    expect(await importCustomers(['a', 'A'], ['b', 'B'])).toMatchObject({ updated: 1, resumed: 1 })
    expect(reportedOutcomes(files.report)).toEqual({ 'customer a': 'updated', 'customer b': 'created' })
    const last = [['b', 'B'] as const, ['a', 'A4'] as const]
    expect(await importCustomers(['a', 'A3'], ...last)).toMatchObject({ updated: 2, resumed: 1 })
    expect(await importCustomers(['a', 'A5'], ...last)).toMatchObject({ updated: 2, resumed: 1 })
    expect(await recordedEntity(client, 'customers', 'a')).toMatchObject({ name: 'A4' })
    // A row that was sent without --update may differ from the customer as it is now.
    await importFiles(client, files)
    expect(await importCustomers(['a', 'A5'], ...last)).toMatchObject({ updated: 2, unchanged: 1 })
  })
})
