import fc from 'fast-check'
import { serverIdFor } from '../../shared/ids.ts'
import { customerBody, discountBody, invoiceBody, priceBody, productBody } from '../support/bodies.ts'
import { type Entry, filesOf, importAs, linesOf, ndjson } from '../support/importing.ts'
import { forward } from '../support/lists.ts'
import { runs } from '../support/runs.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

const one = fc.constantFrom
const id = one('1', 1, '2', '3', '3 ')
/** An id that is usually known, sometimes unknown, and sometimes invalid. */
const reference = one('1', '2', '3', 1, 'nobody', '', 'sub_0123456789abcdefghijkl')
const name = one('A', 'A', 'B', 7)

const anonymous = { name: 'Anonymous customer', email: 'anonymous@anonymous.invalid' }

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
    .map(
      ({ phone, ...data }) =>
        ['customer', { ...customerBody({ ...data, phone }), ...anonymous }, true] as const,
    ),
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

describe('a dry run', () => {
  const outcomes = async (client: Client, drawn: readonly Entry[], ...more: string[]) => {
    const { paths, report } = filesOf({ 'rows.ndjson': ndjson(drawn) })
    await importAs(client, [...paths, '--report', report, ...more])
    const lines = drawn.length > 0 ? linesOf(report) : []
    return lines.map(({ row, outcome }) => `${row} ${outcome}`).sort()
  }

  const recordedBy = async (client: Client) => {
    const lists = ['products', 'prices', 'customers', 'discounts', 'invoices', 'subscriptions']
    const pages = await Promise.all(lists.map((plural) => forward(client, `/api/${plural}`)))
    return pages.flatMap((each) => each.flatMap(({ items }) => items))
  }

  it('predicts the outcome of every row, and records nothing', async () => {
    await fc.assert(
      fc.asyncProperty(file, file, one([], ['--update']), async (before, drawn, more) => {
        const client = await newClient()
        await outcomes(client, before)
        const recorded = await recordedBy(client)
        const said = await outcomes(client, drawn, '--dry-run', ...more)
        expect(await recordedBy(client)).toEqual(recorded)
        expect(said).toEqual(await outcomes(client, drawn, ...more))
      }),
      { numRuns: runs(6, 300), examples: [ofOthers] },
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
      return linesOf(report).map(({ row, errors }) => [row, ...errors])
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
