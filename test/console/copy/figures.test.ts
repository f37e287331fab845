import { movementsOf } from '../../../client/analytics/index.ts'
import { retentionSince } from '../../../console/figures/retention.ts'
import type { Invoice } from '../../../console/records/entities.ts'
import { lineOf } from '../../client/analytics/invoices.ts'
import { filledCopy, invoice, NOW } from './support.ts'

const DAY = 86_400
const customer = (id: string, name: string, metadata: object = {}) => ({
  id,
  external_id: `own-${id}`,
  name,
  email: null,
  metadata,
})
const customers = [
  customer('ann', 'Ann', { country: 'DE', size: 5 }),
  customer('bob', 'Bob', { country: 'FR' }),
  customer('cy', 'Cy'),
]

/** Returns a line with an amount, a discount, a tax and a quantity. */
const withLines = (
  billed: Invoice,
  lines: readonly Parameters<typeof lineOf>[0][],
  total: number,
): Invoice => ({
  ...billed,
  total,
  line_items: lines.map((line) => lineOf({ ...billed.line_items[0], ...line })),
})

describe('an invoice', () => {
  it.each([
    ['tax within the amount', { amount: 1190, tax_amount: 190 }, 1190, { net: 1000, tax: 190, total: 1190 }],
    ['tax on top', { amount: 1000, tax_amount: 190 }, 1190, { net: 1000, tax: 190, total: 1190 }],
    ['a discount', { amount: 1000, discount_amount: 100 }, 900, { net: 900, discount: 100, total: 900 }],
    [
      'a total that its line does not explain',
      { amount: 1000, tax_amount: 190 },
      3000,
      { net: 810, tax: 190, total: 3000 },
    ],
  ])('with %s has its net amount, tax and total', async (_, line, total, expected) => {
    const opened = await filledCopy(customers, [withLines(invoice('one'), [line], total)])
    const [row] = opened.answer('list', { list: 'invoices' }).rows
    const amounts = Object.entries(expected).map(([key, amount]) => [key, { amount, currency: 'EUR' }])
    expect(row!.cells).toMatchObject(Object.fromEntries(amounts))
  })

  it('without lines is net in whole, as its revenue is recognised', async () => {
    const opened = await filledCopy(customers, [withLines(invoice('one'), [], 4900)])
    const { sums } = opened.answer('list', { list: 'invoices' })
    expect(sums).toMatchObject([{ amounts: { net: 4900, tax: 0, total: 4900 }, credits: { count: 0 } }])
  })

  it('names its quantity', async () => {
    const opened = await filledCopy(customers, [withLines(invoice('one'), [{ quantity: 6 }], 4900)])
    expect(opened.answer('list', { list: 'invoices' }).rows[0]!.cells.what).toBe(
      '6 × Pro, monthly, €49.00 each',
    )
  })
})

describe('the sums of a list', () => {
  it('are those of all its pages, for each currency, the credits apart', async () => {
    const many = Array.from({ length: 150 }, (_, index) => invoice(`many-${index}`, { total: 100 }))
    const others = [invoice('credit', { total: -500 }), invoice('yen', { currency: 'JPY', total: 300 })]
    const opened = await filledCopy(customers, [...many, ...others])
    const { sums, rows } = opened.answer('list', { list: 'invoices', sort: '-total' })
    expect(sums).toMatchObject([
      { currency: 'EUR', count: 151, amounts: { total: 14_500 }, credits: { count: 1, total: -500 } },
      { currency: 'JPY', count: 1, amounts: { total: 300 }, credits: { count: 0, total: 0 } },
    ])
    expect(rows.length).toBe(100)
  })

  it('of a month are what the figures have of it, to the last second', async () => {
    const first = Date.UTC(2026, 4, 1) / 1000
    const days = (seconds: number) => (NOW - seconds) / DAY
    const dated = [
      invoice('before', { days: days(first - 1) }),
      invoice('first', { days: days(first) }),
      invoice('last', { days: days(Date.UTC(2026, 5, 1) / 1000 - 1) }),
      invoice('after', { days: days(Date.UTC(2026, 5, 1) / 1000) }),
    ]
    const opened = await filledCopy(customers, dated)
    const page = opened.answer('list', { list: 'invoices', within: '2026-05' })
    expect(page.rows.map(({ path }) => path[1])).toEqual(['last', 'first'])
    const may = opened.answer('overview', {})!.invoiced.find(({ name }) => name === '2026-05')!
    expect(page.sums[0]!.amounts.total).toBe(may.invoiced)
    const { revenue } = opened.answer('finance', {})!
    expect(page.sums[0]!.amounts.net).toBe(revenue!.find(({ name }) => name === '2026-05')!.billed)
  })
})

