import {
  customerBody,
  discountBody,
  invoiceBody,
  lineItem,
  priceBody,
  productBody,
} from '../support/bodies.ts'
import { type Answer, type Client, newClient, serveForTests } from '../support/service.ts'

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
  /** Different content for each number. */
  readonly numbered: (n: number) => Fields
}

const metadata = { b: [1, { c: null }], a: 0, constructor: 1e300 }
const kinds: Record<string, Kind> = {
  product: {
    path: '/api/products',
    body: productBody,
    full: {},
    spelling: {},
    others: { name: 'Other' },
    numbered: (n) => ({ name: `Number ${n}` }),
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
    numbered: (n) => ({ price: n }),
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
    numbered: (n) => ({ metadata: { n } }),
  },
  discount: {
    path: '/api/discounts',
    body: (fields) => discountBody({ duration: 'repeating', duration_in_months: 3, ...fields }),
    full: {},
    spelling: { duration_in_months: '03', currency: 'eur', amount_off: null },
    others: { name: 'Other', duration_in_months: 4, percent_off: 11, currency: 'USD' },
    numbered: (n) => ({ percent_off: n + 1 }),
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
    numbered: (n) => ({ line_items: [lineItem({ amount: n })] }),
  },
}
const rows = Object.keys(kinds)
const entityOf = ({ json }: Answer) => Object.values(json.data)[0]
const times = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => of(n))

describe.each(rows)('creating a %s again (I4)', (name) => {
  const { path, body, full, spelling, others, numbered } = kinds[name] as Kind

  it('with the same content returns the existing entity', async () => {
    const sent = body(full)
    const first = await client.create(path, sent)
    for (const again of [sent, { ...sent, ...spelling }]) {
      const { status, json, details } = await client.post(path, again)
      expect({ status, details, entity: entityOf({ json } as Answer) }).toEqual({
        status: 200,
        details: [],
        entity: first,
      })
    }
  })

  it.each(Object.keys(others))('with another %s is a conflict that names it and the id', async (field) => {
    const sent = body(full)
    const first = await client.create(path, sent)
    const { status, json, details } = await client.post(path, { ...sent, [field]: others[field] })
    expect({ status, title: json.errors[0].title, count: details.length }).toEqual({
      status: 409,
      title: 'Conflict',
      count: 1,
    })
    expect(details[0]).toMatch(/^id\b/)
    expect(details[0]).toContain(first.id)
    expect(details[0]?.split('of: ')[1]?.replace('.', '')).toBe(field)
    expect(entityOf(await client.get(`${path}/${first.id}`))).toEqual(first)
  })

  it('names all fields that differ', async () => {
    const sent = body(full)
    await client.create(path, sent)
    const { details } = await client.post(path, { ...sent, ...others })
    expect(details[0]?.split('of: ')[1]?.replace('.', '').split(', ').sort()).toEqual(
      Object.keys(others).sort(),
    )
  })

  it('20 times at once creates one entity', async () => {
    const sent = body(full)
    const answers = await Promise.all(times(20, () => client.post(path, sent)))
    expect(answers.map(({ status }) => status)).toEqual(times(20, () => 200))
    expect(new Set(answers.map((answer) => JSON.stringify(entityOf(answer)))).size).toBe(1)
  })

  it('20 times at once with other content has one winner', async () => {
    const sent = body(full)
    const bodies = times(20, (n) => ({ ...sent, ...numbered(n) }))
    const answers = await Promise.all(bodies.map((each) => client.post(path, each)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...times(19, () => 409)])
    const winner = entityOf(answers.find(({ status }) => status === 200) as Answer) as { id: string }
    expect(entityOf(await client.get(`${path}/${winner.id}`))).toEqual(winner)
  })
})
