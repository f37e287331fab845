import { type Client, newClient, serveForTests } from '../../support/requests/service.ts'
import { filesOf, importAs, linesOf, outcomesIn } from '../importing.ts'
import { coupon, customer, invoice, line, page, price, product, versions } from './stripe-objects.ts'

serveForTests()

let client: Client
beforeEach(async () => {
  client = await newClient()
})

const version = versions[1]
const VOIDED = Date.UTC(2024, 3, 9) / 1_000
const account = [product(), price(), coupon(), customer()]

/** Imports the account with these objects, as a day's export. Returns the counts, the report and what was shown. */
const importing = async (objects: readonly object[], ...options: string[]) => {
  const { paths, report } = filesOf({ 'day.json': page([...account, ...objects]) })
  const command = [...paths, '--from', 'stripe', '--report', report, ...options]
  const { counts, shown } = await importAs(client, command)
  return { counts, shown, lines: linesOf(report), outcomes: outcomesIn(report) }
}

const totals = async () => {
  const { invoices } = (await client.get('/api/invoices?include=external_id')).json.data
  const entries: [string, number][] = invoices.map((each: { external_id: string; total: number }) => [
    each.external_id,
    each.total,
  ])
  return Object.fromEntries(entries)
}

const open = invoice(version, { status: 'open' })
const transition = (status: string, fields: object = {}) =>
  invoice(version, { status, status_transitions: { voided_at: VOIDED }, ...fields })

describe('an invoice that was recorded while it was open', () => {
  it.each([
    ['void', { voided_at: VOIDED }],
    ['uncollectible', { marked_uncollectible_at: VOIDED }],
  ])('is reversed once when it is %s', async (status, status_transitions) => {
    expect((await importing([open])).counts).toMatchObject({ created: 5, reversed: 0 })
    const later = transition(status, { status_transitions })
    const dry = await importing([later], '--dry-run')
    expect(dry.counts).toMatchObject({ rows: 5, reversed: 1, unchanged: 4 })
    const { counts } = await importing([later])
    expect(counts).toMatchObject({ rows: 5, reversed: 1, unchanged: 4, skipped: {} })
    expect((await importing([later])).counts).toMatchObject({ rows: 5, reversed: 0, unchanged: 5 })
    const found = (
      await client.get('/api/invoices/in_1%3Avoid?include=line_items,price,discounts,external_id')
    ).json.data.invoice
    const before = (await client.get('/api/invoices/in_1?include=line_items,price,discounts,external_id'))
      .json.data.invoice
    const [lineBefore] = before.line_items
    expect(found).toEqual({
      ...before,
      id: found.id,
      external_id: 'in_1:void',
      total: -2035,
      created: VOIDED,
      line_items: [{ ...lineBefore, amount: -1900, discount_amount: -190, tax_amount: -325 }],
    })
  })

  it('keeps its first reversal if it is void after it was uncollectible', async () => {
    await importing([open])
    const marked = { marked_uncollectible_at: VOIDED }
    await importing([transition('uncollectible', { status_transitions: marked })])
    const both = { ...marked, voided_at: VOIDED + 86_400 }
    const { counts } = await importing([transition('void', { status_transitions: both })])
    expect(counts).toMatchObject({ reversed: 0, unchanged: 5, conflict: 0 })
  })

  it('is reversed if an earlier and a later export are imported together', async () => {
    const { counts } = await importing([transition('void'), open])
    expect(counts).toMatchObject({ created: 5, reversed: 1 })
    expect(await totals()).toEqual({ in_1: 2035, 'in_1:void': -2035 })
  })

  it.each([
    ['was partly paid', { amount_paid: 5 }, /partly paid or credited/],
    ['has a credit note', { pre_payment_credit_notes_amount: 5 }, /partly paid or credited/],
    ['does not say since when', { status_transitions: null }, /does not say since when/],
  ])('is refused if it is void and %s', async (_, fields, problem) => {
    await importing([open])
    const { counts, lines } = await importing([transition('void', fields)])
    expect(counts).toMatchObject({ invalid: 1, reversed: 0 })
    expect(lines.at(-1)!.errors.join()).toMatch(problem)
    // Where it was never recorded, nothing is owed.
    client = await newClient()
    expect((await importing([transition('void', fields)])).counts).toMatchObject({ invalid: 0, created: 4 })
  })

  it('is refused if it is paid after it was uncollectible, since its revenue is reversed', async () => {
    const status_transitions = { marked_uncollectible_at: VOIDED }
    const paid = invoice(version, { status: 'paid', status_transitions })
    expect((await importing([paid])).counts).toMatchObject({ created: 5, invalid: 0 })
    await importing([transition('uncollectible', { status_transitions })])
    const { counts, lines } = await importing([paid])
    expect(counts).toMatchObject({ invalid: 1 })
    expect(lines.at(-1)!.errors.join()).toMatch(/was recorded as uncollectible \(in_1:void\) and is paid now/)
  })

  it.each([
    ['is partly paid and void', transition('void', { amount_paid: 5 })],
    [
      'is paid after it was uncollectible',
      invoice(version, { status: 'paid', status_transitions: { marked_uncollectible_at: VOIDED } }),
    ],
  ])('is accepted if it %s, once its correction is recorded as the refusal says', async (_, later) => {
    const marked = { status_transitions: { marked_uncollectible_at: VOIDED } }
    await importing([open])
    if (later.status === 'paid') await importing([transition('uncollectible', marked)])
    const { lines } = await importing([later])
    expect(lines.at(-1)!.errors.join()).toContain(
      ' and record it as "in_1:settled", which later imports accept',
    )
    await client.create('/api/invoices', {
      id: 'in_1:settled',
      total: -2030,
      created: '2024-04-09',
      period_start: '2024-03-01',
      period_end: '2024-04-01',
      currency: 'EUR',
      customer_id: 'cus_ann',
      subscription_id: 'settled',
    })
    expect((await importing([later], '--dry-run')).counts).toMatchObject({ rows: 5, unchanged: 5 })
    expect((await importing([later])).counts).toMatchObject({ rows: 5, unchanged: 5 })
  })
})

