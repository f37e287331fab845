import { type Exchange, exchangesWith } from '../support/exchanges.ts'
import { newClient, serveForTests } from '../support/service.ts'
import { invoice, line, person, price, specified } from '../support/specified.ts'

/**
 * The statements of the specification, for a reader who holds it beside this file: names, types and values are those of
 * its text, and none is derived from what the service declares. Other files of this folder have the rules of each field
 * (fields.test.ts, rules.test.ts), ids (ids.test.ts), `limit` (errors.test.ts) and authentication (credentials.test.ts).
 */

serveForTests()

type Statement = [section: string, statement: string, exchanges: readonly Exchange[]]

const a = (singular: string, fields: object) => expect.objectContaining({ id: `<${singular}_id>`, ...fields })

const lists = [
  ...specified.map(({ singular, plural, needs, creates: [{ body }] }) => ({
    singular,
    plural,
    /** The creates of three entities of the list. */
    three: [
      ...needs,
      ...['a', 'b', 'c'].map((id) => ({ request: `POST /api/${plural}`, body: { ...body, id } })),
    ],
  })),
  {
    singular: 'subscription',
    plural: 'subscriptions',
    three: [
      ...invoice.needs,
      ...['a', 'b', 'c'].map((id) => ({
        request: 'POST /api/invoices',
        body: { ...invoice.creates[0].body, id, subscription_id: id },
      })),
    ],
  },
]

const ofLists = lists.flatMap(({ singular, plural, three }): Statement[] => {
  const path = `/api/${plural}`
  const page = (numbers: string[], pagination: object) => ({
    data: { [plural]: numbers.map((number) => a(singular, { id: `<${singular}_id${number}>` })) },
    pagination,
  })
  const [first, last] = [
    page(['_3', '_2'], { has_more: true, next_cursor: '<next_cursor>', previous_cursor: null }),
    page([''], { has_more: false, next_cursor: null, previous_cursor: '<previous_cursor>' }),
  ]
  return [
    [
      '1 Pagination',
      `GET ${path} is an empty list at first; with next_cursor as cursor, which may be null, it is the following page, and with previous_cursor the previous one.`,
      [
        {
          request: `GET ${path}`,
          response: page([], { has_more: false, next_cursor: null, previous_cursor: null }),
        },
        ...three,
        { request: `GET ${path}?limit=2&cursor=null`, response: first },
        { request: `GET ${path}?limit=2&cursor=<next_cursor>`, response: last },
        { request: `GET ${path}?limit=2&cursor=<previous_cursor>`, response: first },
      ],
    ],
  ]
})

const ofResources = specified.flatMap(({ singular, plural, needs, creates }) => {
  const path = `/api/${plural}`
  return creates.map(({ what, body, shown }): Statement => {
    const one = { data: { [singular]: a(singular, shown) } }
    return [
      '1 Envelopes and 2 Fields',
      `POST ${path} with ${what} and GET ${path}/{id} are 200 with the same ${singular}, which GET ${path} has in a list; its fields and their types are those of its table.`,
      [
        ...needs,
        { request: `POST ${path}`, body, response: one },
        { request: `GET ${path}/<${singular}_id>`, response: one },
        {
          request: `GET ${path}`,
          response: {
            data: { [plural]: [a(singular, shown)] },
            pagination: { has_more: false, next_cursor: null, previous_cursor: null },
          },
        },
      ],
    ]
  })
})

const created: Exchange = { request: 'POST /api/customers', body: person }
const { metadata } = person
const anonymous = { name: 'Anonymous customer', email: 'anonymous@anonymous.invalid', metadata }

const ofSome: Statement[] = [
  ...['ann', '<customer_id>'].map(
    (id): Statement => [
      '4 Customers',
      `PUT /api/customers/${id} without a body replaces name and email by placeholders, and keeps metadata.`,
      [
        created,
        { request: `PUT /api/customers/${id}`, response: { data: { customer: a('customer', anonymous) } } },
        {
          request: 'GET /api/customers/<customer_id>',
          response: { data: { customer: a('customer', anonymous) } },
        },
      ],
    ],
  ),
  [
    '4 Customers',
    'PUT /api/customers/{id} with the fields of a create returns the customer with their values.',
    [
      { request: 'POST /api/customers', body: { id: 'ann', name: 'A', metadata: { old: 1 } } },
      {
        request: 'PUT /api/customers/<customer_id>',
        body: person,
        response: { data: { customer: a('customer', { name: person.name, email: person.email, metadata }) } },
      },
    ],
  ],
  [
    '4 Invoices',
    'include is a comma-separated list of line_items, subscription and customer, which are embedded.',
    [
      ...invoice.needs,
      { request: 'POST /api/invoices', body: invoice.creates[0].body },
      {
        request: 'GET /api/invoices/<invoice_id>?include=line_items,subscription,customer',
        response: {
          data: {
            invoice: a('invoice', {
              line_items: [{ ...line, period_start: 1709251200, period_end: 1711929600 }],
              subscription: a('subscription', {}),
              customer: a('customer', { name: 'Ann Example' }),
            }),
          },
        },
      },
    ],
  ],
  [
    '4 Products',
    'include accepts prices, which are embedded.',
    [
      ...price.needs,
      { request: 'POST /api/prices', body: price.creates[0].body },
      {
        request: 'GET /api/products/<product_id>?include=prices',
        response: { data: { product: a('product', { prices: [a('price', { title: 'Monthly' })] }) } },
      },
    ],
  ],
]

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** Expects each entity in a response without includes to have exactly the fields of its resource, with their types. */
const expectFields = ({ data = {} }: { data?: Record<string, object | object[]> }): void => {
  for (const [name, shown] of Object.entries(data)) {
    const resource = specified.find(({ singular, plural }) => [singular, plural].includes(name))
    const fields = Object.entries(resource?.fields ?? {}).map(([field, types]) => [
      field,
      expect.stringMatching(`^(${types.replace(' or ', '|')})$`),
    ])
    for (const entity of resource ? [shown].flat() : []) {
      const types = Object.entries(entity).map(([field, value]) => [field, typeOf(value)])
      expect(Object.fromEntries(types)).toEqual(Object.fromEntries(fields))
    }
  }
}

const statements = [...ofLists, ...ofResources, ...ofSome].sort(([one], [other]) => one.localeCompare(other))

it.each(statements)('%s: %s', async (_, __, exchanges) => {
  const exchange = exchangesWith(await newClient())
  for (const each of exchanges) {
    const json = await exchange(each)
    if (!each.request.includes('include=')) expectFields(json)
  }
})
