import { leftOutOf } from '../../../tools/transfer/formats/stripe/left-out.ts'
import { mapObject } from '../../../tools/transfer/formats/stripe/mapping.ts'
import { readJsonObjects } from '../../../tools/transfer/formats/stripe/stripe-objects.ts'
import { recurrencesIn } from '../../../tools/transfer/formats/stripe/stripe-rows.ts'
import type { StripeObject } from '../../../tools/transfer/formats/stripe/values.ts'
import { invalid, skipped } from '../../../tools/transfer/row.ts'
import {
  coupon,
  customer,
  invoice,
  line,
  mappingContext,
  newerVersion,
  olderVersion,
  price,
  product,
  versions,
} from './stripe-objects.ts'

const april = '2024-04-01T00:00:00.000Z'
const may = '2024-05-01T00:00:00.000Z'
const subscription = { object: 'subscription', items: { data: [{ price: price() }] } }

describe.each(versions)('the mapping of an invoice of Stripe, version %s', (version) => {
  const oneTime = { type: 'one_time', interval: undefined }
  const usage = { ...line(version), period: { start: 1_709_251_200, end: 1_711_929_600 } }
  const proration = line(version, { proration: true })
  const periodOfPlan = { period_start: april, period_end: may }

  // A proration may be of another price, so it must not determine the interval of the subscription.
  it.each<[string, object[], object]>([
    ['its only line', [line(version)], periodOfPlan],
    [
      'the line that is not a proration',
      [proration, line(version)],
      { ...periodOfPlan, line_items: [oneTime, { type: 'recurring', interval: 'month' }] },
    ],
    ['a proration alone', [proration], { period_start: '2024-03-02T00:00:00.000Z', period_end: april }],
    ['the plan, before which usage is billed in arrears', [usage, line(version)], periodOfPlan],
    ['the plan, after which usage is billed in arrears', [line(version), usage], periodOfPlan],
  ])('takes its period from %s', (_, lines, body) => {
    expect(mapObject(invoice(version, { lines }), mappingContext)).toMatchObject({ data: body })
  })

  it.each<[string, object, RegExp]>([
    ['more lines', { lines: { data: [{}], has_more: true } }, /has_more is true.*lines\?limit=100/],
    ['no line', { lines: { data: [], has_more: false } }, /no lines/],
    ['discounts that are only ids', { discounts: ['di_1'] }, /expand\[\]=data.discounts/],
    ['no subscription', { subscription: null, parent: null }, /no subscription/],
  ])('refuses it with %s', (_, fields, problem) => {
    const object = { ...invoice(version), ...fields }
    expect(mapObject(object, mappingContext)).toEqual({
      type: 'invoice',
      result: invalid(expect.stringMatching(problem)),
    })
  })

  it('maps an open invoice, and reads the ids of expanded objects', () => {
    const expanded = { status: 'open', customer: { id: 'cus_ann', object: 'customer', deleted: true } }
    const body = { customer_id: 'cus_ann', discounts: ['SPRING'] }
    expect(mapObject(invoice(version, expanded), mappingContext)).toMatchObject({ data: body })
  })

  it('maps metered usage to a one-time line with the period of the usage, without its price, which is counted as left out', () => {
    const metered = price({ id: 'price_calls', recurring: { interval: 'month', usage_type: 'metered' } })
    const recurrences = new Map(recurrencesIn(metered))
    const context = { ...mappingContext, recurrence: (id: string) => recurrences.get(id) }
    const calls = line(version, {
      price: version === olderVersion ? metered : undefined,
      pricing: { type: 'price_details', price_details: { price: 'price_calls' } },
    })
    const object = invoice(version, { lines: [calls] })
    // With a period and a recurring price, it would be counted as recurring revenue.
    const line_items = [{ ...oneTime, period_start: april, period_end: may, price_id: undefined }]
    expect(mapObject(object, context)).toMatchObject({ data: { period_start: april, line_items } })
    expect(leftOutOf(object, context)).toEqual([
      'invoice: the price of metered usage, which is recognised over its period and does not recur',
    ])
  })

  it('maps inclusive tax like exclusive tax', () => {
    const taxes = [{ amount: 303, tax_behavior: 'inclusive' }]
    const taxed = line(version, { taxes, tax_amounts: [{ amount: 303, inclusive: true }] })
    const object = invoice(version, { lines: [taxed], total: 1710 })
    const body = { total: 1710, line_items: [{ amount: 1900, tax_amount: 303 }] }
    expect(mapObject(object, mappingContext)).toMatchObject({ data: body })
    expect(leftOutOf(object, mappingContext)).toEqual([])
  })
})