it('finds an invoice whose id has signs of an address', async () => {
  const id = 'in/1?x=%2F&y#z'
  await importing([invoice(version, { id, status: 'open' })])
  expect((await importing([transition('void', { id })])).counts).toMatchObject({ reversed: 1 })
})

it('skips and counts a void invoice that was never recorded', async () => {
  const { counts, shown } = await importing([transition('void')])
  expect(counts).toMatchObject({ rows: 4, created: 4, skipped: { 'invoice: void': 1 } })
  expect(shown).toContain('1 skipped: invoice: void\n')
  expect(await totals()).toEqual({})
})

describe('a credit note', () => {
  const note = {
    ...{ id: 'cn_1', object: 'credit_note', status: 'issued', invoice: 'in_1', customer: 'cus_ann' },
    ...{ currency: 'eur', total: 1017, created: VOIDED },
    lines: {
      data: [
        {
          ...{ id: 'cnli_1', invoice_line_item: 'il_1', amount: 950, quantity: 1 },
          discount_amounts: [{ amount: 95, discount: 'di_1' }],
          taxes: [{ amount: 162, tax_behavior: 'exclusive' }],
        },
        { id: 'cnli_2', amount: 0, quantity: 1, type: 'custom_line_item' },
      ],
    },
  }

  it('is recorded with amounts below 0, and with the period, interval and price of what it credits', async () => {
    for (const [options, created] of [
      [['--dry-run'], 6],
      [[], 6],
      [[], 0],
    ] as const)
      expect((await importing([note, open], ...options)).counts).toMatchObject({
        created,
        unchanged: 6 - created,
      })
    const [credit, billed] = await Promise.all(
      ['cn_1', 'in_1'].map(
        async (id) =>
          (await client.get(`/api/invoices/${id}?include=line_items,price,subscription`)).json.data.invoice,
      ),
    )
    const { subscription, period_start, period_end } = billed
    expect(credit).toMatchObject({ total: -1017, created: VOIDED, subscription, period_start, period_end })
    const [credited] = billed.line_items
    expect(credit.line_items).toEqual([
      { ...credited, id: 'cnli_1', amount: -950, discount_amount: -95, tax_amount: -162 },
      expect.objectContaining({
        id: 'cnli_2',
        amount: 0,
        type: 'one_time',
        interval: null,
        period_start: null,
      }),
    ])
  })

  it('is recorded with its total as one line if it has no lines', async () => {
    await importing([open, { ...note, lines: null, tax_amounts: [{ amount: 162 }] }])
    const { invoice: credit } = (await client.get('/api/invoices/cn_1?include=line_items')).json.data
    expect(credit.line_items).toMatchObject([
      { id: 'cn_1', amount: -1017, tax_amount: -162, type: 'one_time' },
    ])
  })

  it('is reversed when it is void after it was recorded, and skipped if it never was', async () => {
    const voided = { ...note, status: 'void', voided_at: VOIDED + 5 }
    const { counts } = await importing([open, voided])
    expect(counts).toMatchObject({ created: 5, skipped: { 'credit_note: void': 1 } })
    await importing([open, note])
    expect((await importing([open, voided])).counts).toMatchObject({ reversed: 1 })
    expect((await importing([open, voided])).counts).toMatchObject({ reversed: 0, unchanged: 6 })
    expect(await totals()).toEqual({ in_1: 2035, cn_1: -1017, 'cn_1:void': 1017 })
  })

  it('is refused without its invoice, and if its invoice is refused', async () => {
    const alone = await importing([note])
    expect(alone.lines.at(-1)!.errors).toEqual([
      'The invoice of the credit note is unknown: import it in the same command.',
    ])
    const refused = await importing([note, invoice(version, { customer: 'cus_nobody' })])
    expect(refused.counts).toMatchObject({ invalid: 2 })
    expect(refused.lines.at(-1)!.errors).toEqual(['The invoice of the credit note, "in_1", is not recorded.'])
    const never = await importing([note, transition('void')])
    expect(never.counts.skipped).toEqual({ 'invoice: void': 1, 'credit_note: of an invoice that is void': 1 })
    expect(await totals()).toEqual({})
  })
})

it('reads the pages of a search, and adds the discount of a line to its invoice', async () => {
  const ofLine = { id: 'di_line', object: 'discount', source: { coupon: coupon({ id: 'LINE' }) } }
  const discount_amounts = [
    { amount: 90, discount: 'di_1' },
    { amount: 100, discount: 'di_line' },
  ]
  const lines = [line(version, { discounts: [ofLine], discount_amounts })]
  const search = {
    object: 'search_result',
    url: '/v1/invoices/search',
    has_more: true,
    data: [invoice(version, { lines })],
  }
  const { paths } = filesOf({ 'a.json': page(account) + JSON.stringify(search) })
  const { counts } = await importAs(client, [...paths, '--from', 'stripe'])
  expect(counts).toMatchObject({ rows: 7, created: 6, invalid: 1, left_out: {} })
  const { invoice: found } = (await client.get('/api/invoices/in_1?include=discounts,external_id')).json.data
  expect(found.discounts.map(({ external_id }: { external_id: string }) => external_id)).toEqual([
    'SPRING',
    'LINE',
  ])
})
