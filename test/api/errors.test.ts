import { catalogue } from '../../shared/catalogue.ts'
import { range } from '../support/range.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  objectWithKeys,
  priceBody,
  productBody,
} from '../support/requests/bodies.ts'
import { endpointNamed } from '../support/requests/endpoints.ts'
import { expectInvalid } from '../support/requests/invalid-requests.ts'
import { readPage } from '../support/requests/list-pages.ts'
import { rawCallAs } from '../support/requests/raw-http.ts'
import { clientForTests, serveForTests } from '../support/requests/service.ts'

serveForTests()

const client = clientForTests()
beforeAll(async () => {
  await client.create('/api/customers', customerBody({ id: 'known' }))
  await client.create('/api/invoices', invoiceBody({ customer_id: 'known' }))
})

const { body } = endpointNamed('customers.create')
const knownFields = `use one of: ${Object.keys(body!.properties).join(', ')}.`

it.each([
  ['the name of a method of every object', { toString: 1 }, `toString is not a field here; ${knownFields}`],
  ['the empty name with a null', { '': null }, `[""] is not a field here; ${knownFields}`],
])('refuses %s as an unknown field', async (_, fields, detail) => {
  const create = await client.post('/api/customers', customerBody(fields))
  const update = await client.put('/api/customers/known', { id: 'known', ...fields })
  for (const response of [create, update]) expect(response).toMatchObject({ status: 422, details: [detail] })
})

it.each([
  ['/api/customers?=2', 'query', 'is not a query parameter'],
  ['/api/customers?toString=1', 'toString', 'use one of'],
  ['/api/products?include=prices,toString', 'include', '"toString"'],
])('refuses an unknown name in the query of GET %s', async (path, name, expectedText) => {
  const response = await client.get(path)
  expectInvalid(response, name)
  expect(response.details[0]).toContain(expectedText)
})

it.each(['gzip', 'br', 'deflate, gzip'])(
  'refuses a PUT without a body with content-encoding %s, and erases nothing',
  async (encoding) => {
    // The deployed gateway decompresses a body of nothing into no body at all.
    const headers = ['content-encoding', encoding]
    const response = await rawCallAs(client, { method: 'PUT', path: '/api/customers/known', headers })
    expect(response.status).toBe(415)
    expect((await client.get('/api/customers/known')).json.data.customer.name).toBe('Ann Example')
  },
)

const listPaths = catalogue.filter(({ operation }) => operation === 'list').map(({ path }) => path)
it.each(listPaths)(
  'responds to GET %s/ as to the retrieve of an empty id, not with the list',
  async (path) => {
    for (const suffix of ['/', '//', '/?limit=5'])
      expect(await client.get(`${path}${suffix}`)).toMatchObject({
        status: 404,
        details: [`The id after ${path}/ is empty; the list is at ${path}.`],
      })
  },
)

it('refuses a PUT without a body that has an unknown parameter, and erases nothing', async () => {
  expectInvalid(await client.call('PUT', '/api/customers/known?keep=name'), 'keep')
  expect((await client.get('/api/customers/known')).json.data.customer.name).toBe('Ann Example')
})

it.each([' 5', '5 ', ...'0 101 -1 1.0 1e1 +5 0x10 05 ten ٣ 1,2 undefined 99999'.split(' ')])(
  'refuses limit=%s',
  async (limit) => {
    expectInvalid(await client.get(`/api/products?limit=${encodeURIComponent(limit)}`), 'limit')
  },
)

it.each(['limit=1', 'limit=100', 'limit=', 'limit=null', 'cursor', 'cursor=', 'cursor=null&limit=null'])(
  'accepts ?%s',
  async (query) => {
    const { items } = await readPage(client, '/api/customers')
    expect((await client.get(`/api/customers?${query}`)).json.data.customers).toEqual(items)
  },
)

it.each([
  ['limit', ['limit=5&limit=5', 'limit=5&limit=null', 'limit=&limit=5', 'limit=&limit=']],
  ['cursor', ['cursor=a&cursor=b', 'cursor=null&cursor=null']],
  ['include', ['include=prices&include=lines']],
])('refuses %s given twice', async (name, queries) => {
  for (const query of queries) expectInvalid(await client.get(`/api/products?${query}`), name)
})

it.each([
  ['line_items,line_items', ['line_items']],
  ['%20line_items%20,customer,+customer', ['line_items', 'customer']],
  ['customer&include=&include=line_items,customer&include=null', ['line_items', 'customer']],
  ['line_items,', ['line_items']],
  [',customer,%20,line_items,,', ['line_items', 'customer']],
  [',', []],
  ['', []],
  ['null', []],
])('embeds each entity that include=%s names once', async (include, embedded) => {
  const [plain] = (await client.get('/api/invoices')).json.data.invoices
  const [invoice] = (await client.get(`/api/invoices?include=${include}`)).json.data.invoices
  expect(Object.keys(invoice).sort()).toEqual([...Object.keys(plain), ...embedded].sort())
})

