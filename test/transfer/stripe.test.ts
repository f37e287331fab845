import { leftOutOf, mapObject, recurrencesIn } from '../../tools/transfer/stripe.ts'
import { filesOf, importAs, outcomesIn } from '../support/importing.ts'
import { newClient, serveForTests } from '../support/service.ts'
import { coupon, customer, invoice, line, page, price, product, versions } from '../support/stripe-objects.ts'

serveForTests()

const recurrences = new Map(recurrencesIn(price()))
const find = {
  recurrence: (id: string) => recurrences.get(id),
  isFractional: () => false,
  isRecorded: () => true,
}
const unknown = { ...find, recurrence: () => undefined }
const bodyOf = (object: object) => {
  const result = mapObject(object as never, find)
  if (!('body' in result)) throw new Error(JSON.stringify(result))
  return result.body as Record<string, never>
}
const [april, may] = ['2024-04-01T00:00:00.000Z', '2024-05-01T00:00:00.000Z']

describe.each(versions)('the import of Stripe, version %s', (version) => {
  it('records lists and single objects, in any order', async () => {
    const client = await newClient()
    const gone = { id: 'cus_gone', object: 'customer', deleted: true }
    const { paths, report } = filesOf({
      'invoices.json': page([invoice(version), invoice(version, { id: 'in_2', status: 'void' })]),
      'rest.ndjson': [product(), coupon(), customer(), gone].map((each) => JSON.stringify(each)).join('\n'),
      'prices.json': JSON.stringify([price()]) + page([price({ id: 'price_2', unit_amount: null })]),
    })
    const { counts, shown } = await importAs(client, [...paths, '--from', 'stripe', '--report', report])
    expect(counts).toMatchObject({ rows: 7, created: 6, invalid: 1, skipped: { 'invoice: void': 1 } })
    expect(outcomesIn(report)).toMatchObject({ 'invoice in_1': 'created', 'price price_2': 'invalid' })
    expect(shown).toContain('1 skipped: invoice: void\n1 unusable: The amount is null or')
    const path = '/api/invoices/in_1?include=line_items,price,customer,subscription,discounts,external_id'
    const {
      customer: ann,
      subscription,
      discounts,
      line_items,
      ...shownInvoice
    } = (await client.get(path)).json.data.invoice
    expect(shownInvoice).toMatchObject({ total: 2035, currency: 'EUR', created: Date.parse(april) / 1000 })
    expect(line_items).toEqual([
      {
        ...{ id: 'il_1', amount: 1900, currency: 'EUR', quantity: 1, discount_amount: 190, tax_amount: 325 },
        ...{ period_start: Date.parse(april) / 1000, period_end: Date.parse(may) / 1000 },
        ...{ interval: 'month', interval_count: 1, type: 'recurring' },
        price: expect.objectContaining({
          external_id: 'price_pro',
          product: expect.objectContaining({ external_id: 'prod_pro' }),
        }),
      },
    ])
    expect(ann).toMatchObject({ external_id: 'cus_ann', metadata: { plan: 'pro' } })
    expect(subscription).toMatchObject({ external_id: 'sub_ann', interval: 'month' })
    expect(discounts).toMatchObject([
      { external_id: 'SPRING', percent_off: 10, currency: 'XXX', name: 'SPRING' },
    ])
    expect((await client.get('/api/customers/cus_gone')).json.data.customer.name).toBe('Anonymous customer')
    expect((await importAs(client, [...paths, '--from', 'stripe'])).counts).toMatchObject({
      created: 0,
      unchanged: 6,
    })
  })

  it('takes the period of an invoice from its lines, not from the invoice', () => {
    expect(bodyOf(invoice(version))).toMatchObject({ period_start: april, period_end: may })
    const lines = [line(version, { proration: true }), line(version)]
    expect(bodyOf(invoice(version, { lines }))).toMatchObject({
      ...{ period_start: april, period_end: may },
      // A proration may be of another price: it must not give the subscription its interval.
      line_items: [
        { type: 'one_time', interval: undefined },
        { type: 'recurring', interval: 'month' },
      ],
    })
    const settled = bodyOf(invoice(version, { lines: [lines[0]] }))
    expect(settled).toMatchObject({ period_start: '2024-03-02T00:00:00.000Z', period_end: april })
  })

  it('takes the period of the plan, not of the usage that is billed in arrears beside it', () => {
    const [march, end] = [1_709_251_200, 1_711_929_600]
    const usage = { ...line(version), id: 'il_usage', period: { start: march, end } }
    const usual = { period_start: april, period_end: may }
    expect(bodyOf(invoice(version, { lines: [usage, line(version)] }))).toMatchObject(usual)
    expect(bodyOf(invoice(version, { lines: [line(version), usage] }))).toMatchObject(usual)
  })

  it('records the customer and the coupons that only an invoice still has', async () => {
    const client = await newClient()
    const gone = coupon({ id: 'GONE', percent_off: 25 })
    const discounts = [{ id: 'di_1', object: 'discount', coupon: gone }]
    const several = ['in_1', 'in_2'].map((id) =>
      invoice(version, { id, discounts, customer: { id: 'cus_gone', deleted: true } }),
    )
    const { paths } = filesOf({
      'invoices.json': page(several),
      'rest.json': JSON.stringify([price(), product()]),
    })
    const { counts } = await importAs(client, [...paths, '--from', 'stripe'])
    expect(counts).toMatchObject({ rows: 6, created: 6 })
    const { json } = await client.get('/api/invoices/in_2?include=customer,discounts,external_id')
    expect(json.data.invoice).toMatchObject({
      customer: { external_id: 'cus_gone', name: 'Anonymous customer' },
      discounts: [{ external_id: 'GONE', percent_off: 25 }],
    })
    const again = await importAs(client, [...paths, '--from', 'stripe', '--dry-run'])
    expect(again.counts).toMatchObject({ rows: 6, unchanged: 6 })
  })

  it('records an invoice without a discount of a fraction of a percent, and counts it', async () => {
    const client = await newClient()
    const { paths } = filesOf({
      'invoices.json': page([invoice(version)]),
      'rest.json': JSON.stringify([price(), product(), customer(), coupon({ percent_off: 12.5 })]),
    })
    const { counts, shown } = await importAs(client, [...paths, '--from', 'stripe'])
    const left_out = { 'invoice: a discount of a fraction of a percent': 1 }
    expect(counts).toMatchObject({ rows: 5, created: 4, invalid: 1, left_out })
    expect(shown).toContain('1 left out: invoice: a discount of a fraction of a percent\n')
    expect((await client.get('/api/invoices/in_1?include=discounts')).json.data.invoice.discounts).toEqual([])
  })

  it.each([
    [
      'more lines than are here',
      { lines: { data: [{}], has_more: true } },
      /has_more is true.*lines\?limit=100/,
    ],
    ['no line', { lines: { data: [], has_more: false } }, /no lines/],
    ['discounts that are only ids', { discounts: ['di_1'] }, /expand\[\]=data.discounts/],
    ['no subscription', { subscription: null, parent: null }, /no subscription/],
  ])('refuses an invoice with %s', (_, fields, problem) => {
    const object = { ...invoice(version), ...fields }
    expect(mapObject(object, find)).toEqual({ type: 'invoice', problem: expect.stringMatching(problem) })
  })

  it('records an open invoice, and takes the ids of expanded objects', () => {
    const expanded = { status: 'open', customer: { id: 'cus_ann', object: 'customer', deleted: true } }
    expect(bodyOf(invoice(version, expanded))).toMatchObject({
      customer_id: 'cus_ann',
      discounts: ['SPRING'],
    })
  })
})

