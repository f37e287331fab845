import { discountBody, invoiceBody } from '../support/bodies.ts'
import { type Client, newClient, serveForTests } from '../support/service.ts'

serveForTests()

let client: Client
beforeAll(async () => {
  client = await newClient()
})

// docs/errors.md has the usual mistakes, which mistakes.test.ts sends; these are others.
describe('an error says what would be valid, and under which condition', () => {
  const date = 'a date such as "2024-01-31", "2024-01-31 09:30:00" (UTC) or "2024-01-31T09:30:00+01:00"'
  const one = 'give exactly one of amount_off, percent_off'

  it.each<[string, string, object, string[]]>([
    [
      'a discount without percent',
      '/api/discounts',
      discountBody({ percent_off: undefined }),
      [`percent_off is required when amount_off is absent or null: an integer from 1 to 100; ${one}.`],
    ],
    [
      'a discount with neither in words',
      '/api/discounts',
      discountBody({ amount_off: null, percent_off: null }),
      [`percent_off must be an integer from 1 to 100 when amount_off is absent or null (got null); ${one}.`],
    ],
    [
      'a discount once with months',
      '/api/discounts',
      discountBody({ duration: 'once', duration_in_months: 3 }),
      ['duration_in_months must be absent or null when duration is "once" or "forever" (got 3).'],
    ],
    [
      'an invoice with seconds, milliseconds, their digits and other numbers as dates',
      '/api/invoices',
      invoiceBody({
        customer_id: 'known',
        created: 1_706_693_400,
        period_start: 1_706_693_400_000,
        period_end: '1706693400',
        line_items: [{ period_start: 20240131, period_end: '20240131' }, { period_start: 1e300 }],
      }),
      [
        `created must be ${date} (got 1706693400; seconds are not accepted, write "2024-01-31T09:30:00Z").`,
        `period_start must be ${date} (got 1706693400000; seconds are not accepted, write "2024-01-31T09:30:00Z").`,
        `period_end must be ${date} (got "1706693400"; seconds are not accepted, write "2024-01-31T09:30:00Z").`,
        `line_items[0].period_start must be ${date}, or null (got 20240131; seconds are not accepted).`,
        `line_items[0].period_end must be ${date}, or null (got "20240131").`,
        `line_items[1].period_start must be ${date}, or null (got 1e+300; seconds are not accepted).`,
      ],
    ],
    [
      'an invoice with dates that lack a part or do not exist',
      '/api/invoices',
      invoiceBody({
        customer_id: 'known',
        created: '2026-02-01 09:30',
        period_start: '2026-02-01T09:30+01',
        period_end: '2026-02-01 09:30:00.25+00',
        line_items: [
          { period_start: '2026-02-01T09:30', period_end: '2026-02-30T09:30+0100' },
          { period_start: '2026-02-01T9:30:00Z', period_end: '2026-02-01 09:30:00.5' },
        ],
      }),
      [
        `created must be ${date} (got "2026-02-01 09:30"; it needs seconds, write "2026-02-01 09:30:00").`,
        `period_start must be ${date} (got "2026-02-01T09:30+01"; it needs seconds and minutes in its offset, write "2026-02-01T09:30:00+01:00").`,
        `period_end must be ${date} (got "2026-02-01 09:30:00.25+00"; it needs minutes in its offset, write "2026-02-01T09:30:00.25+00:00").`,
        `line_items[0].period_start must be ${date}, or null (got "2026-02-01T09:30"; it needs seconds, write "2026-02-01T09:30:00Z" if it is UTC).`,
        `line_items[0].period_end must be ${date}, or null (got "2026-02-30T09:30+0100"; there is no such day or time).`,
        `line_items[1].period_start must be ${date}, or null (got "2026-02-01T9:30:00Z").`,
        `line_items[1].period_end must be ${date}, or null (got "2026-02-01 09:30:00.5"; write "2026-02-01T09:30:00.5Z" if it is UTC).`,
      ],
    ],
    [
      'too many fields',
      '/api/customers',
      Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`f${n}`, 1])),
      ['body must have at most 200 fields (got 201).'],
    ],
  ])('of %s', async (_, path, body, details) => {
    expect(await client.post(path, body)).toMatchObject({ status: 422, details })
  })
})

describe('a number that a double cannot represent', () => {
  const integer = 'an integer in minor units (cents) within ±(2^53−1)'

  it.each([
    ['an amount', '"total":9007199254740993', [`total must be ${integer} (got 9007199254740993).`]],
    [
      'an amount of a line',
      '"line_items":[{},{"amount":1e400}]',
      [`line_items[1].amount must be ${integer}, or null (got 1e400).`],
    ],
    [
      'a text',
      '"currency":1234567890123456789',
      ['currency must be an active ISO 4217 code, such as "EUR" (got 1234567890123456789).'],
    ],
    ['an unknown field', '"totl":9007199254740993', ['totl is not a field here; did you mean total?']],
    [
      'a list',
      '"total":[1e400]',
      [
        'total[0] must be a number that a double holds exactly (got 1e400); send it as a string.',
        `total must be ${integer} (got a list of 1 item).`,
      ],
    ],
  ])('is refused with the field’s expectation: %s', async (_, fields, details) => {
    const whole = JSON.stringify(invoiceBody({ customer_id: 'known', [/\w+/.exec(fields)![0]]: undefined }))
    const response = await client.post('/api/invoices', '', { raw: `${whole.slice(0, -1)},${fields}}` })
    expect([response.status, response.details.filter((detail) => !detail.includes(' is required'))]).toEqual([
      422,
      details,
    ])
  })
})
