import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import { importContents, recordedEntity } from '../importing.ts'
import { coupon, customer, invoice, line, newerVersion, page, price, product } from './stripe-objects.ts'

serveForTests()

let client: Client
beforeEach(async () => {
  client = await newClient()
})

const DAY = 86_400
const VOIDED = Date.UTC(2024, 3, 9) / 1_000
const account = [product(), price(), coupon(), customer()]

/** Imports an export of a day: the account and these objects. */
const importDay = (objects: readonly object[], ...options: string[]) =>
  importContents(client, { 'day.json': page([...account, ...objects]) }, '--from', 'stripe', ...options)

const recordedTotals = async () => {
  const { invoices } = (await client.get('/api/invoices?include=external_id')).json.data
  const totals: [string, number][] = invoices.map(
    ({ external_id, total }: { external_id: string; total: number }) => [external_id, total],
  )
  return Object.fromEntries(totals)
}

const recordSettlement = () =>
  client.create('/api/invoices', {
    id: 'in_1:settled',
    total: -2030,
    created: '2024-04-09',
    period_start: '2024-03-01',
    period_end: '2024-04-01',
    currency: 'EUR',
    customer_id: 'cus_ann',
    subscription_id: 'settled',
  })

const openInvoice = invoice(newerVersion, { status: 'open' })
const voidInvoice = (fields: object = {}) =>
  invoice(newerVersion, { status: 'void', status_transitions: { voided_at: VOIDED }, ...fields })
const uncollectibleInvoice = () =>
  invoice(newerVersion, {
    status: 'uncollectible',
    status_transitions: { marked_uncollectible_at: VOIDED },
  })
const paidInvoice = () =>
  invoice(newerVersion, { status: 'paid', status_transitions: { marked_uncollectible_at: VOIDED } })

describe('an invoice that was recorded while it was open', () => {
  it.each([
    ['void', voidInvoice()],
    ['uncollectible', uncollectibleInvoice()],
  ])('is reversed once when it is %s', async (_, later) => {
    expect((await importDay([openInvoice])).counts).toMatchObject({ created: 5, reversed: 0 })
    const dryRun = await importDay([later], '--dry-run')
    expect(dryRun.counts).toMatchObject({ rows: 5, reversed: 1, unchanged: 4 })
    const { counts } = await importDay([later])
    expect(counts).toMatchObject({ rows: 5, reversed: 1, unchanged: 4, skipped: {} })
    expect((await importDay([later])).counts).toMatchObject({ rows: 5, reversed: 0, unchanged: 5 })
    const include = 'line_items,price,discounts,external_id'
    const before = await recordedEntity(client, 'invoices', 'in_1', include)
    const reversal = await recordedEntity(client, 'invoices', 'in_1:void', include)
    const [lineBefore] = before.line_items as object[]
    expect(reversal).toEqual({
      ...before,
      id: reversal.id,
      external_id: 'in_1:void',
      total: -2035,
      created: VOIDED,
      line_items: [{ ...lineBefore, amount: -1900, discount_amount: -190, tax_amount: -325 }],
    })
  })

  it('keeps its first reversal if it is void after it was uncollectible', async () => {
    await importDay([openInvoice])
    await importDay([uncollectibleInvoice()])
    const status_transitions = { marked_uncollectible_at: VOIDED, voided_at: VOIDED + DAY }
    const { counts } = await importDay([voidInvoice({ status_transitions })])
    expect(counts).toMatchObject({ reversed: 0, unchanged: 5, conflict: 0 })
  })

  it('is reversed if an earlier and a later export are imported together', async () => {
    const { counts } = await importDay([voidInvoice(), openInvoice])
    expect(counts).toMatchObject({ created: 5, reversed: 1 })
    expect(await recordedTotals()).toEqual({ in_1: 2035, 'in_1:void': -2035 })
  })

  it.each([
    ['was partly paid', { amount_paid: 5 }, /partly paid or credited/],
    ['has a credit note', { pre_payment_credit_notes_amount: 5 }, /partly paid or credited/],
    ['does not contain the time', { status_transitions: null }, /does not contain the time/],
  ])('is refused if it is void and %s', async (_, fields, problem) => {
    await importDay([openInvoice])
    const { counts, errors } = await importDay([voidInvoice(fields)])
    expect(counts).toMatchObject({ invalid: 1, reversed: 0 })
    expect(errors.join()).toMatch(problem)
    // If the invoice was never recorded, nothing is to be reversed.
    client = await newClient()
    expect((await importDay([voidInvoice(fields)])).counts).toMatchObject({ invalid: 0, created: 4 })
  })

  it.each([
    {
      state: 'is partly paid and void',
      earlier: [openInvoice],
      later: voidInvoice({ amount_paid: 5 }),
      problem: 'is now void, and partly paid or credited. Decide which amount is no longer owed',
    },
    {
      state: 'is paid after it was uncollectible',
      earlier: [paidInvoice(), uncollectibleInvoice()],
      later: paidInvoice(),
      problem: 'was recorded as uncollectible (in_1:void) and is paid now. Decide which amount is owed again',
    },
  ])(
    'is refused if it $state, and accepted once its settlement is recorded as the refusal asks',
    async ({ earlier, later, problem }) => {
      for (const object of earlier) expect((await importDay([object])).counts).toMatchObject({ invalid: 0 })
      const { errors } = await importDay([later])
      expect(errors.join()).toContain(
        `${problem} and record it as "in_1:settled": later imports then accept the invoice.`,
      )
      await recordSettlement()
      expect((await importDay([later], '--dry-run')).counts).toMatchObject({ rows: 5, unchanged: 5 })
      expect((await importDay([later])).counts).toMatchObject({ rows: 5, unchanged: 5 })
    },
  )
})