describe('the filter', () => {
  const discount = { id: 'disc_1', external_id: 'SPRING26', name: 'Spring' }
  const discounted = {
    ...invoice('discounted', { days: 1, total: 120_000 }),
    discounts: [discount],
  } as unknown as Invoice
  const billed = [
    invoice('small', { total: 99_999 }),
    invoice('even', { customer: 'bob', total: 100_000 }),
    discounted,
    invoice('yen', { currency: 'JPY', total: 1001, days: 2 }),
  ]

  it.each([
    ['> 1000', ['discounted', 'yen']],
    ['>=1,000', ['even', 'discounted', 'yen']],
    ['<1000', ['small']],
    ['= 999.99', ['small']],
    ['> 1000 < 1100', ['yen']],
    ['spring26', ['discounted']],
    ['Spring > 2000', []],
    ['country:FR', ['even']],
    ['country:de > 1000', ['discounted', 'yen']],
    ['country:none', []],
    ['size:5', ['small', 'discounted', 'yen']],
    ['shape:5', []],
  ])('"%s" finds %j', async (text, expected) => {
    const opened = await filledCopy(customers, billed, [discount])
    const { rows } = opened.answer('list', { list: 'invoices', text })
    expect(rows.map(({ path }) => path[1])).toEqual(expected)
  })
})

describe('the customers', () => {
  it('have their first invoice, whatever the order in which invoices were read', async () => {
    const opened = await filledCopy(customers, [
      invoice('new', { days: 3 }),
      invoice('old', { days: 90 }),
      invoice('mid', { days: 33 }),
    ])
    const { rows } = opened.answer('list', { list: 'customers', currency: 'EUR' })
    expect(rows[0]!.cells).toMatchObject({ since: NOW - 90 * DAY })
    expect(opened.answer('customer', 'ann')).toMatchObject({ since: NOW - 90 * DAY, latest: NOW - 3 * DAY })
  })

  it('are sorted by name as people sort, and by number', async () => {
    const named = ['Ömer', 'Zoe', 'Customer 10', 'customer 9', 'Ann'].map((name) => customer(name, name))
    const opened = await filledCopy(named, [])
    const { rows } = opened.answer('list', { list: 'customers', sort: 'name' })
    expect(rows.map(({ cells }) => cells.name)).toEqual(['Ann', 'customer 9', 'Customer 10', 'Ömer', 'Zoe'])
  })

  it('who pay less are shown with before, after and why', async () => {
    const [march, april] = [invoice('march', { days: 40 }), invoice('april', { days: 10, total: 3900 })]
    const [line] = april.line_items
    const discounted = {
      ...april,
      discounts: [{ id: 'd', name: 'Welcome' }],
      line_items: [{ ...line!, amount: 4900, discount_amount: 1000 }],
    } as unknown as Invoice
    const opened = await filledCopy(customers, [march, discounted])
    const query = { list: 'customers', moved: 'contraction', month: '2026-06', currency: 'EUR' } as const
    const { rows, sums } = opened.answer('list', query)
    expect(rows.map(({ cells }) => cells)).toMatchObject([
      {
        name: 'Ann',
        before: { amount: 4900 },
        after: { amount: 3900 },
        change: { amount: -1000 },
        why: 'discount began: Welcome',
      },
    ])
    expect(sums[0]!.amounts.change).toBe(opened.answer('overview', {})!.movements!.at(-1)!.contraction)
  })
})

describe('segments', () => {
  const billed = [
    invoice('a'),
    invoice('b', { customer: 'bob', total: 2000 }),
    invoice('c', { customer: 'cy', total: 1000 }),
  ]

  it('divide recurring revenue, movements and what is billed, and add up to the whole', async () => {
    const overview = (await filledCopy(customers, billed)).answer('overview', { by: 'country' })!
    expect(overview.recurring!.plans.map(({ key, values }) => [key, values.at(-1)])).toEqual([
      ['DE', 4900],
      ['FR', 2000],
      ['none', 1000],
    ])
    expect(overview.segments!.billed).toEqual([
      { value: 'DE', billed: 4900 },
      { value: 'FR', billed: 2000 },
      { value: 'none', billed: 1000 },
    ])
    const ends = overview.segments!.movements.map(({ end }) => end)
    expect(ends.reduce((sum, end) => sum + end, 0)).toBe(overview.movements!.at(-1)!.end)
  })

  it('are a column, a filter and a key that is offered', async () => {
    const opened = await filledCopy(customers, billed)
    const page = opened.answer('list', { list: 'invoices', by: 'country', segment: 'none' })
    expect(page.rows.map(({ path, cells }) => [path[1], cells.segment])).toEqual([['c', 'none']])
    expect(page.segmentKeys).toEqual([
      { key: 'country', values: ['DE', 'FR', 'none'] },
      { key: 'size', values: ['none', '5'] },
    ])
  })
})

