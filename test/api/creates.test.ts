import { forgetInstants } from '../../shared/clock.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  lineItem,
  priceBody,
  productBody,
} from '../support/bodies.ts'
import { type ApiResponse, type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
  await client.create('/api/products', productBody({ id: 'product' }))
  await client.create('/api/products', productBody({ id: 'other product' }))
  await client.create('/api/customers', customerBody({ id: 'customer' }))
  await client.create('/api/discounts', discountBody({ id: 'discount' }))
})

type Fields = Record<string, unknown>
interface Kind {
  readonly path: string
  readonly body: (fields?: Fields) => Fields & { id: unknown }
  /** A body with all fields, and an equivalent body in other spellings. */
  readonly full: Fields
  readonly spelling: Fields
  /** Different content, by the field with another value. */
  readonly others: Fields
}

const metadata = { b: [1, { c: null }], a: 0, constructor: 1e300 }
const kinds: Record<string, Kind> = {
  product: {
    path: '/api/products',
    body: productBody,
    full: {},
    spelling: {},
    others: { name: 'Other' },
  },
  price: {
    path: '/api/prices',
    body: (fields) => priceBody({ product_id: 'product', ...fields }),
    full: { title: 'Monthly', tiered: false, price: 0 },
    spelling: { currency: 'eur', tiered: null },
    others: {
      product_id: 'other product',
      title: 'Other',
      currency: 'USD',
      price: 1,
      tiered: true,
      interval: 'week',
      interval_count: 2,
    },
  },
  customer: {
    path: '/api/customers',
    body: customerBody,
    full: { description: 'text', created: '2024-01-01', phone: '1', metadata },
    spelling: {
      created: '2024-01-01T01:00:00+01:00',
      metadata: { constructor: 1e300, a: 0, b: [1, { c: null }] },
    },
    others: {
      name: null,
      email: 'other@example.org',
      description: 'other',
      created: '2024-01-02',
      phone: null,
      metadata: { ...metadata, a: '0' },
    },
  },
  discount: {
    path: '/api/discounts',
    body: (fields) => discountBody({ duration: 'repeating', duration_in_months: 3, ...fields }),
    full: {},
    spelling: { duration_in_months: '03', currency: 'eur', amount_off: null },
    others: { name: 'Other', duration_in_months: 4, percent_off: 11, currency: 'USD' },
  },
  invoice: {
    path: '/api/invoices',
    body: (fields) => invoiceBody({ customer_id: 'customer', subscription_id: 'subscription', ...fields }),
    full: { total: 0, discounts: ['discount'], line_items: [lineItem({ id: 'a', amount: 0 }), {}] },
    spelling: {
      total: 0,
      created: '2024-01-01 00:00:00',
      line_items: [lineItem({ id: 'a', amount: 0 }), { id: null }],
    },
    others: {
      total: 1,
      created: '2024-01-02',
      period_start: '2023-12-31',
      period_end: '2024-02-02',
      currency: 'USD',
      subscription_id: 'other subscription',
      discounts: null,
      line_items: [{}, lineItem({ id: 'a' })],
    },
  },
}
const entityOf = ({ json }: ApiResponse) => Object.values(json.data)[0]

describe.each(Object.entries(kinds))('creating a %s again', (_, { path, body, full, spelling, others }) => {
  it('with the same content returns the existing entity, marked as a replay', async () => {
    const sent = body(full)
    const created = await client.post(path, sent)
    expect([created.status, created.headers.get('idempotent-replayed')]).toEqual([200, null])
    for (const again of [sent, { ...sent, ...spelling }]) {
      const response = await client.post(path, again)
      expect([response.details, response.headers.get('idempotent-replayed')]).toEqual([[], 'true'])
      expect(entityOf(response)).toEqual(entityOf(created))
    }
  })

  it.each(Object.keys(others))(
    'with a different %s is a conflict that names the field and the id',
    async (field) => {
      const sent = body(full)
      const first = await client.create(path, sent)
      const { status, details } = await client.post(path, { ...sent, [field]: others[field] })
      const conflict = new RegExp(`^id .* ${first.id}, created with other values of: ${field}\\.$`)
      expect([status, details]).toEqual([409, [expect.stringMatching(conflict)]])
      expect(entityOf(await client.get(`${path}/${first.id}`))).toEqual(first)
    },
  )

  it('names all fields that differ', async () => {
    const sent = body(full)
    await client.create(path, sent)
    const { details } = await client.post(path, { ...sent, ...others })
    const [, named = ''] = /of: (.*)\.$/.exec(details[0]!) ?? []
    expect(named.split(', ').sort()).toEqual(Object.keys(others).sort())
  })
})

describe('creating again', () => {
  it('is a replay even if another process records the same entity at the same moment', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.now())
    const body = customerBody()
    const responses: ApiResponse[] = []
    for (let process = 0; process < 2; process += 1) {
      forgetInstants()
      responses.push(await client.post('/api/customers', body))
    }
    expect(responses.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    jest.restoreAllMocks()
  })

  it('treats -0 as 0', async () => {
    const send = (n: string) => [
      client.post('/api/customers', '', { raw: `{"id":"zero","metadata":{"n":[${n}]}}` }),
      client.post('/api/prices', '', {
        raw: `{"id":"zero","product_id":"product","currency":"EUR","price":${n},"type":"one_time"}`,
      }),
    ]
    for (const n of ['-0', '-0', '0', '-0.0e3'])
      expect((await Promise.all(send(n))).map(({ status }) => status)).toEqual([200, 200])
  })

  it('treats both ids of all references of an invoice as equal', async () => {
    const customer = entityOf(await client.get('/api/customers/customer')) as { id: string }
    const discount = entityOf(await client.get('/api/discounts/discount')) as { id: string }
    const names = { customer_id: 'customer', subscription_id: 'subscription', discounts: ['discount'] }
    const body = invoiceBody({ ...names, line_items: [{}] })
    const invoice = await client.create('/api/invoices', body)
    const { subscription_id } = invoice
    const ours = { customer_id: customer.id, subscription_id, discounts: [discount.id] }
    for (const same of [
      ours,
      { subscription_id },
      { customer_id: customer.id },
      { discounts: [discount.id] },
    ])
      expect(await client.create('/api/invoices', { ...body, ...same })).toEqual(invoice)
  })
})
