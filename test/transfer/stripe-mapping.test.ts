import { mapObject } from '../../tools/transfer/stripe.ts'
import { leftOutOf, recurrencesIn } from '../../tools/transfer/stripe-rows.ts'
import { filesOf, importAs } from '../support/importing.ts'
import { newClient, serveForTests } from '../support/service.ts'
import {
  coupon,
  customer,
  find,
  invoice,
  line,
  mappedBody,
  price,
  product,
  versions,
} from '../support/stripe-objects.ts'

serveForTests()

const unknown = { ...find, recurrence: () => undefined }

describe('the mapping of Stripe objects', () => {
  const subscription = { object: 'subscription', items: { data: [{ price: price() }] } }

  it('refuses a line without an interval unless the import contains its price', () => {
    const [old, recent] = versions
    expect(mapObject(invoice(recent), unknown)).toMatchObject({
      problem: expect.stringMatching(/import the prices/),
    })
    expect(mapObject(invoice(old), unknown)).toMatchObject({ type: 'invoice', body: expect.anything() })
    const recurrence = { interval: 'month', interval_count: 1, usage_type: 'licensed' }
    expect(recurrencesIn(subscription)).toEqual([['price_pro', recurrence]])
  })

  it('reads the expanded discount of older versions beside the list of ids', () => {
    const discount = { id: 'di_1', coupon: coupon({ id: 'OLD' }) }
    for (const discounts of [['di_1'], [], undefined])
      expect(mappedBody(invoice(versions[0], { discounts, discount })).discounts).toEqual(['OLD'])
  })

  it.each([
    ['a fraction of a percent', coupon({ percent_off: 12.5 }), /percent_off must be a whole number/],
    ['a percentage', coupon({ percent_off: 100 }), { percent_off: 100, currency: 'XXX' }],
    [
      'an amount off',
      coupon({ percent_off: null, amount_off: 5, currency: 'jpy' }),
      { amount_off: 5, currency: 'jpy' },
    ],
    ['a fraction of a cent', price({ unit_amount: null, unit_amount_decimal: '0.5' }), /fraction of a cent/],
    [
      'an amount that the customer chooses',
      price({ unit_amount: null, custom_unit_amount: {} }),
      /^custom_unit/,
    ],
    ['tiers that are ids', price({ unit_amount: null, billing_scheme: 'tiered' }), /tiers are not expanded/],
    [
      'a tier with a fraction of a cent',
      price({ unit_amount: null, billing_scheme: 'tiered', tiers: [{ unit_amount: null }] }),
      /fraction of a cent/,
    ],
    [
      'a plan of an old version',
      {
        id: 'p',
        object: 'plan',
        amount: 700,
        currency: 'eur',
        interval: 'year',
        interval_count: 1,
        product: 'x',
      },
      { price: 700, type: 'recurring', interval: 'year', interval_count: 1, product_id: 'x' },
    ],
    [
      'tiers',
      price({ unit_amount: null, billing_scheme: 'tiered', tiers: [{ unit_amount: 7 }] }),
      { price: 7, tiered: true },
    ],
    ['a currency without decimals', price({ currency: 'jpy', unit_amount: 500 }), { price: 500 }],
    ['a currency with three', price({ currency: 'bhd', unit_amount: 5120 }), { price: 5120 }],
    ['decimals that ISO 4217 has not', price({ currency: 'isk', unit_amount: 700 }), { price: 7 }],
    ['parts of them', price({ currency: 'ugx', unit_amount: 710 }), /not a whole number of/],
    ['no decimals, which ISO 4217 has', price({ currency: 'mga', unit_amount: 7 }), { price: 700 }],
    ['what is not from Stripe', { type: 'product', data: {} }, /"object"/],
    ['no interval', price({ recurring: null, type: 'one_time' }), { type: 'one_time', interval: undefined }],
  ])('maps or refuses %s', (_, object, expected) => {
    const result = mapObject(object, find) as Record<string, unknown>
    if (expected instanceof RegExp) expect(result.problem).toMatch(expected)
    else expect(result.body).toMatchObject(expected)
  })

  it.each<[string, object]>([
    ['product: deleted', product({ deleted: true, name: undefined })],
    ['constructor: not recorded by this service', { object: 'constructor', id: 'x_1' }],
    ['subscription: derived from its invoices', subscription],
    ...['draft', 'void', 'uncollectible'].map((status): [string, object] => [
      `invoice: ${status}`,
      invoice(versions[0], { status }),
    ]),
  ])('skips %s', (skip, object) => {
    expect(mapObject(object as never, find)).toEqual({ skip })
  })

  it.each([
    ['it is followed by its last page', [true, false], 0],
    ['its last page comes first', [false, true], 0],
    ['its last page is missing', [true, true], 1],
    ['it has one page, which is not the last', [true], 1],
  ])(
    'reads a list from several files, and refuses one without its last page unless told: %s, %j',
    async (_, pages, missing) => {
      const contents = pages.map((has_more, index) => [
        `${index}.json`,
        JSON.stringify({
          object: 'list',
          url: '/v1/products',
          has_more,
          data: [product({ id: `p${index}` })],
        }),
      ])
      const { paths } = filesOf(Object.fromEntries(contents))
      const client = await newClient()
      const { counts } = await importAs(client, [...paths, '--from', 'stripe'])
      expect(counts).toMatchObject({ created: pages.length, invalid: missing, skipped: {} })
      const told = await importAs(client, [...paths, '--from', 'stripe', '--allow-missing-pages'])
      expect(told.counts).toMatchObject({ unchanged: pages.length, invalid: 0 })
      expect(Object.values(told.counts.skipped)).toEqual(missing ? [1] : [])
    },
  )

  it('omits metadata over the limit with --cut-metadata, and counts them', async () => {
    const client = await newClient()
    const metadata = Object.fromEntries(Array.from({ length: 40 }, (_, key) => [key, 'x'.repeat(500)]))
    const { paths } = filesOf({ 'a.json': JSON.stringify([customer({ metadata }), customer({ id: 'b' })]) })
    const importing = async (...more: string[]) =>
      (await importAs(client, [...paths, '--from', 'stripe', ...more])).counts
    expect(await importing()).toMatchObject({ created: 1, invalid: 1, left_out: {} })
    const left_out = { 'customer: its metadata, which is over the limit': 1 }
    expect(await importing('--cut-metadata')).toMatchObject({ created: 1, unchanged: 1, left_out })
    const { customer: cut } = (await client.get('/api/customers/cus_ann')).json.data
    expect(cut).toMatchObject({ name: 'Ann Example', metadata: {} })
  })

  it.each(versions)('maps metered usage to a one-time line without a period in version %s', (version) => {
    const metered = price({ id: 'price_calls', recurring: { interval: 'month', usage_type: 'metered' } })
    const others = { ...find, recurrence: (id: string) => new Map(recurrencesIn(metered)).get(id) }
    const usage = line(version, {
      price: version === versions[0] ? metered : undefined,
      pricing: { type: 'price_details', price_details: { price: 'price_calls' } },
    })
    const none = { period_start: undefined, period_end: undefined, interval: undefined }
    expect(mapObject(invoice(version, { lines: [usage] }), others)).toMatchObject({
      body: {
        period_start: '2024-04-01T00:00:00.000Z',
        line_items: [{ type: 'one_time', price_id: 'price_calls', amount: 1900, ...none }],
      },
    })
  })

  it.each(versions)('maps inclusive tax like exclusive tax in version %s', (version) => {
    const taxes = [{ amount: 303, tax_behavior: 'inclusive' }]
    const of = line(version, { taxes, tax_amounts: [{ amount: 303, inclusive: true }] })
    const object = invoice(version, { lines: [of], total: 1710 })
    expect(mappedBody(object)).toMatchObject({ total: 1710, line_items: [{ amount: 1900, tax_amount: 303 }] })
    expect(leftOutOf(object, find)).toEqual([])
  })

  it('reports what is omitted from an object', () => {
    const lines = [
      { subscription: 'sub_b', tax_amounts: [{ amount: 1, inclusive: true }] },
      { subscription: 'sub_a', taxes: [{ amount: 1, tax_behavior: 'exclusive' }] },
    ]
    const objects = [
      price({ livemode: false, currency_options: { usd: {} }, transform_quantity: { divide_by: 2 } }),
      customer({ test_clock: 'clock_1', livemode: true }),
      { object: 'invoice', subscription: 'sub_a', lines: { data: lines } },
      product(),
    ]
    expect(objects.map((object) => leftOutOf(object, find))).toEqual([
      [
        'price: that it is test data (livemode is false)',
        'price: its amounts in other currencies (currency_options)',
        'price: that quantities are divided (transform_quantity)',
      ],
      ['customer: its test clock'],
      [
        'invoice: that a line belongs to another subscription',
        'invoice: that some of its taxes are within the amounts and some on top',
      ],
      [],
    ])
  })

  it.each([
    ['[{"id": "a"}, {"id": "b"', /ends in the middle/],
    ['id,name', /must contain JSON objects/],
    ['{"object": "list", "data": [null]}', /a list must contain objects only/],
  ])('refuses a file with %s', async (content, message) => {
    const { paths } = filesOf({ 'objects.json': content })
    await expect(importAs(await newClient(), [...paths, '--from', 'stripe'])).rejects.toThrow(message)
  })
})
