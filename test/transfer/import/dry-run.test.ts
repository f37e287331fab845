import fc from 'fast-check'
import { serverIdFor } from '../../../shared/ids.ts'
import { newApiKey } from '../../../shared/store/credentials.ts'
import { addApiKey } from '../../../tools/applications/api-keys.ts'
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
import { type Entry, filesOf, importAs, linesOf, ndjson } from '../importing.ts'

serveForTests()

const one = fc.constantFrom
const id = one('1', 1, '2', '3', '3 ')
/** An id that is usually known, sometimes unknown, and sometimes invalid. */
const reference = one('1', '2', '3', 1, 'nobody', '', 'sub_0123456789abcdefghijkl')
const name = one('A', 'A', 'B', 7)

const rows: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({ id, name }).map((data) => ['product', productBody(data)] as const),
  fc.record({ id, name }).map((data) => ['discount', discountBody(data)] as const),
  fc
    .record({
      id,
      name,
      metadata: one({ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 2 }),
      created: one('2024-01-01', '2024-01-01T00:00:00Z'),
    })
    .map((data) => ['customer', customerBody(data)] as const),
  fc
    .record({ id, metadata: one({}, { a: 1 }), phone: one('1', null) })
    .map((data) => ['customer', customerBody({ ...data, ...anonymisedValues }), true] as const),
  fc
    .record({ id, product_id: reference, currency: one('EUR', 'eur') })
    .map((data) => ['price', priceBody(data)] as const),
  fc
    .record({
      id,
      customer_id: reference,
      subscription_id: reference,
      total: one(1, 1, 2),
      discounts: fc.array(reference, { maxLength: 2 }),
      line_items: fc.array(fc.record({ amount: one(1, 2), price_id: reference }), { maxLength: 1 }),
    })
    .map((data) => ['invoice', invoiceBody(data)] as const),
)
const file = fc.array(rows, { maxLength: 25, size: 'max' })

const recorded = invoiceBody({ id: '1', customer_id: '1', subscription_id: '1' })
/** Invoices of a recorded subscription, of another customer's subscription, and of a customer who is not recorded yet. */
const ofOthers: [before: Entry[], drawn: Entry[], more: []] = [
  [
    ['customer', customerBody({ id: '1' })],
    ['customer', customerBody({ id: '2' })],
    ['invoice', recorded],
  ],
  [
    ['customer', customerBody({ id: 'new' })],
    ['invoice', { ...recorded, id: '3' }],
    ['invoice', { ...recorded, id: '2', customer_id: '2' }],
    ['invoice', { ...recorded, customer_id: 'new', subscription_id: 'new' }],
  ],
  [],
]

/** Entities whose references responses show only with includes, each once as it is recorded and once with another reference. */
const hidden = (): [before: Entry[], drawn: Entry[], more: []] => {
  const twins: Entry[] = ['1', '2'].flatMap((id): Entry[] => [
    ['product', productBody({ id })],
    ['discount', discountBody({ id })],
    ['price', priceBody({ id, product_id: '1' })],
  ])
  const billed = (id: string, discount: string, price_id: string | null): Entry => {
    const line_items = [{ amount: 1, price_id }]
    return ['invoice', { ...recorded, id, discounts: [discount], line_items }]
  }
  const same = [...twins, billed('a', '1', '1'), billed('b', '1', '1'), billed('c', '1', '1')]
  const other: Entry[] = [
    ['price', priceBody({ id: '2', product_id: '2' })],
    billed('a', '2', '1'),
    billed('b', '1', '2'),
    billed('c', '1', null),
  ]
  return [[['customer', customerBody({ id: '1' })], ...same], [...same, ...other], []]
}

/** Returns the key of an application that can only read. */
const readOnly = async ({ credentials }: Client): Promise<Client> => {
  const { app_id } = credentials
  const { api_key } = await addApiKey(app_id, { apiKey: newApiKey({ isReadOnly: true }) })
  return clientOf({ app_id, api_key })
}

describe('a dry run', () => {
  const outcomes = async (client: Client, drawn: readonly Entry[], ...more: string[]) => {
    const { paths, report } = filesOf({ 'rows.ndjson': ndjson(drawn) })
    await importAs(client, [...paths, '--report', report, ...more])
    const lines = drawn.length > 0 ? linesOf(report) : []
    return lines.map(({ row, outcome }) => `${row} ${outcome}`).sort()
  }

  const recordedBy = async (client: Client) => {
    const lists = ['products', 'prices', 'customers', 'discounts', 'invoices', 'subscriptions']
    const pages = await Promise.all(lists.map((plural) => readPages(client, `/api/${plural}`)))
    return pages.flatMap((each) => each.flatMap(({ items }) => items))
  }

  it('predicts the outcome of every row, and records nothing', async () => {
    await fc.assert(
      fc.asyncProperty(file, file, one([], ['--update']), async (before, drawn, more) => {
        const client = await newClient()
        await outcomes(client, before)
        const recorded = await recordedBy(client)
        const said = await outcomes(client, drawn, '--dry-run', ...more)
        const saidByReader = await outcomes(await readOnly(client), drawn, '--dry-run', ...more)
        expect(await recordedBy(client)).toEqual(recorded)
        const found = await outcomes(client, drawn, ...more)
        expect(saidByReader).toEqual(said)
        const unknown = new Set(
          said.filter((line) => line.endsWith(' unknown')).map((line) => Number.parseInt(line, 10)),
        )
        for (const row of unknown) expect(['customer', 'product', 'discount']).toContain(drawn[row - 1]![0])
        const known = (lines: readonly string[]) =>
          lines.filter((line) => !unknown.has(Number.parseInt(line, 10)))
        expect(known(said)).toEqual(known(found))
      }),
      { numRuns: runs(6, 300), examples: [ofOthers, hidden()] },
    )
  })

  it('refuses an id that the service has assigned, or would have assigned by then, as a real run does', async () => {
    const client = await newClient()
    const [recorded, drawn] = ['a', 'b'].map((id) => serverIdFor(client.credentials.app_id, 'cus', id))
    await client.create('/api/customers', customerBody({ id: 'a' }))
    const rows = ['b', recorded, drawn].map((id): Entry => ['customer', customerBody({ id })])
    const errorsOf = async (...more: string[]) => {
      const { paths, report } = filesOf({ 'rows.ndjson': ndjson(rows) })
      await importAs(client, [...paths, '--report', report, '--concurrency', '1', ...more])
      const lines = linesOf(report).sort((a, b) => a.row - b.row)
      return lines.map(({ row, errors }) => [row, ...errors])
    }
    const said = await errorsOf('--dry-run')
    expect(said.flat().filter((each) => /assigned to customer "[ab]"/.test(String(each)))).toHaveLength(2)
    expect(said).toEqual(await errorsOf())
  })

  it('records nothing, even if a client uses the id that the service would assign to another entity', async () => {
    const client = await newClient()
    const id = serverIdFor(client.credentials.app_id, 'cus', 'x')
    await client.create('/api/customers', customerBody({ id }))
    const recorded = await recordedBy(client)
    const drawn: Entry[] = [
      ['customer', customerBody({ id: 'x' })],
      ['invoice', invoiceBody({ id: 'i', customer_id: 'x', subscription_id: 's' })],
    ]
    expect(await outcomes(client, drawn, '--dry-run')).toEqual(['1 created', '2 created'])
    expect(await recordedBy(client)).toEqual(recorded)
    expect(await outcomes(client, drawn)).toEqual(['1 created', '2 created'])
  })
})