describe('what renews', () => {
  it('is each plan at the end of its period: a monthly one in each month, a yearly one in its own', async () => {
    const yearly = invoice('yearly', { customer: 'bob', days: 61, total: 12_000 })
    const year = {
      period_start: yearly.created,
      period_end: Date.UTC(2027, 3, 15, 12) / 1000,
      interval: 'year',
    }
    const [line] = yearly.line_items
    const price = { ...line!.price!, interval: 'year' }
    const billed = { ...yearly, line_items: [{ ...line!, ...year, price }] } as Invoice
    const ended = invoice('ended', { customer: 'cy', days: 90 })
    const opened = await filledCopy(customers, [invoice('monthly'), billed, ended])
    const { renewals } = opened.answer('overview', { currency: 'EUR' })!
    expect(renewals.length).toBe(12)
    expect(renewals.map(({ name, invoices, amount }) => [name, invoices, amount]).slice(0, 3)).toEqual([
      ['2026-06', 0, 0],
      ['2026-07', 1, 4900],
      ['2026-08', 1, 4900],
    ])
    expect(renewals.find(({ name }) => name === '2027-04')).toMatchObject({
      invoices: 2,
      amount: 4900 + 12_000,
    })
    const page = opened.answer('list', { list: 'subscriptions', renews: '2027-04', currency: 'EUR' })
    expect(page.sums).toMatchObject([{ count: 2, amounts: { expected: 16_900 } }])
  })
})

describe('the tiles', () => {
  it('follow the customers of a year ago', async () => {
    const monthly = (who: string, from: number, to: number, total: number) =>
      Array.from({ length: from - to + 1 }, (_, index) =>
        invoice(`${who}-${from - index}`, { customer: who, days: (from - index) * 30, total }),
      )
    // Ann grows, Bob leaves, Cy is new and counts on neither side.
    const billed = [
      ...monthly('ann', 14, 6, 1000),
      ...monthly('ann', 5, 0, 1500),
      ...monthly('bob', 14, 8, 2000),
      ...monthly('cy', 3, 0, 700),
    ]
    const overview = (await filledCopy(customers, billed)).answer('overview', {})!
    expect(overview.tiles).toMatchObject({
      now: 2200,
      yearAgo: 3000,
      retention: { start: 3000, kept: 1500, lost: 2000 },
      customers: 2,
      averageRevenue: 1100,
    })
    expect(overview.tiles!.recurring.length).toBe(13)
    expect(retentionSince(movementsOf(billed, NOW), 600)).toEqual({ start: 0, kept: 0, lost: 0 })
  })

  it('are of as many months as are asked for', async () => {
    const billed = Array.from({ length: 30 }, (_, month) => invoice(`${month}`, { days: month * 30 }))
    const opened = await filledCopy(customers, billed)
    const { recurring, movements, invoiced, counts } = opened.answer('overview', { months: 12 })!
    for (const months of [recurring!.months, movements!, invoiced, counts]) {
      expect(months.length).toBe(12)
      expect(months.at(-1)!.name).toBe('2026-06')
    }
  })
})

describe('a statement', () => {
  it('has the invoices of its days, oldest first, and their sums', async () => {
    const opened = await filledCopy(customers, [
      invoice('june'),
      invoice('may', { days: 31 }),
      invoice('bob', { customer: 'bob' }),
    ])
    const all = opened.answer('statement', { id: 'own-ann' })!
    expect(all.rows.map(({ path }) => path[1])).toEqual(['may', 'june'])
    expect(all).toMatchObject({ name: 'Ann', first: NOW - 31 * DAY, last: NOW })
    const june = opened.answer('statement', { id: 'ann', within: '2026-06' })!
    expect(june.sums).toMatchObject([{ count: 1, amounts: { total: 4900 } }])
    expect(opened.answer('statement', { id: 'nobody' })).toBeUndefined()
  })
})

describe('a plan', () => {
  it('has its revenue, customers and subscriptions', async () => {
    const opened = await filledCopy(customers, [invoice('a'), invoice('b', { customer: 'bob', total: 2000 })])
    const { currencies, subscriptions } = opened.answer('plan', 'Pro')
    expect(currencies).toMatchObject([{ currency: 'EUR', customers: 2, billed: 6900 }])
    expect(currencies[0]!.months.at(-1)!.amount).toBe(6900)
    expect(subscriptions.rows.map(({ customer: id }) => id)).toEqual(['ann', 'bob'])
    expect(opened.answer('plans', undefined).Pro).toEqual(currencies)
  })
})

describe('a subscription', () => {
  it('has what changed when, the latest first', async () => {
    const opened = await filledCopy(customers, [
      invoice('first', { days: 40 }),
      invoice('second', { days: 10, total: 9900 }),
    ])
    const { changes, plans, state } = opened.answer('subscription', 'sub-ann')!
    expect(changes).toMatchObject([
      { kind: 'expansion', before: 4900, after: 9900, why: 'Pro: another price' },
      { kind: 'new', before: 0, after: 4900, why: '' },
    ])
    expect(plans).toMatchObject([{ words: 'Pro, monthly, €99.00', monthly: { amount: 9900 } }])
    expect(state).toBe('Active until Jul 5, 2026')
    expect(opened.answer('subscription', 'nothing')).toBeUndefined()
  })
})

describe('a save', () => {
  it('that was asked for before another does not replace it', async () => {
    const opened = await filledCopy([customers[0]!], [])
    const at = Date.now() + 1000
    await opened.save('customers', { ...customers[0]!, name: 'Second' }, at)
    await opened.save('customers', { ...customers[0]!, name: 'First' }, at - 1)
    expect(opened.answer('search', 'own-ann').found[0]!.name).toBe('Second')
  })
})
