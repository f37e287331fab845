import { leftOutOf } from '../../../tools/transfer/formats/stripe/left-out.ts'
import { mapObject } from '../../../tools/transfer/formats/stripe/mapping.ts'
import { recurrencesIn } from '../../../tools/transfer/formats/stripe/stripe-account.ts'
import { coupon, customer, find, invoice, line, price, product, versions } from './stripe-objects.ts'

const [april, may] = ['2024-04-01T00:00:00.000Z', '2024-05-01T00:00:00.000Z']
const subscription = { object: 'subscription', items: { data: [{ price: price() }] } }

describe.each(versions)('the mapping of an invoice of Stripe, version %s', (version) => {
  const once = { type: 'one_time', interval: undefined }
  const usage = { ...line(version), period: { start: 1_709_251_200, end: 1_711_929_600 } }
  const proration = line(version, { proration: true })
  const usual = { period_start: april, period_end: may }

  // A proration may be of another price: it must not give the subscription its interval.
  it.each<[string, object[], object]>([
    ['its only line', [line(version)], usual],
    [
      'the line that is no proration',
      [proration, line(version)],
      { ...usual, line_items: [once, { type: 'recurring', interval: 'month' }] },
    ],
    ['a proration alone', [proration], { period_start: '2024-03-02T00:00:00.000Z', period_end: april }],
    ['the plan, before which usage is billed in arrears', [usage, line(version)], usual],
    ['the plan, after which usage is billed in arrears', [line(version), usage], usual],
  ])('takes its period from %s', (_, lines, body) => {
    expect(mapObject(invoice(version, { lines }), find)).toMatchObject({ body })
  })

  it.each<[string, object, RegExp]>([
    ['more lines', { lines: { data: [{}], has_more: true } }, /has_more is true.*lines\?limit=100/],
    ['no line', { lines: { data: [], has_more: false } }, /no lines/],
    ['discounts that are only ids', { discounts: ['di_1'] }, /expand\[\]=data.discounts/],
    ['no subscription', { subscription: null, parent: null }, /no subscription/],
  ])('refuses it with %s', (_, fields, problem) => {
    const object = { ...invoice(version), ...fields }
    expect(mapObject(object, find)).toEqual({ type: 'invoice', problem: expect.stringMatching(problem) })
  })

  it('maps an open one, and reads the ids of expanded objects', () => {
    const expanded = { status: 'open', customer: { id: 'cus_ann', object: 'customer', deleted: true } }
    const body = { customer_id: 'cus_ann', discounts: ['SPRING'] }
    expect(mapObject(invoice(version, expanded), find)).toMatchObject({ body })
  })

  it('maps metered usage to a one-time line with the period of the usage, but without its price, and says so', () => {
    const metered = price({ id: 'price_calls', recurring: { interval: 'month', usage_type: 'metered' } })
    const others = { ...find, recurrence: (id: string) => new Map(recurrencesIn(metered)).get(id) }
    const calls = line(version, {
      price: version === versions[0] ? metered : undefined,
      pricing: { type: 'price_details', price_details: { price: 'price_calls' } },
    })
    const object = invoice(version, { lines: [calls] })
    // With a period and a recurring price, it would be counted as recurring revenue.
    const line_items = [{ ...once, period_start: april, period_end: may, price_id: undefined }]
    expect(mapObject(object, others)).toMatchObject({ body: { period_start: april, line_items } })
    expect(leftOutOf(object, others)).toEqual([
      'invoice: the price of metered usage, which is recognised over its period and does not recur',
    ])
  })

  it('maps inclusive tax like exclusive tax', () => {
    const taxes = [{ amount: 303, tax_behavior: 'inclusive' }]
    const of = line(version, { taxes, tax_amounts: [{ amount: 303, inclusive: true }] })
    const object = invoice(version, { lines: [of], total: 1710 })
    const body = { total: 1710, line_items: [{ amount: 1900, tax_amount: 303 }] }
    expect(mapObject(object, find)).toMatchObject({ body })
    expect(leftOutOf(object, find)).toEqual([])
  })
})