it('reports all errors of query and body at once, before it looks up the id in the path', async () => {
  for (const id of ['nobody', 'x'.repeat(256)]) {
    const response = await client.put(`/api/customers/${id}?a=1&b=2`, { name: 1, nmae: 'x' })
    expectInvalid(response, 'a', 'b', 'id', 'name', 'nmae')
  }
})

it('reports one error for each value, however many rules it breaks', async () => {
  const inexact = '9007199254740993'
  const response = await client.call('POST', '/api/customers', {
    raw: `{"id":"1","metadata":{"__proto__":1},"name":${inexact},"name":${inexact},"email":1,"email":2}`,
  })
  expectInvalid(response, 'metadata.__proto__', 'name', 'email')
})

it('reports at most 50 errors of a body or a query', async () => {
  const { status, details } = await client.post('/api/products', objectWithKeys(190))
  expect(status).toBe(422)
  expect(details).toHaveLength(50)
  const query = range(90)
    .map((number) => `q${number}=1`)
    .join('&')
  expect((await client.get(`/api/products?${query}`)).details).toHaveLength(50)
})

it('bounds the length of each detail, however long the values are', async () => {
  const text = 'x'.repeat(50_000)
  const digits = '9'.repeat(9_999)
  const raw = `{"id":"${text}","name":{"a":"${text}"},"${text}":1,"${digits}":1,"a":${digits}}`
  const { details } = await client.call('POST', `/api/products?${'x'.repeat(5_000)}=1`, { raw })
  expect(details).toHaveLength(6)
  for (const detail of details) expect(detail.length).toBeLessThan(300)
})

it.each([
  ['too many keys', objectWithKeys(51), 'an object of at most 50 keys, or null (got 51 keys)'],
  ['too many bytes', { a: 'x'.repeat(16_384) }, 'at most 16384 bytes of JSON'],
  ['too many levels', { a: [[[[[[[[1]]]]]]]] }, 'nested at most 8 levels deep'],
])('states the size limit of metadata if it has %s', async (_, metadata, problem) => {
  const { details } = await client.post('/api/customers', { id: 'x', metadata })
  expect(details).toEqual([`metadata must be ${problem}.`])
})

it('states the maximum number of fields of a body', async () => {
  const { details } = await client.post('/api/customers', objectWithKeys(201))
  expect(details).toEqual(['body must have at most 200 fields (got 201).'])
})

it.each([
  ['1706693400000', '1706693400000; seconds are not accepted, write "2024-01-31T09:30:00Z"'],
  ['"1706693400"', '"1706693400"; seconds are not accepted, write "2024-01-31T09:30:00Z"'],
  ['1e300', '1e+300; seconds are not accepted'],
])('states how to write the number %s as a date', async (number, got) => {
  const { details } = await client.call('POST', '/api/customers', { raw: `{"id":1,"created":${number}}` })
  expect(details).toEqual([expect.stringMatching(/^created must be a date such as/)])
  expect(details[0]).toContain(`(got ${got}).`)
})

const integer = 'an integer in minor units (cents) within ±(2^53−1)'
it.each([
  ['an amount', '"total":9007199254740993', [`total must be ${integer} (got 9007199254740993).`]],
  [
    'an amount of a line',
    '"total":1,"line_items":[{},{"amount":1e400}]',
    [`line_items[1].amount must be ${integer}, or null (got 1e400).`],
  ],
  [
    'a list',
    '"total":[1e400]',
    [
      'total[0] must be a number that a double holds exactly (got 1e400); send it as a string.',
      `total must be ${integer} (got a list of 1 item).`,
    ],
  ],
])('states which numbers are valid if a double cannot represent %s', async (_, fields, details) => {
  const { total, ...others } = invoiceBody({ customer_id: 'known' })
  const raw = `${JSON.stringify(others).slice(0, -1)},${fields}}`
  expect(await client.call('POST', '/api/invoices', { raw })).toMatchObject({ status: 422, details })
})

