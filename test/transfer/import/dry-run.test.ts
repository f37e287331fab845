import fc from 'fast-check'
import { serverIdFor } from '../../../shared/ids.ts'
import { customer } from '../../../shared/resources/customer.ts'
import { newApiKey } from '../../../shared/store/credentials.ts'
import { addApiKey } from '../../../tools/applications/api-keys.ts'
import { PredictedEntities } from '../../../tools/transfer/import/predicted-entities.ts'
import type { ImportService } from '../../../tools/transfer/import/service.ts'
import { openRunDatabase } from '../../../tools/transfer/run-database.ts'
import {
  anonymisedValues,
  customerBody,
  discountBody,
  invoiceBody,
  priceBody,
  productBody,
} from '../../support/requests/bodies.ts'
import { readPages } from '../../support/requests/list-pages.ts'
import { type Client, clientOf, newClient, serveForTests } from '../../support/requests/service.ts'
import { runs } from '../../support/runs.ts'
import { type Entry, importContents, ndjson } from '../importing.ts'

serveForTests()

const id = fc.constantFrom('1', 1, '2', '3', '3 ')
/** An id that is usually recorded, sometimes unknown, and sometimes invalid. */
const reference = fc.constantFrom('1', '2', '3', 1, 'nobody', '', 'sub_0123456789abcdefghijkl')
const name = fc.constantFrom('A', 'A', 'B', 7)

const entry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({ id, name }).map((data) => ['product', productBody(data)] as const),
  fc.record({ id, name }).map((data) => ['discount', discountBody(data)] as const),
  fc
    .record({
      id,
      name,
      metadata: fc.constantFrom({ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 2 }),
      created: fc.constantFrom('2024-01-01', '2024-01-01T00:00:00Z'),
    })
    .map((data) => ['customer', customerBody(data)] as const),
  fc
    .record({ id, metadata: fc.constantFrom({}, { a: 1 }), phone: fc.constantFrom('1', null) })
    .map((data) => ['customer', customerBody({ ...data, ...anonymisedValues }), true] as const),
  fc
    .record({ id, product_id: reference, currency: fc.constantFrom('EUR', 'eur') })
    .map((data) => ['price', priceBody(data)] as const),
  fc
    .record({
      id,
      customer_id: reference,
      subscription_id: reference,
      total: fc.constantFrom(1, 1, 2),
      discounts: fc.array(reference, { maxLength: 2 }),
      line_items: fc.array(fc.record({ amount: fc.constantFrom(1, 2), price_id: reference }), {
        maxLength: 1,
      }),
    })
    .map((data) => ['invoice', invoiceBody(data)] as const),
)
const entries = fc.array(entry, { minLength: 1, maxLength: 25, size: 'max' })

/** The rows that are imported first, the rows of the dry run, and the options of the dry run. */
type Example = [before: Entry[], predicted: Entry[], options: string[]]

const recordedInvoice = invoiceBody({ id: '1', customer_id: '1', subscription_id: '1' })

/** Invoices of a recorded subscription, of another customer's subscription, and of a customer who is not recorded yet. */
const subscriptionsOfOthers: Example = [
  [
    ['customer', customerBody({ id: '1' })],
    ['customer', customerBody({ id: '2' })],
    ['invoice', recordedInvoice],
  ],
  [
    ['customer', customerBody({ id: 'new' })],
    ['invoice', { ...recordedInvoice, id: '3' }],
    ['invoice', { ...recordedInvoice, id: '2', customer_id: '2' }],
    ['invoice', { ...recordedInvoice, customer_id: 'new', subscription_id: 'new' }],
  ],
  [],
]

/** Invoices of a subscription that the first of them starts, the last for another customer. */
const startedSubscription: Example = [
  subscriptionsOfOthers[0],
  ['1', '1', '2'].map((customer_id, index) => [
    'invoice',
    { ...recordedInvoice, id: `of ${index}`, customer_id, subscription_id: 'started' },
  ]),
  [],
]

/** Customers with the values of an anonymised one, who are and are not anonymised, one after the other. */
const erasedAndNot = (...options: string[]): Example => {
  const row = (id: string, metadata: object, ...erased: [true?]): Entry => [
    'customer',
    customerBody({ id, metadata, ...anonymisedValues }),
    ...erased,
  ]
  return [
    [],
    [
      row('1', {}),
      row('1', {}, true),
      row('2', {}, true),
      row('2', {}),
      row('3', {}, true),
      row('3', { a: 1 }, true),
    ],
    options,
  ]
}

/** Entities whose references responses show only with includes: each as it is recorded, and with another reference. */
const hiddenReferences = (): Example => {
  const referenced = ['1', '2'].flatMap((id): Entry[] => [
    ['product', productBody({ id })],
    ['discount', discountBody({ id })],
    ['price', priceBody({ id, product_id: '1' })],
  ])
  const invoice = (id: string, discount: string, price_id: string | null): Entry => {
    const line_items = [{ amount: 1, price_id }]
    return ['invoice', { ...recordedInvoice, id, discounts: [discount], line_items }]
  }
  const same = [...referenced, invoice('a', '1', '1'), invoice('b', '1', '1'), invoice('c', '1', '1')]
  const other: Entry[] = [
    ['price', priceBody({ id: '2', product_id: '2' })],
    invoice('a', '2', '1'),
    invoice('b', '1', '2'),
    invoice('c', '1', null),
  ]
  return [[['customer', customerBody({ id: '1' })], ...same], [...same, ...other], []]
}

const readOnly = async ({ credentials }: Client): Promise<Client> => {
  const { app_id } = credentials
  const { api_key } = await addApiKey(app_id, { apiKey: newApiKey({ isReadOnly: true }) })
  return clientOf({ app_id, api_key })
}