it('names the prices that the import recorded, and leaves an invoice unchanged that was recorded with others', async () => {
  const client = await newClient()
  const [old] = versions
  const setup = line(old, { id: 'il_2', proration: true, price: price({ id: 'price_setup' }) })
  const write = (...prices: object[]) =>
    filesOf({
      'all.json': page([
        product(),
        coupon(),
        customer(),
        ...prices,
        invoice(old, { lines: [line(old), setup] }),
      ]),
    }).paths
  const [pro, later] = [price(), price({ id: 'price_setup' })]
  const runs = [
    { prices: [price({ unit_amount: null })], expected: { created: 4, unchanged: 0, invalid: 1 } },
    { prices: [pro, later], expected: { created: 2, unchanged: 4 } },
  ]
  for (const { prices, expected } of runs)
    for (const more of [['--dry-run'], []]) {
      const { counts } = await importAs(client, [...write(...prices), '--from', 'stripe', ...more])
      expect(counts).toMatchObject({ conflict: 0, ...expected })
    }
  const lines = (await client.get('/api/invoices/in_1?include=line_items,price')).json.data.invoice.line_items
  expect(lines.map((each: { price: unknown }) => each.price)).toEqual([null, null])
  const other = await newClient()
  for (const [prices, expected] of [
    [[pro], { created: 5 }],
    [[pro, later], { created: 1, unchanged: 5 }],
    [[later], { created: 0, unchanged: 5 }],
  ] as const) {
    const { counts } = await importAs(other, [...write(...prices), '--from', 'stripe'])
    expect(counts).toMatchObject({ conflict: 0, invalid: 0, ...expected })
  }
  const changed = page([invoice(old, { total: 1, lines: [line(old), setup] })])
  const { paths } = filesOf({ 'changed.json': changed })
  expect((await importAs(other, [...paths, '--from', 'stripe'])).counts).toMatchObject({ conflict: 1 })
})