describe('the mapping of Stripe objects', () => {
  const free = { unit_amount: null }
  const tiered = { ...free, billing_scheme: 'tiered' }
  const yearly = { amount: 700, currency: 'eur', interval: 'year', interval_count: 1 }

  it('refuses a line without an interval unless the import contains its price', () => {
    const withoutPrices = { ...mappingContext, recurrence: () => undefined }
    // In the older version, lines contain their price.
    expect(mapObject(invoice(olderVersion), withoutPrices)).toMatchObject({ type: 'invoice', data: {} })
    expect(mapObject(invoice(newerVersion), withoutPrices)).toMatchObject({
      result: invalid(expect.stringMatching(/import the prices/)),
    })
  })

  it('reads the interval of a price from a subscription', () => {
    const recurrence = { interval: 'month', interval_count: 1, usage_type: 'licensed' }
    expect(recurrencesIn(subscription)).toEqual([['price_pro', recurrence]])
  })

  it('reads times that a program has written as texts', () => {
    const period = { start: '2024-03-01T00:00:00Z', end: '2024-04-01 00:00:00+00:00' }
    const lines = [
      line(olderVersion, { period }),
      line(olderVersion, { period: { start: '2024-03-10', end: period.end } }),
    ]
    expect(mapObject(invoice(olderVersion, { created: '2024-03-01', lines }), mappingContext)).toMatchObject({
      data: {
        created: '2024-03-01T00:00:00.000Z',
        period_start: '2024-03-01T00:00:00.000Z',
        period_end: april,
      },
    })
  })

  it('records a coupon once that discounts both an invoice and a line of it', () => {
    const discounts = [{ id: 'di_1', coupon: coupon() }]
    const discounted = line(olderVersion, { discounts: [{ id: 'di_2', coupon: coupon() }] })
    expect(
      mapObject(invoice(olderVersion, { discounts, lines: [discounted] }), mappingContext),
    ).toMatchObject({
      data: { discounts: ['SPRING'] },
    })
  })

  it('reads the expanded discount of older versions beside the list of ids', () => {
    const discount = { id: 'di_1', coupon: coupon({ id: 'OLD' }) }
    for (const discounts of [['di_1'], [], undefined])
      expect(mapObject(invoice(olderVersion, { discounts, discount }), mappingContext)).toMatchObject({
        data: { discounts: ['OLD'] },
      })
  })

  it.each<[string, StripeObject, object]>([
    ['a percentage', coupon({ percent_off: 100 }), { percent_off: 100, currency: 'XXX' }],
    ['an amount off', coupon({ amount_off: 5, currency: 'jpy' }), { amount_off: 5, currency: 'jpy' }],
    ['tiers', price({ ...tiered, tiers: [{ unit_amount: 7 }] }), { price: 7, tiered: true }],
    [
      'a plan of an older version',
      { object: 'plan', id: 'p', product: 'x', ...yearly },
      { price: 700, type: 'recurring', interval: 'year', interval_count: 1, product_id: 'x' },
    ],
    ['a currency without decimals', price({ currency: 'jpy', unit_amount: 500 }), { price: 500 }],
    ['a currency with three decimals', price({ currency: 'bhd', unit_amount: 5120 }), { price: 5120 }],
    ['a currency with decimals only in Stripe', price({ currency: 'isk', unit_amount: 700 }), { price: 7 }],
    ['a currency with decimals only in ISO 4217', price({ currency: 'mga', unit_amount: 7 }), { price: 700 }],
    ['no interval', price({ recurring: null, type: 'one_time' }), { type: 'one_time', interval: undefined }],
  ])('maps %s', (_, object, body) => {
    expect(mapObject(object, mappingContext)).toMatchObject({ data: body })
  })

  it.each<[string, StripeObject, RegExp]>([
    ['a fraction of a percent', coupon({ percent_off: 12.5 }), /percent_off must be a whole number/],
    ['a fraction of a cent', price({ ...free, unit_amount_decimal: '0.5' }), /fraction of a cent/],
    ['an amount that the customer chooses', price({ ...free, custom_unit_amount: {} }), /custom_unit_amount/],
    ['tiers that are not expanded', price(tiered), /tiers are not expanded/],
    ['a tier with a fraction of a cent', price({ ...tiered, tiers: [free] }), /fraction of a cent/],
    ['decimals that ISO 4217 does not have', price({ currency: 'ugx', unit_amount: 710 }), /whole number of/],
    ['an object that is not from Stripe', { type: 'product', data: {} }, /"object"/],
  ])('refuses %s', (_, object, problem) => {
    expect(mapObject(object, mappingContext)).toMatchObject({
      result: invalid(expect.stringMatching(problem)),
    })
  })

  it.each<[string, StripeObject]>([
    ['product: deleted', product({ deleted: true, name: undefined })],
    ['constructor: not recorded by this service', { object: 'constructor', id: 'x_1' }],
    ['subscription: derived from its invoices', subscription],
    ['invoice: draft', invoice(olderVersion, { status: 'draft' })],
    ['invoice: deleted', { object: 'invoice', id: 'in_1', deleted: true }],
    ['invoice: total of 0 and no lines', invoice(olderVersion, { total: 0, lines: [] })],
  ])('skips %s', (reason, object) =>
    expect(mapObject(object, mappingContext)).toEqual({ result: skipped(reason) }),
  )

  it('reports what is left out of an object', () => {
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
    expect(objects.map((object) => leftOutOf(object, mappingContext))).toEqual([
      [
        'price: its mark as test data (livemode is false)',
        'price: its amounts in other currencies (currency_options)',
        'price: the division of quantities (transform_quantity)',
      ],
      ['customer: its test clock'],
      [
        'invoice: the other subscription that a line belongs to',
        'invoice: the distinction between inclusive and exclusive taxes',
      ],
      [
        'invoice: a line discount that is not expanded',
        'invoice: the fractional quantity of a line',
        'invoice: its shipping costs',
        'invoice: credits that are deducted from a line before taxes',
      ],
      [],
    ])
  })
})

const MIB = 1024 * 1024

it('limits the size of each object, not of all objects in a file', async () => {
  const text = `{"a":"${'x'.repeat(MIB)}"}`
  const objects = 70
  async function* chunks() {
    // Each object ends in the next chunk.
    const halves = [text.slice(0, MIB), text.slice(MIB)] as const
    yield Buffer.from(halves[0])
    for (let count = 1; count < objects; count += 1) yield Buffer.from(halves[1] + halves[0])
    yield Buffer.from(halves[1])
  }
  let read = 0
  for await (const object of readJsonObjects(chunks())) {
    expect(object.length).toBe(text.length)
    read += 1
  }
  expect(read).toBe(objects)
})