const plurals = ['products', 'prices', 'customers', 'discounts', 'invoices', 'subscriptions']

const recordedEntities = async (client: Client): Promise<unknown[]> => {
  const lists = await Promise.all(plurals.map((plural) => readPages(client, `/api/${plural}`)))
  return lists.flat().flatMap(({ items }) => items)
}

interface RowOutcome {
  readonly row: number
  readonly outcome: string
}

const outcomesOf = async (
  client: Client,
  imported: readonly Entry[],
  ...options: string[]
): Promise<RowOutcome[]> => {
  const { lines } = await importContents(client, { 'rows.ndjson': ndjson(imported) }, ...options)
  return lines.map(({ row, outcome }) => ({ row, outcome }))
}

describe('a dry run', () => {
  it('predicts the outcome of every row, and records nothing', async () => {
    const options = fc.constantFrom<string[]>([], ['--update'])
    await fc.assert(
      fc.asyncProperty(fc.option(entries, { nil: [] }), entries, options, async (before, drawn, more) => {
        const client = await newClient()
        if (before.length > 0) await outcomesOf(client, before)
        const recorded = await recordedEntities(client)
        const predicted = await outcomesOf(client, drawn, '--dry-run', ...more)
        const predictedByReader = await outcomesOf(await readOnly(client), drawn, '--dry-run', ...more)
        expect(await recordedEntities(client)).toEqual(recorded)
        expect(predictedByReader).toEqual(predicted)
        const unknownRows = predicted.filter(({ outcome }) => outcome === 'unknown').map(({ row }) => row)
        for (const row of unknownRows)
          expect(['customer', 'product', 'discount']).toContain(drawn[row - 1]![0])
        const found = await outcomesOf(client, drawn, ...more)
        const isKnown = ({ row }: RowOutcome) => !unknownRows.includes(row)
        expect(predicted.filter(isKnown)).toEqual(found.filter(isKnown))
      }),
      {
        numRuns: runs(6, 300),
        examples: [
          subscriptionsOfOthers,
          startedSubscription,
          erasedAndNot(),
          erasedAndNot('--update'),
          hiddenReferences(),
        ],
      },
    )
  })

  it('refuses an id that the service has assigned, or would have assigned by then, like an import', async () => {
    const client = await newClient()
    const assignedTo = (id: string) => serverIdFor(client.credentials.app_id, 'cus', id)
    await client.create('/api/customers', customerBody({ id: 'recorded' }))
    const rows = ['new', assignedTo('recorded'), assignedTo('new')].map(
      (id): Entry => ['customer', customerBody({ id })],
    )
    const contents = { 'rows.ndjson': ndjson(rows) }
    const predicted = await importContents(client, contents, '--concurrency', '1', '--dry-run')
    expect(predicted.errors).toEqual([
      expect.stringContaining('assigned to customer "recorded"'),
      expect.stringContaining('assigned to customer "new"'),
    ])
    const imported = await importContents(client, contents, '--concurrency', '1')
    expect(imported.errors).toEqual(predicted.errors)
  })

  it('predicts an update from the state after the earlier rows', async () => {
    const client = await newClient()
    await client.create('/api/customers', customerBody({ id: '1', name: 'A' }))
    const rows = ['B', 'B', 'A', 'A'].map((name): Entry => ['customer', customerBody({ id: '1', name })])
    const predicted = await outcomesOf(client, rows, '--update', '--dry-run', '--concurrency', '1')
    expect(predicted.map(({ outcome }) => outcome)).toEqual(['updated', 'unchanged', 'updated', 'unchanged'])
    expect(await outcomesOf(client, rows, '--update', '--concurrency', '1')).toEqual(predicted)
  })

  it('does not know the outcome of a row with other names, which an update may have changed', async () => {
    const client = await newClient()
    const named = (name: string): Entry[] => [
      ['customer', customerBody({ id: '1', name })],
      ['product', productBody({ id: '1', name })],
    ]
    await outcomesOf(client, named('A'))
    await outcomesOf(client, named('B'), '--update')
    const predicted = await outcomesOf(client, named('A'), '--dry-run')
    expect(predicted.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown'])
    const imported = await outcomesOf(client, named('A'))
    expect(imported.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged'])
  })

  it('is right if a client uses an id that the service would assign to another entity', async () => {
    const client = await newClient()
    const id = serverIdFor(client.credentials.app_id, 'cus', 'x')
    await client.create('/api/customers', customerBody({ id }))
    const recorded = await recordedEntities(client)
    const rows: Entry[] = [
      ['customer', customerBody({ id: 'x' })],
      ['invoice', invoiceBody({ id: 'i', customer_id: 'x', subscription_id: 's' })],
    ]
    const created = [
      { row: 1, outcome: 'created' },
      { row: 2, outcome: 'created' },
    ]
    expect(await outcomesOf(client, rows, '--dry-run')).toEqual(created)
    expect(await recordedEntities(client)).toEqual(recorded)
    expect(await outcomesOf(client, rows)).toEqual(created)
  })
})

it('keeps what another row has predicted while an entity is read', async () => {
  const { promise: response, resolve: respond } = Promise.withResolvers<undefined>()
  const service = { find: () => response } as unknown as ImportService
  const entities = new PredictedEntities(service, await openRunDatabase())
  const id = serverIdFor('app', customer.prefix, '1')
  const read = entities.read(id)
  const predicted = { externalId: '1', content: {} }
  entities.set(id, predicted)
  respond(undefined)
  expect(await read).toEqual(predicted)
  expect(await entities.read(id)).toEqual(predicted)
})