it('finds an invoice whose id contains characters with a meaning in addresses', async () => {
  const id = 'in/1?x=%2F&y#z'
  await importDay([invoice(newerVersion, { id, status: 'open' })])
  expect((await importDay([voidInvoice({ id })])).counts).toMatchObject({ reversed: 1 })
})

it('skips and counts a void invoice that was never recorded', async () => {
  const { counts, shown } = await importDay([voidInvoice()])
  expect(counts).toMatchObject({ rows: 4, created: 4, skipped: { 'invoice: void': 1 } })
  expect(shown).toContain('1 skipped: invoice: void\n')
  expect(await recordedTotals()).toEqual({})
})

describe('a credit note', () => {
  const note = {
    id: 'cn_1',
    object: 'credit_note',
    status: 'issued',
    invoice: 'in_1',
    customer: 'cus_ann',
    currency: 'eur',
    total: 1017,
    created: VOIDED,
    lines: {
      data: [
        {
          id: 'cnli_1',
          invoice_line_item: 'il_1',
          amount: 950,
          quantity: 1,
          discount_amounts: [{ amount: 95, discount: 'di_1' }],
          taxes: [{ amount: 162, tax_behavior: 'exclusive' }],
        },
        { id: 'cnli_2', amount: 0, quantity: 1, type: 'custom_line_item' },
      ],
    },
  }

  it('is recorded with negative amounts, for the rest of the period of the credited line and with its price', async () => {
    const dryRun = await importDay([note, openInvoice], '--dry-run')
    expect(dryRun.counts).toMatchObject({ created: 6, unchanged: 0 })
    expect((await importDay([note, openInvoice])).counts).toMatchObject({ created: 6, unchanged: 0 })
    expect((await importDay([note, openInvoice])).counts).toMatchObject({ created: 0, unchanged: 6 })
    const include = 'line_items,price,subscription'
    const credit = await recordedEntity(client, 'invoices', 'cn_1', include)
    const { subscription, period_start, period_end, line_items } = await recordedEntity(
      client,
      'invoices',
      'in_1',
      include,
    )
    expect(credit).toMatchObject({ total: -1017, created: VOIDED, subscription, period_start, period_end })
    const [creditedLine] = line_items as object[]
    expect(credit.line_items).toEqual([
      {
        ...creditedLine,
        id: 'cnli_1',
        amount: -950,
        discount_amount: -95,
        tax_amount: -162,
        period_start: VOIDED,
        type: 'one_time',
        interval: null,
        interval_count: null,
      },
      expect.objectContaining({
        id: 'cnli_2',
        amount: 0,
        type: 'one_time',
        interval: null,
        period_start: null,
      }),
    ])
  })

  it.each<[string, number, object]>([
    ['within the period', Date.UTC(2024, 2, 10) / 1_000, { type: 'one_time', interval: null }],
    ['at the start of the period', Date.UTC(2024, 2, 1) / 1_000, { type: 'recurring', interval: 'month' }],
  ])('credits the period from its date if that is %s', async (_, created, kind) => {
    const march = { start: Date.UTC(2024, 2, 1) / 1_000, end: Date.UTC(2024, 3, 1) / 1_000 }
    const credited = invoice(newerVersion, { lines: [line(newerVersion, { period: march })] })
    await importDay([credited, { ...note, created }])
    const { line_items } = await recordedEntity(client, 'invoices', 'cn_1', 'line_items,price,external_id')
    expect((line_items as object[])[0]).toMatchObject({
      ...kind,
      period_start: created,
      period_end: march.end,
      price: { external_id: 'price_pro' },
    })
  })

  it('credits the latest version of its invoice', async () => {
    const earlier = invoice(newerVersion, { lines: [line(newerVersion, { id: 'il_0' })] })
    await importDay([earlier, openInvoice, note])
    const { line_items } = await recordedEntity(client, 'invoices', 'cn_1', 'line_items')
    expect((line_items as object[])[0]).toMatchObject({ id: 'cnli_1', period_start: VOIDED })
  })

  it('is recorded with its total as one line item if it has no lines', async () => {
    await importDay([openInvoice, { ...note, lines: null, tax_amounts: [{ amount: 162 }] }])
    expect(await recordedEntity(client, 'invoices', 'cn_1', 'line_items')).toMatchObject({
      line_items: [{ id: 'cn_1', amount: -1017, tax_amount: -162, type: 'one_time' }],
    })
  })

  it('is reversed when it is void after it was recorded, and skipped if it never was', async () => {
    const voidNote = { ...note, status: 'void', voided_at: VOIDED + 5 }
    const { counts } = await importDay([openInvoice, voidNote])
    expect(counts).toMatchObject({ created: 5, skipped: { 'credit_note: void': 1 } })
    await importDay([openInvoice, note])
    expect((await importDay([openInvoice, voidNote])).counts).toMatchObject({ reversed: 1 })
    expect((await importDay([openInvoice, voidNote])).counts).toMatchObject({ reversed: 0, unchanged: 6 })
    expect(await recordedTotals()).toEqual({ in_1: 2035, cn_1: -1017, 'cn_1:void': 1017 })
  })

  it('is refused without its invoice, and if its invoice is refused', async () => {
    const alone = await importDay([note])
    expect(alone.errors).toEqual([
      'The invoice of the credit note is unknown: import it in the same command.',
    ])
    const refused = await importDay([note, invoice(newerVersion, { customer: 'cus_nobody' })])
    expect(refused.counts).toMatchObject({ invalid: 2 })
    expect(refused.errors).toContain('The invoice of the credit note, "in_1", is not recorded.')
    expect(await recordedTotals()).toEqual({})
  })

  it('is skipped if its invoice is void and was never recorded', async () => {
    const { counts } = await importDay([note, voidInvoice()])
    expect(counts.skipped).toEqual({ 'invoice: void': 1, 'credit_note: its invoice is void': 1 })
    expect(await recordedTotals()).toEqual({})
  })
})

it('reads the pages of a search, and adds the discount of a line to its invoice', async () => {
  const lineDiscount = { id: 'di_line', object: 'discount', source: { coupon: coupon({ id: 'LINE' }) } }
  const discount_amounts = [
    { amount: 90, discount: 'di_1' },
    { amount: 100, discount: 'di_line' },
  ]
  const lines = [line(newerVersion, { discounts: [lineDiscount], discount_amounts })]
  const search = {
    object: 'search_result',
    url: '/v1/invoices/search',
    has_more: true,
    data: [invoice(newerVersion, { lines })],
  }
  const contents = { 'a.json': page(account) + JSON.stringify(search) }
  const { counts } = await importContents(client, contents, '--from', 'stripe')
  expect(counts).toMatchObject({ rows: 7, created: 6, invalid: 1, left_out: {} })
  expect(await recordedEntity(client, 'invoices', 'in_1', 'discounts,external_id')).toMatchObject({
    discounts: [{ external_id: 'SPRING' }, { external_id: 'LINE' }],
  })
})
