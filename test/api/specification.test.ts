import { anonymisedValues } from '../support/requests/bodies.ts'
import { type Client, newClient, serveForTests } from '../support/requests/service.ts'

/**
 * The statements of the specification, for a reader who compares it with this file: names and values are
 * taken from its text, and none is derived from the declarations of the service. Other files of this folder
 * test the rules of each field and all fields of a response (fields.test.ts, errors.test.ts), ids
 * (ids.test.ts), `limit` (errors.test.ts) and authentication (credentials.test.ts).
 */

serveForTests()

type Body = Readonly<Record<string, unknown>>

const product: Body = { id: 'pro', name: 'Pro' }
const everyMonth = { type: 'recurring', interval: 'month', interval_count: 1 }
const monthly = { title: 'Monthly', currency: 'EUR', price: 1900, ...everyMonth }
const setup = { currency: 'USD', price: 500, type: 'one_time' }
const shownOfPerson = { name: 'Ann Example', email: 'ann@example.org', metadata: { plan: 'pro', seats: 5 } }
const person: Body = {
  id: 'ann',
  ...shownOfPerson,
  description: 'Since the fair',
  created: '2024-02-29',
  phone: '+49 30 1',
}
const spring = { name: 'Spring', duration: 'repeating', percent_off: 10, currency: 'EUR' }
const gift = { name: 'Gift', duration: 'once', amount_off: 500, currency: 'USD' }
const invoice: Body = {
  id: '2024-001',
  total: 1710,
  created: '2024-03-01T00:00:00Z',
  period_start: '2024-03-01',
  period_end: '2024-04-01 00:00:00',
  currency: 'EUR',
  customer_id: 'ann',
  subscription_id: 'ann-pro',
}
const MARCH = 1709251200
const APRIL = 1711929600
const shownOfInvoice = {
  total: 1710,
  created: MARCH,
  period_start: MARCH,
  period_end: APRIL,
  currency: 'EUR',
  customer_id: expect.stringMatching(/^cus_/),
  subscription_id: expect.stringMatching(/^sub_/),
}
const lineItem = {
  id: 'line-1',
  amount: 1900,
  currency: 'EUR',
  quantity: 1,
  discount_amount: 190,
  tax_amount: 0,
  period_start: '2024-03-01',
  period_end: '2024-04-01',
  ...everyMonth,
}
const forInvoices = [
  ['customers', person],
  ['discounts', { id: 'spring', ...spring, duration_in_months: '3' }],
] as const

interface Create {
  readonly fields: string
  readonly body: Body
  readonly shown: object
}

interface Resource {
  readonly singular: string
  readonly plural: string
  readonly needs?: readonly (readonly [plural: string, body: Body])[]
  readonly creates: readonly [Create, ...Create[]]
}

const resources: readonly Resource[] = [
  {
    singular: 'product',
    plural: 'products',
    creates: [{ fields: 'all fields', body: product, shown: { name: 'Pro' } }],
  },
  {
    singular: 'price',
    plural: 'prices',
    needs: [['products', product]],
    creates: [
      {
        fields: 'all fields of a recurring price',
        body: { id: 'monthly', product_id: 'pro', ...monthly },
        shown: { ...monthly, tiered: false },
      },
      {
        fields: 'the required fields of a one-time price',
        body: { id: 'setup', product_id: 'pro', ...setup },
        shown: { ...setup, title: null, tiered: false, interval: null, interval_count: null },
      },
    ],
  },
  {
    singular: 'customer',
    plural: 'customers',
    creates: [
      { fields: 'all fields', body: person, shown: shownOfPerson },
      {
        fields: 'the required field',
        body: { id: 1042 },
        shown: { name: null, email: null, metadata: {} },
      },
    ],
  },
  {
    singular: 'discount',
    plural: 'discounts',
    creates: [
      {
        fields: 'a percentage and months as a string',
        body: { id: 'spring', ...spring, duration_in_months: '3' },
        shown: { ...spring, duration_in_months: 3, amount_off: null },
      },
      {
        fields: 'an amount',
        body: { id: 'gift', ...gift },
        shown: { ...gift, duration_in_months: null, percent_off: null },
      },
    ],
  },
  {
    singular: 'invoice',
    plural: 'invoices',
    needs: forInvoices,
    creates: [
      {
        fields: 'all fields',
        body: { ...invoice, discounts: ['spring'], line_items: [lineItem] },
        shown: shownOfInvoice,
      },
      { fields: 'the required fields', body: invoice, shown: shownOfInvoice },
    ],
  },
]