describe('the rules of a body', () => {
  beforeAll(async () => {
    await client.create('/api/products', productBody({ id: 'product' }))
    await client.create('/api/customers', customerBody({ id: 'customer' }))
  })

  type Fields = Record<string, unknown>
  const priceOfProduct = (fields: Fields) => priceBody({ product_id: 'product', ...fields })
  const invoiceOfCustomer = (fields: Fields) => invoiceBody({ customer_id: 'customer', ...fields })
  const exactlyOne = 'give exactly one of amount_off, percent_off'

  it.each<[string, string, Fields, string]>([
    [
      'a discount without an amount or a percentage',
      '/api/discounts',
      discountBody({ percent_off: undefined }),
      `percent_off is required when amount_off is absent or null: an integer from 1 to 100; ${exactlyOne}.`,
    ],
    [
      'a discount whose amount and percentage are null',
      '/api/discounts',
      discountBody({ amount_off: null, percent_off: null }),
      `percent_off must be an integer from 1 to 100 when amount_off is absent or null (got null); ${exactlyOne}.`,
    ],
    [
      'a discount with an amount of 0 and a percentage',
      '/api/discounts',
      discountBody({ amount_off: 0 }),
      `percent_off must be absent or null when amount_off is given (got 10); ${exactlyOne}.`,
    ],
    [
      'a repeating discount without months',
      '/api/discounts',
      discountBody({ duration: 'repeating' }),
      'duration_in_months is required when duration is "repeating": an integer of at least 1, or a string of its digits.',
    ],
    [
      'a discount with the duration forever and with months',
      '/api/discounts',
      discountBody({ duration: 'forever', duration_in_months: '3' }),
      'duration_in_months must be absent or null when duration is "once" or "forever" (got "3").',
    ],
    [
      'an invoice whose period ends before it starts because of its UTC offset',
      '/api/invoices',
      invoiceOfCustomer({ period_end: '2024-01-01T00:00:00+00:01' }),
      'period_end must not be before period_start (got "2024-01-01T00:00:00+00:01", before "2024-01-01").',
    ],
    [
      'a line item whose period ends before it starts',
      '/api/invoices',
      invoiceOfCustomer({ line_items: [{}, { period_start: '2024-01-02', period_end: '2024-01-01' }] }),
      'line_items[1].period_end must not be before period_start (got "2024-01-01", before "2024-01-02").',
    ],
  ])('refuses %s', async (_, path, body, detail) => {
    expect(await client.post(path, body)).toMatchObject({ status: 422, details: [detail] })
  })

  it('reports an unknown type, but not the fields that depend on the type', async () => {
    expectInvalid(
      await client.post('/api/prices', priceOfProduct({ type: 'weekly', interval: null })),
      'type',
    )
  })

  it.each([null, ''])(
    'accepts %j in the fields that the type of a price or the duration of a discount excludes, and refuses it in required fields',
    async (filler) => {
      const oneTime = { type: 'one_time', interval: filler, interval_count: filler }
      const shown = { type: 'one_time', interval: null, interval_count: null }
      expect(await client.create('/api/prices', priceOfProduct(oneTime))).toMatchObject(shown)
      await client.create('/api/discounts', discountBody({ duration_in_months: filler, amount_off: filler }))
      const repeating = discountBody({ duration: 'repeating', duration_in_months: filler })
      expectInvalid(await client.post('/api/discounts', repeating), 'duration_in_months')
      const recurring = { interval: filler, interval_count: 1 }
      expectInvalid(await client.post('/api/prices', priceOfProduct(recurring)), 'interval')
    },
  )

  it('reports all invalid values of an invoice at once, and records nothing', async () => {
    const line_items = [{}, null, 'x', { amount: '1' }, { currency: 'XYZ', quantity: 1.5 }]
    const body = invoiceOfCustomer({ discounts: ['unknown', true, null], line_items })
    expectInvalid(
      await client.post('/api/invoices', body),
      'discounts[1]',
      'discounts[2]',
      'line_items[1]',
      'line_items[2]',
      'line_items[3].amount',
      'line_items[4].currency',
      'line_items[4].quantity',
    )
    expect((await client.get(`/api/invoices/${body.id}`)).status).toBe(404)
  })

  it('accepts an invoice whose period ends when it starts, in another UTC offset', async () => {
    const body = invoiceOfCustomer({ period_start: '2024-01-01', period_end: '2024-01-01T02:00:00+02:00' })
    const { period_start, period_end } = await client.create('/api/invoices', body)
    expect(period_end).toBe(period_start)
  })

  it('reports the subscription of another customer together with other wrong references', async () => {
    await client.create('/api/customers', customerBody({ id: 'other' }))
    await client.create('/api/invoices', invoiceOfCustomer({ subscription_id: 'taken' }))
    const body = invoiceBody({ customer_id: 'other', subscription_id: 'taken', discounts: ['unknown'] })
    expectInvalid(await client.post('/api/invoices', body), 'subscription_id', 'discounts[0]')
  })

  it('reports all wrong references of an invoice at once, but none while a value is invalid', async () => {
    const wrong = { customer_id: 'unknown', subscription_id: `sub_${'0'.repeat(22)}`, discounts: ['unknown'] }
    const invalid = invoiceBody({ ...wrong, total: 'x' })
    expectInvalid(await client.post('/api/invoices', invalid), 'total')
    const valid = invoiceBody(wrong)
    expectInvalid(await client.post('/api/invoices', valid), 'customer_id', 'subscription_id', 'discounts[0]')
  })

  it('reports at most 50 unknown references of an invoice', async () => {
    const discounts = range(50).map((number) => `no-${number}`)
    const body = invoiceBody({ customer_id: 'unknown', discounts })
    const { status, details } = await client.post('/api/invoices', body)
    expect(status).toBe(422)
    expect(details).toHaveLength(50)
  })
})
