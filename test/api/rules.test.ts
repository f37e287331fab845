import { range } from '../support/range.ts'
import {
  customerBody,
  discountBody,
  invoiceBody,
  priceBody,
  productBody,
} from '../support/requests/bodies.ts'
import { expectInvalid } from '../support/requests/invalid-requests.ts'
import { clientForTests, serveForTests } from '../support/requests/service.ts'

serveForTests()

const client = clientForTests()
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
  expectInvalid(await client.post('/api/prices', priceOfProduct({ type: 'weekly', interval: null })), 'type')
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
