import { customerBody, invoiceBody, lineItem, priceBody, productBody } from '../support/bodies.ts'
import { dateTexts } from '../support/date-texts.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

/** The spellings in which clients of other languages send the same values. */

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
  await client.create('/api/customers', customerBody({ id: 'customer' }))
  await client.create('/api/products', productBody({ id: 'product' }))
})

const lines = [lineItem({ id: '7', period_start: '2026-02-01T08:30:00Z' })]
const invoice = invoiceBody({
  id: 'invoice',
  customer_id: 'customer',
  subscription_id: 'subscription',
  created: '2026-02-01T08:30:00Z',
  period_start: '2026-02-01T08:30:00Z',
  period_end: '2026-02-01T08:30:00Z',
  line_items: lines,
})
const price = priceBody({
  id: 'price',
  product_id: 'product',
  type: 'one_time',
  interval: null,
  interval_count: null,
})
const person = { id: 'person', name: 'Ann Example' }

/** A create, and fields that mean the same in another spelling. */
type Row = [what: string, path: string, body: object, spelling: object]

const dates = dateTexts.map(([from, text]): Row => {
  const line_items = [{ ...lines[0], period_start: text }]
  return [from, '/api/invoices', invoice, { created: text, period_start: text, period_end: text, line_items }]
})

it.each<Row>([
  ...dates,
  ['the id of a line as an integer', '/api/invoices', invoice, { line_items: [{ ...lines[0], id: 7 }] }],
  [
    'empty texts in a line',
    '/api/invoices',
    invoice,
    { line_items: [{ ...lines[0], period_end: '', tax_amount: '', discount_amount: null }] },
  ],
  ['a currency in lower case', '/api/invoices', invoice, { currency: 'eur' }],
  ['empty texts for no interval', '/api/prices', price, { interval: '', interval_count: '', tiered: '' }],
  ['an empty text for no date', '/api/customers', person, { created: '' }],
  ['an empty list for no metadata', '/api/customers', person, { metadata: [] }],
])(
  'records %s as it does the usual spelling, and takes one for the retry of the other',
  async (_, path, body, spelling) => {
    const first = await client.create(path, body)
    const again = await client.post(path, { ...body, ...spelling })
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
    expect(Object.values(again.json.data)).toEqual([first])
    const other = await client.create(path, { ...body, ...spelling, id: `other ${crypto.randomUUID()}` })
    expect({ ...other, id: first.id }).toEqual(first)
  },
)

it.each(['HRK', 'DEM', 'LTL', 'ANG', 'BGN'])('accepts an invoice of the past in %s', async (currency) => {
  const body = invoiceBody({ customer_id: 'customer', currency, line_items: [lineItem({ currency })] })
  expect(await client.create('/api/invoices', body)).toMatchObject({ currency })
})
