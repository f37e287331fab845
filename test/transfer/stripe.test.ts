import { mapObject } from '../../tools/transfer/stripe.ts'
import { filesOf, importAs, outcomesIn } from '../support/importing.ts'
import { newClient, serveForTests } from '../support/service.ts'
import {
  coupon,
  customer,
  find,
  invoice,
  line,
  mappedBody,
  page,
  price,
  product,
  versions,
} from '../support/stripe-objects.ts'

serveForTests()

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
        id: 'il_1',
        amount: 1900,
        currency: 'EUR',
        quantity: 1,
        discount_amount: 190,
        tax_amount: 325,
        period_start: Date.parse(april) / 1000,
        period_end: Date.parse(may) / 1000,
        interval: 'month',
        interval_count: 1,
        type: 'recurring',
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
    expect(mappedBody(invoice(version))).toMatchObject({ period_start: april, period_end: may })
    const lines = [line(version, { proration: true }), line(version)]
    expect(mappedBody(invoice(version, { lines }))).toMatchObject({
      period_start: april,
      period_end: may,
      // A proration may be of another price: it must not give the subscription its interval.
      line_items: [
        { type: 'one_time', interval: undefined },
        { type: 'recurring', interval: 'month' },
      ],
    })
    const settled = mappedBody(invoice(version, { lines: [lines[0]] }))
    expect(settled).toMatchObject({ period_start: '2024-03-02T00:00:00.000Z', period_end: april })
  })

  it('takes the period of the plan, not that of usage billed in arrears', () => {
    const [march, end] = [1_709_251_200, 1_711_929_600]
    const usage = { ...line(version), id: 'il_usage', period: { start: march, end } }
    const usual = { period_start: april, period_end: may }
    expect(mappedBody(invoice(version, { lines: [usage, line(version)] }))).toMatchObject(usual)
    expect(mappedBody(invoice(version, { lines: [line(version), usage] }))).toMatchObject(usual)
  })

  it('records a customer and coupons that occur only in an invoice', async () => {
    const client = await newClient()
    const discounts = [
      coupon({ id: 'GONE', percent_off: 25 }),
      coupon({ id: 'PART', percent_off: 12.5 }),
    ].map((each) => ({ id: `di_${each.id}`, object: 'discount', coupon: each }))
    const several = ['in_1', 'in_2'].map((id) =>
      invoice(version, { id, discounts, customer: { id: 'cus_gone', deleted: true } }),
    )
    const { paths } = filesOf({
      'invoices.json': page(several),
      'rest.json': JSON.stringify([price(), product()]),
    })
    const { counts } = await importAs(client, [...paths, '--from', 'stripe'])
    const left_out = { 'invoice: a discount of a fraction of a percent': 2 }
    expect(counts).toMatchObject({ rows: 6, created: 6, left_out })
    const { json } = await client.get('/api/invoices/in_2?include=customer,discounts,external_id')
    expect(json.data.invoice).toMatchObject({
      customer: { external_id: 'cus_gone', name: 'Anonymous customer' },
      discounts: [{ external_id: 'GONE', percent_off: 25 }],
    })
    const again = await importAs(client, [...paths, '--from', 'stripe', '--dry-run'])
    expect(again.counts).toMatchObject({ rows: 6, unchanged: 6 })
  })

  it('omits a discount of a fraction of a percent from an invoice, and counts it', async () => {
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

  it('records an open invoice, and reads the ids of expanded objects', () => {
    const expanded = { status: 'open', customer: { id: 'cus_ann', object: 'customer', deleted: true } }
    expect(mappedBody(invoice(version, expanded))).toMatchObject({
      customer_id: 'cus_ann',
      discounts: ['SPRING'],
    })
  })
})

it('refers to the prices that were recorded, and does not change an invoice that was recorded with other prices', async () => {
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
