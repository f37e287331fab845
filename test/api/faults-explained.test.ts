import { customerBody, discountBody, invoiceBody, priceBody } from '../support/bodies.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
})

describe('what would be right is said with its condition (R7)', () => {
  const intervals = 'one of "day", "week", "month", "year"'
  const date = 'a date: RFC 3339 with offset, YYYY-MM-DD, or YYYY-MM-DD hh:mm:ss (UTC)'

  it.each<[string, string, object, string[]]>([
    [
      'a price without an interval',
      '/api/prices',
      priceBody({ product_id: 'p', interval: undefined }),
      [`interval is required when type is "recurring": ${intervals}.`],
    ],
    [
      'a price with a wrong interval',
      '/api/prices',
      priceBody({ product_id: 'p', interval: 7 }),
      [`interval must be ${intervals} when type is "recurring" (got 7).`],
    ],
    [
      'a one-time price with an interval',
      '/api/prices',
      priceBody({ product_id: 'p', type: 'one_time' }),
      [
        'interval must be absent or null when type is "one_time" (got "month").',
        'interval_count must be absent or null when type is "one_time" (got 1).',
      ],
    ],
    [
      'a discount without percent',
      '/api/discounts',
      discountBody({ percent_off: undefined }),
      ['percent_off is required when amount_off is absent or null: an integer from 1 to 100.'],
    ],
    [
      'a discount with both',
      '/api/discounts',
      discountBody({ amount_off: 1, percent_off: 10 }),
      ['percent_off must be absent or null when amount_off is given (got 10).'],
    ],
    [
      'a discount once with months',
      '/api/discounts',
      discountBody({ duration: 'once', duration_in_months: 3 }),
      ['duration_in_months must be absent or null when duration is "once" or "forever" (got 3).'],
    ],
    [
      'an invoice without an end',
      '/api/invoices',
      invoiceBody({ customer_id: 'known', subscription_id: 's', period_end: undefined }),
      [`period_end is required: ${date}.`],
    ],
    [
      'metadata with a long name',
      '/api/customers',
      customerBody({ metadata: { ['x'.repeat(101)]: 1 } }),
      [`metadata["${'x'.repeat(100)}…"] must have a name of Unicode text at most 100 characters long.`],
    ],
    ['a list', '/api/customers', [1], ['body must be a JSON object (got 1 item).']],
    [
      'too many fields',
      '/api/customers',
      Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`f${n}`, 1])),
      ['body must have at most 200 fields.'],
    ],
    [
      'too many lines',
      '/api/invoices',
      invoiceBody({ customer_id: 'known', line_items: Array(251).fill({}) }),
      ['line_items must be a list of at most 250 items, or null (got 251).'],
    ],
  ])('of %s', async (_, path, body, details) => {
    expect(await client.post(path, body)).toMatchObject({ status: 422, details })
  })
})