const clientWith = async (needs: Resource['needs'] = []): Promise<Client> => {
  const client = await newClient()
  for (const [plural, body] of needs) await client.create(`/api/${plural}`, body)
  return client
}

const onePage = { has_more: false, next_cursor: null, previous_cursor: null }
const rows = resources.flatMap(({ creates, ...resource }) =>
  creates.map((create) => ({ ...resource, ...create })),
)

it.each(rows)(
  '1 Envelopes and 2 Fields: POST /api/$plural with $fields and GET /api/$plural/{id} are 200 with the same $singular, which GET /api/$plural has in a list.',
  async ({ singular, plural, needs, body, shown }) => {
    const client = await clientWith(needs)
    const { status, json } = await client.post(`/api/${plural}`, body)
    expect({ status, json }).toEqual({
      status: 200,
      json: { data: { [singular]: expect.objectContaining(shown) } },
    })
    const entity = json.data[singular]
    expect((await client.get(`/api/${plural}/${entity.id}`)).json).toEqual(json)
    const list = { data: { [plural]: [entity] }, pagination: onePage }
    expect((await client.get(`/api/${plural}`)).json).toEqual(list)
  },
)

const lists = resources.flatMap(({ plural, ...resource }) =>
  plural === 'invoices'
    ? [plural, 'subscriptions'].map((list) => ({ ...resource, plural, list }))
    : [{ ...resource, plural, list: plural }],
)

it.each(lists)(
  '1 Pagination: GET /api/$list is an empty list at first; with next_cursor as cursor, which may be null, it is the following page, and with previous_cursor the previous one.',
  async ({ plural, list, needs, creates: [{ body }] }) => {
    const client = await clientWith(needs)
    const get = async (query: string) => (await client.get(`/api/${list}?${query}`)).json
    expect(await get('')).toEqual({ data: { [list]: [] }, pagination: onePage })
    for (const id of ['a', 'b', 'c']) {
      const ids = plural === 'invoices' ? { id, subscription_id: id } : { id }
      await client.create(`/api/${plural}`, { ...body, ...ids })
    }
    const { data } = await get('')
    const page = (from: number, to: number, pagination: object) => ({
      data: { [list]: data[list].slice(from, to) },
      pagination,
    })
    const cursor = expect.any(String)
    const first = await get('limit=2&cursor=null')
    expect(first).toEqual(page(0, 2, { has_more: true, next_cursor: cursor, previous_cursor: null }))
    const last = await get(`limit=2&cursor=${first.pagination.next_cursor}`)
    expect(last).toEqual(page(2, 3, { has_more: false, next_cursor: null, previous_cursor: cursor }))
    expect(await get(`limit=2&cursor=${last.pagination.previous_cursor}`)).toEqual(first)
  },
)

it.each(['customers/ann', 'customers/<customer_id>'])(
  '4 Customers: PUT /api/%s without a body replaces name and email by placeholders, and keeps metadata.',
  async (path) => {
    const client = await newClient()
    const { id } = await client.create('/api/customers', person)
    const { json } = await client.put(`/api/${path.replace('<customer_id>', id)}`)
    expect(json.data.customer).toMatchObject({ id, ...anonymisedValues, metadata: person.metadata })
    expect((await client.get(`/api/customers/${id}`)).json).toEqual(json)
  },
)

it('4 Customers: PUT /api/customers/{id} with the fields of a create returns the customer with their values.', async () => {
  const client = await newClient()
  const { id } = await client.create('/api/customers', { id: 'ann', name: 'A', metadata: { old: 1 } })
  expect((await client.put(`/api/customers/${id}`, person)).json.data.customer).toMatchObject(shownOfPerson)
})

it.each<[string, NonNullable<Resource['needs']>, string, object]>([
  [
    '4 Invoices: include is a comma-separated list of line_items, subscription and customer',
    [...forInvoices, ['invoices', { ...invoice, line_items: [lineItem] }]],
    'invoices/2024-001?include=line_items,subscription,customer',
    {
      line_items: [{ ...lineItem, period_start: MARCH, period_end: APRIL }],
      subscription: { id: expect.stringMatching(/^sub_/) },
      customer: shownOfPerson,
    },
  ],
  [
    '4 Products: include accepts prices',
    [
      ['products', product],
      ['prices', { id: 'monthly', product_id: 'pro', ...monthly }],
    ],
    'products/pro?include=prices',
    { prices: [monthly] },
  ],
])('%s, which are embedded.', async (_, needs, path, embedded) => {
  const { json } = await (await clientWith(needs)).get(`/api/${path}`)
  const [entity] = Object.values(json.data)
  expect(entity).toMatchObject(embedded)
})