describe('the mapping of Stripe objects', () => {
  const free = { unit_amount: null }
  const tiered = { ...free, billing_scheme: 'tiered' }
  const yearly = { amount: 700, currency: 'eur', interval: 'year', interval_count: 1 }

  it('refuses a line without an interval unless the import contains its price', () => {
    const [old, recent] = versions.map((version) =>
      mapObject(invoice(version), { ...find, recurrence: () => undefined }),
    )
    expect([old, recent]).toMatchObject([
      { type: 'invoice', body: {} },
      { problem: expect.stringMatching(/import the prices/) },
    ])
    const recurrence = { interval: 'month', interval_count: 1, usage_type: 'licensed' }
    expect(recurrencesIn(subscription)).toEqual([['price_pro', recurrence]])
  })

  it('reads the expanded discount of older versions beside the list of ids', () => {
    const discount = { id: 'di_1', coupon: coupon({ id: 'OLD' }) }
    for (const discounts of [['di_1'], [], undefined])
      expect(mapObject(invoice(versions[0], { discounts, discount }), find)).toMatchObject({
        body: { discounts: ['OLD'] },
      })
  })

  it.each<[string, object, object | RegExp]>([
    ['a fraction of a percent', coupon({ percent_off: 12.5 }), /percent_off must be a whole number/],
    ['a percentage', coupon({ percent_off: 100 }), { percent_off: 100, currency: 'XXX' }],
    ['an amount off', coupon({ amount_off: 5, currency: 'jpy' }), { amount_off: 5, currency: 'jpy' }],
    ['a fraction of a cent', price({ ...free, unit_amount_decimal: '0.5' }), /fraction of a cent/],
    ['an amount that the customer chooses', price({ ...free, custom_unit_amount: {} }), /^custom_unit/],
    ['tiers that are ids', price(tiered), /tiers are not expanded/],
    ['a tier with a fraction of a cent', price({ ...tiered, tiers: [free] }), /fraction of a cent/],
    ['tiers', price({ ...tiered, tiers: [{ unit_amount: 7 }] }), { price: 7, tiered: true }],
    [
      'a plan of an old version',
      { object: 'plan', id: 'p', product: 'x', ...yearly },
      { price: 700, type: 'recurring', interval: 'year', interval_count: 1, product_id: 'x' },
    ],
    ['a currency without decimals', price({ currency: 'jpy', unit_amount: 500 }), { price: 500 }],
    ['a currency with three', price({ currency: 'bhd', unit_amount: 5120 }), { price: 5120 }],
    ['decimals that ISO 4217 has not', price({ currency: 'isk', unit_amount: 700 }), { price: 7 }],
    ['parts of them', price({ currency: 'ugx', unit_amount: 710 }), /not a whole number of/],
    ['no decimals, which ISO 4217 has', price({ currency: 'mga', unit_amount: 7 }), { price: 700 }],
    ['what is not from Stripe', { type: 'product', data: {} }, /"object"/],
    ['no interval', price({ recurring: null, type: 'one_time' }), { type: 'one_time', interval: undefined }],
  ])('maps or refuses %s', (_, object, expected) => {
    const result = mapObject(object as never, find) as Record<string, unknown>
    if (expected instanceof RegExp) expect(result.problem).toMatch(expected)
    else expect(result.body).toMatchObject(expected)
  })

  it.each<[string, object]>([
    ['product: deleted', product({ deleted: true, name: undefined })],
    ['constructor: not recorded by this service', { object: 'constructor', id: 'x_1' }],
    ['subscription: derived from its invoices', subscription],
    ['invoice: draft', invoice(versions[0], { status: 'draft' })],
    ['invoice: deleted', { object: 'invoice', id: 'in_1', deleted: true }],
    ['invoice: of 0, without lines', invoice(versions[0], { total: 0, lines: [] })],
  ])('skips %s', (skip, object) => expect(mapObject(object as never, find)).toEqual({ skip }))

  it('reports what is omitted from an object', () => {
    const lines = [
      { subscription: 'sub_b', tax_amounts: [{ amount: 1, inclusive: true }] },
      { subscription: 'sub_a', taxes: [{ amount: 1, tax_behavior: 'exclusive' }] },
    ]
    const others = [
      { quantity_decimal: '1.5' },
      { quantity: 3, quantity_decimal: '3', pretax_credit_amounts: [{ type: 'discount', amount: 1 }] },
      { pretax_credit_amounts: [{ type: 'credit_balance_transaction', amount: 1 }] },
      { discounts: ['di_of_line'], discount_amounts: [{ amount: 1, discount: 'di_of_line' }] },
    ]
    const objects = [
      price({ livemode: false, currency_options: { usd: {} }, transform_quantity: { divide_by: 2 } }),
      customer({ test_clock: 'clock_1', livemode: true }),
      { object: 'invoice', subscription: 'sub_a', lines: { data: lines } },
      { object: 'invoice', shipping_cost: { amount_total: 500 }, lines: { data: others } },
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
      [
        'invoice: a discount of a line, which is not expanded',
        'invoice: the quantity of a line, which is a fraction',
        'invoice: its shipping costs',
        'invoice: credits that are taken off a line before taxes',
      ],
      [],
    ])
  })
})
