import { range } from '../support/range.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  priceBody,
  productBody,
} from '../support/requests/bodies.ts'
import { expectInvalid } from '../support/requests/invalid-requests.ts'
import { type Client, newClient, serveForTests } from '../support/requests/service.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
  await client.create('/api/products', productBody({ id: 'product' }))
  await client.create('/api/customers', customerBody({ id: 'customer' }))
})

type Fields = Record<string, unknown>
const aPrice = (fields: Fields) => priceBody({ product_id: 'product', ...fields })
const anInvoice = (fields: Fields) => invoiceBody({ customer_id: 'customer', ...fields })
const oneOfTwo = 'give exactly one of amount_off, percent_off'

// docs/errors.md has the usual violations, which mistakes.test.ts sends; fields.test.ts has those of a single field.
it.each<[string, string, Fields, string]>([
  [
    'a discount without amount and percent',
    '/api/discounts',
    discountBody({ percent_off: undefined }),
    `percent_off is required when amount_off is absent or null: an integer from 1 to 100; ${oneOfTwo}.`,
  ],
  [
    'a discount whose amount and percent are null',
    '/api/discounts',
    discountBody({ amount_off: null, percent_off: null }),
    `percent_off must be an integer from 1 to 100 when amount_off is absent or null (got null); ${oneOfTwo}.`,
  ],
  [
    'a discount of an amount of 0 and a percent',
    '/api/discounts',
    discountBody({ amount_off: 0 }),
    `percent_off must be absent or null when amount_off is given (got 10); ${oneOfTwo}.`,
  ],
  [
    'a repeating discount without months',
    '/api/discounts',
    discountBody({ duration: 'repeating' }),
    'duration_in_months is required when duration is "repeating": an integer of at least 1, or a string of its digits.',
  ],
  [
    'a discount forever with months',
    '/api/discounts',
    discountBody({ duration: 'forever', duration_in_months: '3' }),
    'duration_in_months must be absent or null when duration is "once" or "forever" (got "3").',
  ],
  [
    'an invoice whose period ends before it starts by its offset',
    '/api/invoices',
    anInvoice({ period_end: '2024-01-01T00:00:00+00:01' }),
    'period_end must not be before period_start (got "2024-01-01T00:00:00+00:01", before "2024-01-01").',
  ],
  [
    'a line whose period is reversed',
    '/api/invoices',
    anInvoice({ line_items: [{}, { period_start: '2024-01-02', period_end: '2024-01-01' }] }),
    'line_items[1].period_end must not be before period_start (got "2024-01-01", before "2024-01-02").',
  ],
])('refuses %s', async (_, path, body, detail) => {
  expect(await client.post(path, body)).toMatchObject({ status: 422, details: [detail] })
})

it('reports an unknown type without the fields that depend on it', async () => {
  expectInvalid(await client.post('/api/prices', aPrice({ type: 'weekly', interval: null })), 'type')
})

it.each([null, ''])(
  'accepts a one-time price and a discount once whose other fields are %j',
  async (nothing) => {
    const oneTime = { type: 'one_time', interval: nothing, interval_count: nothing }
    const shown = { type: 'one_time', interval: null, interval_count: null }
    expect(await client.create('/api/prices', aPrice(oneTime))).toMatchObject(shown)
    await client.create('/api/discounts', discountBody({ duration_in_months: nothing, amount_off: nothing }))
    const repeating = discountBody({ duration: 'repeating', duration_in_months: nothing })
    expectInvalid(await client.post('/api/discounts', repeating), 'duration_in_months')
    const recurring = { interval: nothing, interval_count: 1 }
    expectInvalid(await client.post('/api/prices', aPrice(recurring)), 'interval')
  },
)

it('names all values at fault in an invoice of an empty period, and records nothing', async () => {
  const line_items = [{}, null, 'x', { amount: '1' }, { currency: 'XYZ', quantity: 1.5 }]
  const body = anInvoice({ period_end: '2024-01-01T02:00:00+02:00' })
  expectInvalid(
    await client.post('/api/invoices', { ...body, discounts: ['nothing', true, null], line_items }),
    ...['discounts[1]', 'discounts[2]', 'line_items[1]', 'line_items[2]', 'line_items[3].amount'],
    ...['line_items[4].currency', 'line_items[4].quantity'],
  )
  expect((await client.get(`/api/invoices/${body.id}`)).status).toBe(404)
  await client.create('/api/invoices', body)
})

it('names all wrong references of an invoice, including the subscription of another customer, once its values are right', async () => {
  await client.create('/api/customers', customerBody({ id: 'other' }))
  await client.create('/api/invoices', anInvoice({ subscription_id: 'taken' }))
  const taken = { customer_id: 'other', subscription_id: 'taken', discounts: ['no'] }
  expectInvalid(await client.post('/api/invoices', anInvoice(taken)), 'subscription_id', 'discounts[0]')
  const all = { customer_id: 'no', subscription_id: `sub_${'0'.repeat(22)}`, discounts: ['no'] }
  expectInvalid(await client.post('/api/invoices', anInvoice({ ...all, total: 'x' })), 'total')
  expectInvalid(
    await client.post('/api/invoices', anInvoice(all)),
    ...['customer_id', 'subscription_id', 'discounts[0]'],
  )
})

it('reports at most 50 unknown references of an invoice', async () => {
  const discounts = range(50).map((number) => `no-${number}`)
  const { status, details } = await client.post('/api/invoices', anInvoice({ customer_id: 'x', discounts }))
  expect(status).toBe(422)
  expect(details.length).toBe(50)
})