describe('the mapping of Stripe objects', () => {
  const subscription = { object: 'subscription', items: { data: [{ price: price() }] } }

  it('needs the prices if lines do not contain the interval', () => {
    const [old, recent] = versions
    expect(mapObject(invoice(recent), unknown)).toMatchObject({
      problem: expect.stringMatching(/import the prices/),
    })
    expect(mapObject(invoice(old), unknown)).toMatchObject({ type: 'invoice', body: expect.anything() })
    expect(recurrencesIn(subscription)).toEqual([['price_pro', { interval: 'month', interval_count: 1 }]])
  })

  it('takes the expanded discount of older versions, which is beside the list of ids', () => {
    const discount = { id: 'di_1', coupon: coupon({ id: 'OLD' }) }
    for (const discounts of [['di_1'], [], undefined])
      expect(bodyOf(invoice(versions[0], { discounts, discount })).discounts).toEqual(['OLD'])
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
  ])('handles %s', (_, object, expected) => {
    const result = mapObject(object, find) as Record<string, unknown>
    if (expected instanceof RegExp) expect(result.problem).toMatch(expected)
    else expect(result.body).toMatchObject(expected)
  })

  it.each<[string, object]>([
    ['product: deleted', product({ deleted: true, name: undefined })],
    ['charge: not recorded by this service', { object: 'charge', id: 'ch_1' }],
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
  ])('reads a list whose pages are in several files, and refuses it if %s: %j', async (_, pages, invalid) => {
    const contents = pages.map((has_more, index) => [
      `${index}.json`,
      JSON.stringify({ object: 'list', url: '/v1/products', has_more, data: [product({ id: `p${index}` })] }),
    ])
    const { paths } = filesOf(Object.fromEntries(contents))
    const { counts } = await importAs(await newClient(), [...paths, '--from', 'stripe'])
    expect(counts).toMatchObject({ created: pages.length, invalid })
  })

  it('names what is left out of an object', () => {
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
      ['invoice: that a line belongs to another subscription', 'invoice: that amounts include a tax'],
      [],
    ])
  })

  it.each([
    ['[{"id": "a"}, {"id": "b"', /ends in the middle/],
    ['id,name', /must contain JSON objects/],
    ['{"object": "list", "data": [null]}', /a list must contain objects only/],
  ])('refuses to read %s', async (content, message) => {
    const { paths } = filesOf({ 'objects.json': content })
    await expect(importAs(await newClient(), [...paths, '--from', 'stripe'])).rejects.toThrow(message)
  })
})
