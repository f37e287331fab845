import { parse } from 'csv-parse/sync'
import type { Line } from '../../../client/analytics/index.ts'
import { sumsOf } from '../../../console/lists/list-sums.ts'
import { stateText } from '../../../console/lists/rows.ts'
import type { Invoice } from '../../../console/records/entities.ts'
import { segmentKeysOf } from '../../../console/records/segments.ts'
import { lineOf, priceOf } from '../../client/analytics/invoices.ts'
import { range } from '../../support/range.ts'
import { DAY, eur, filledCopy, invoice, NOW } from './copy-in-memory.ts'

const customer = (id: string, name: string, metadata: Readonly<Record<string, unknown>> = {}) => ({
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

/** Returns an invoice with this total, and with a line like its own for each of `lines`, which replace fields of it. */
const withLines = (invoice: Invoice, lines: readonly Partial<Line>[], total: number): Invoice => ({
  ...invoice,
  total,
  line_items: lines.map((line) => lineOf({ ...invoice.line_items[0], ...line })),
})

describe('an invoice', () => {
  it.each<{ name: string; line: Partial<Line>; total: number; cells: object }>([
    {
      name: 'tax within the amount',
      line: { amount: 1190, tax_amount: 190 },
      total: 1190,
      cells: { net: eur(1000), tax: eur(190), total: eur(1190) },
    },
    {
      name: 'tax on top',
      line: { amount: 1000, tax_amount: 190 },
      total: 1190,
      cells: { net: eur(1000), tax: eur(190), total: eur(1190) },
    },
    {
      name: 'a discount',
      line: { amount: 1000, discount_amount: 100 },
      total: 900,
      cells: { net: eur(900), discount: eur(100), total: eur(900) },
    },
    {
      name: 'a total that its line does not explain',
      line: { amount: 1000, tax_amount: 190 },
      total: 3000,
      cells: { net: eur(810), tax: eur(190), total: eur(3000) },
    },
  ])('with $name shows its net amount, tax and total', async ({ line, total, cells }) => {
    const copy = await filledCopy(customers, [withLines(invoice('one'), [line], total)])
    const [row] = copy.answer('list', { list: 'invoices' }).rows
    expect(row!.cells).toMatchObject(cells)
  })

  it('without lines has a net amount that is its total, as its revenue is recognised', async () => {
    const copy = await filledCopy(customers, [withLines(invoice('one'), [], 4900)])
    const { sums } = copy.answer('list', { list: 'invoices' })
    expect(sums).toMatchObject([{ amounts: { net: 4900, tax: 0, total: 4900 }, credits: { count: 0 } }])
  })

  it('shows the quantity of its line', async () => {
    const copy = await filledCopy(customers, [withLines(invoice('one'), [{ quantity: 6 }], 4900)])
    expect(copy.answer('list', { list: 'invoices' }).rows[0]!.cells.what).toBe(
      '6 × Pro, monthly, €49.00 each',
    )
  })
})

describe('the sums of a list', () => {
  it('are the sums of all its pages, for each currency, with the credits also on their own', async () => {
    const invoices = [
      ...range(150).map((index) => invoice(`${index}`, { total: 100 })),
      invoice('credit', { total: -500 }),
      invoice('yen', { currency: 'JPY', total: 300 }),
    ]
    const copy = await filledCopy(customers, invoices)
    const { sums, rows } = copy.answer('list', { list: 'invoices', sort: '-total' })
    expect(sums).toMatchObject([
      { currency: 'EUR', count: 151, amounts: { total: 14_500 }, credits: { count: 1, total: -500 } },
      { currency: 'JPY', count: 1, amounts: { total: 300 }, credits: { count: 0, total: 0 } },
    ])
    expect(rows).toHaveLength(100)
  })

  it('do not count an invoice of 0 as a credit', () => {
    const row = (id: string, amount: number) => ({
      path: ['invoices', id] as const,
      customer: 'ann',
      currency: 'EUR',
      cells: { total: { amount, currency: 'EUR' } },
    })
    const [sums] = sumsOf([row('free', 0), row('credit', -5), row('paid', 7)], ['EUR'])
    expect(sums).toEqual({
      currency: 'EUR',
      count: 3,
      amounts: { total: 2 },
      credits: { count: 1, total: -5 },
    })
  })

  it('of a month equal its figures, to the last second', async () => {
    const start = Date.UTC(2026, 4, 1) / 1000
    const end = Date.UTC(2026, 5, 1) / 1000
    const daysSince = (seconds: number) => (NOW - seconds) / DAY
    const invoices = [
      invoice('before', { days: daysSince(start - 1) }),
      invoice('first', { days: daysSince(start) }),
      invoice('last', { days: daysSince(end - 1) }),
      invoice('after', { days: daysSince(end) }),
    ]
    const copy = await filledCopy(customers, invoices)
    const page = copy.answer('list', { list: 'invoices', within: '2026-05' })
    expect(page.rows.map(({ path }) => path[1])).toEqual(['last', 'first'])
    const isMay = ({ name }: { readonly name: string }) => name === '2026-05'
    const { invoiced } = copy.answer('overview', {})!
    expect(page.sums[0]!.amounts.total).toBe(invoiced.find(isMay)!.invoiced)
    const { revenue } = copy.answer('finance', {})!
    expect(page.sums[0]!.amounts.net).toBe(revenue!.find(isMay)!.billed)
  })
})

const withDiscount = (invoice: Invoice, discount: { id: string; name: string }): Invoice => ({
  ...invoice,
  discounts: [discount as Invoice['discounts'][number]],
})

describe('the filter', () => {
  const discount = { id: 'disc_1', external_id: 'SPRING26', name: 'Spring' }
  const discounted = withDiscount(invoice('discounted', { days: 1, total: 120_000 }), discount)
  const invoices = [
    withLines(invoice('small', { total: 99_999 }), [{ amount: 99_999, tax_amount: 1999 }], 99_999),
    invoice('even', { customer: 'bob', total: 100_000 }),
    discounted,
    invoice('yen', { currency: 'JPY', total: 1001, days: 2 }),
  ]

  it.each([
    ['< 1,000,000.00', ['small', 'even', 'discounted', 'yen']],
    ['> 1,000,000', []],
    ['= 1,001', ['yen']],
    ['> 1000', ['discounted', 'yen']],
    ['>=1,000', ['even', 'discounted', 'yen']],
    ['<1000', ['small']],
    ['> 1.000', []],
    ['= 999,99', []],
    ['= 1,000.00', ['even']],
    ['= 999.99', ['small']],
    ['> 1000 < 1100', ['yen']],
    ['spring26', ['discounted']],
    ['Spring > 2000', []],
    ['country:FR', ['even']],
    ['country:de > 1000', ['discounted', 'yen']],
    ['country:none', []],
    ['size:5', ['small', 'discounted', 'yen']],
    ['shape:5', []],
    ['tax = 0', ['even', 'discounted', 'yen']],
    ['Tax > 0', ['small']],
    ['net <1,008.5', ['small', 'even', 'yen']],
    ['net < 1,002 total > 1,000.99', ['yen']],
    ['spring > 1000', ['discounted']],
    ['total < −5', []],
  ])('"%s" finds %j', async (text, expected) => {
    const copy = await filledCopy(customers, invoices, { discounts: [discount] })
    const { rows } = copy.answer('list', { list: 'invoices', text })
    expect(rows.map(({ path }) => path[1])).toEqual(expected)
  })
})

describe('the CSV of a tax adviser', () => {
  it('has the rate of each invoice and every key of the metadata, with decimal commas where chosen', async () => {
    const metadata = { country: 'DE', vat_id: 'DE1', currency: 'mine', seats: 2.5, '': 'x' }
    const people = [{ ...customer('ann', 'Ann', metadata), email: 'ann@example.org' }, customer('bob', 'Bob')]
    const taxed = (id: string, taxes: readonly number[], owner = 'ann') =>
      withLines(
        invoice(id, { customer: owner }),
        taxes.map((tax) => ({ amount: 10_000, tax_amount: tax })),
        taxes.reduce((sum, tax) => sum + 10_000 + tax, 0),
      )
    const copy = await filledCopy(people, [
      taxed('one', [1900]),
      taxed('two', [1900, 700]),
      taxed('free', [0]),
      taxed('half', [550], 'bob'),
    ])
    const text = await copy.answer('csv', { list: 'invoices', sort: 'external_id', form: 'comma' }).text()
    const rows: Readonly<Record<string, string>>[] = parse(text, { columns: true, delimiter: ';' })
    const titles = ['Net', 'Tax rate %', 'country', 'vat_id', 'currency (metadata)', 'seats', 'Email']
    expect(rows.map((row) => titles.map((title) => row[title]))).toEqual([
      ['100,00', '0', 'DE', 'DE1', 'mine', '2,5', 'ann@example.org'],
      ['100,00', '5,5', '', '', '', '', ''],
      ['100,00', '19', 'DE', 'DE1', 'mine', '2,5', 'ann@example.org'],
      ['200,00', '19 + 7', 'DE', 'DE1', 'mine', '2,5', 'ann@example.org'],
    ])
    expect(rows[0]).not.toHaveProperty([''])
  })

  it('has a column for each of the 200 most frequent keys of the metadata, and one for all others', async () => {
    const people = range(300).map((index) => {
      const ownKeys = { 'other metadata': index, [`key ${index}`]: 'x', [`second ${index}`]: null }
      return customer(`${index}`, 'Ann', index === 0 ? { country: 'DE' } : ownKeys)
    })
    const copy = await filledCopy(
      people,
      people.map(({ id }) => invoice(id, { customer: id })),
    )
    const text = await copy.answer('csv', { list: 'customers', sort: 'name', form: 'point' }).text()
    const rows: Readonly<Record<string, string>>[] = parse(text, { columns: true })
    const row = (id: string) => rows.find(({ Id }) => Id === id)
    const titles = Object.keys(rows[0]!)
    const first = titles.indexOf('other metadata (metadata)')
    expect(titles.slice(first + 1, first + 3)).toEqual(['country', 'key 1'])
    expect(titles.indexOf('Other metadata') - first).toBe(200)
    expect(row('1')).toMatchObject({
      'other metadata (metadata)': '1',
      'key 1': 'x',
      'Other metadata': '{"second 1":null}',
    })
    expect(row('299')).toMatchObject({ 'key 1': '', 'Other metadata': '{"key 299":"x","second 299":null}' })
    expect(row('0')).toMatchObject({ country: 'DE', 'Other metadata': '' })
  })
})

describe('the customers', () => {
  it('have their first invoice, whatever the order in which invoices were read', async () => {
    const copy = await filledCopy(customers, [
      invoice('new', { days: 3 }),
      invoice('old', { days: 90 }),
      invoice('mid', { days: 33 }),
    ])
    const { rows } = copy.answer('list', { list: 'customers', currency: 'EUR' })
    expect(rows[0]!.cells).toMatchObject({ since: NOW - 90 * DAY })
    expect(copy.answer('customer', 'ann')).toMatchObject({ since: NOW - 90 * DAY, latest: NOW - 3 * DAY })
  })

  it('are sorted by name without regard to case and accents, and numbers by their value', async () => {
    const named = ['Ömer', 'Zoe', 'Customer 10', 'customer 9', 'Ann'].map((name) => customer(name, name))
    const copy = await filledCopy(named, [])
    const { rows } = copy.answer('list', { list: 'customers', sort: 'name' })
    expect(rows.map(({ cells }) => cells.name)).toEqual(['Ann', 'customer 9', 'Customer 10', 'Ömer', 'Zoe'])
  })

  it('who joined in a quarter or a year are those of its months, and the cohort of the quarter', async () => {
    const joined = [
      invoice('a', { days: 90 }),
      invoice('b', { customer: 'bob', days: 40, total: 2000 }),
      // What a customer does later in the quarter is not how they joined.
      invoice('b-more', { customer: 'bob', days: 10, total: 3000 }),
      invoice('c', { customer: 'cy', days: 5, total: 1000 }),
    ]
    const copy = await filledCopy(customers, joined)
    const listOf = (within: string, joined: object = { kind: 'new' }) => {
      const { rows, sums } = copy.answer('list', { list: 'movements', ...joined, within, sort: 'customer' })
      return { names: rows.map(({ cells }) => cells.customer), change: sums[0]?.amounts.change }
    }
    expect(listOf('2026-Q1')).toEqual({ names: ['Ann'], change: 4900 })
    expect(listOf('2026-Q2')).toEqual({ names: ['Bob', 'Cy'], change: 3000 })
    expect(listOf('2026-Q2', { customers: 'new' })).toEqual({ names: ['Bob', 'Cy'], change: 3000 })
    expect(listOf('2026')).toEqual({ names: ['Ann', 'Bob', 'Cy'], change: 7900 })
    const { recurring, customers: counts } = copy.answer('finance', {})!
    expect(recurring.quarters.map(({ values }) => values[0])).toEqual([4900, 3000])
    expect(counts.quarters.map(({ values }) => values[0])).toEqual([1, 2])
  })
})

describe('segments', () => {
  const invoices = [
    invoice('a'),
    invoice('b', { customer: 'bob', total: 2000 }),
    invoice('c', { customer: 'cy', total: 1000 }),
  ]

  it('divide recurring revenue, movements and billed amounts, and add up to the whole', async () => {
    const copy = await filledCopy(customers, invoices)
    const overview = copy.answer('overview', { by: 'country' })!
    const rows = overview.recurring!.plans.map(({ key, values, start, billed }) => ({
      key,
      now: values.at(-1),
      start,
      billed,
    }))
    expect(rows).toEqual([
      { key: 'DE', now: 4900, start: 0, billed: 4900 },
      { key: 'FR', now: 2000, start: 0, billed: 2000 },
      { key: 'none', now: 1000, start: 0, billed: 1000 },
    ])
    const ends = overview.segments!.map(({ end }) => end)
    expect(ends.reduce((sum, end) => sum + end, 0)).toBe(overview.movements!.at(-1)!.end)
  })

  it('are a column and a filter of a list, which offers their keys', async () => {
    const copy = await filledCopy(customers, invoices)
    const page = copy.answer('list', { list: 'invoices', by: 'country', segment: 'none' })
    expect(page.rows).toMatchObject([{ path: ['invoices', 'c'], cells: { segment: 'none' } }])
    expect(page.segmentKeys).toEqual([
      { key: 'country', values: ['DE', 'FR', 'none'] },
      { key: 'size', values: ['none', '5'] },
    ])
  })
})

describe('the keys for segments', () => {
  const people = (count: number, metadata: (index: number) => Readonly<Record<string, unknown>>) =>
    range(count).map((index) => customer(`${index}`, 'Ann', metadata(index)))

  it.each<[string, object[], boolean]>([
    ['a key with few values', people(30, (index) => ({ key: index % 5 })), true],
    ['a key with as few customers as values, but only five', people(5, (index) => ({ key: index })), true],
    ['a number of each customer', people(12, (index) => ({ key: `DE${index}` })), false],
    ['a key with more than twenty values', people(100, (index) => ({ key: index % 21 })), false],
    ['an empty key', people(9, () => ({ '': 'x', ' ': 'y' })), false],
  ])('%s is offered: %#', async (_, customersWithKey, isOffered) => {
    const copy = await filledCopy(customersWithKey, [])
    expect(copy.answer('list', { list: 'customers' }).segmentKeys.length === 1).toBe(isOffered)
  })

  it('are found by reading the metadata of each customer a limited number of times', () => {
    let reads = 0
    const withOwnKeys = range(500).map((number) => {
      const metadata = Object.fromEntries(range(10).map((index) => [`key ${number} ${index}`, 'x']))
      return Object.defineProperty(customer(`${number}`, 'Ann'), 'metadata', {
        get: () => {
          reads += 1
          return metadata
        },
      })
    })
    expect(segmentKeysOf(withOwnKeys)).toHaveLength(40)
    expect(reads).toBeLessThan(60 * withOwnKeys.length)
  })

  it('named "plan" has a column that is told from the plan', async () => {
    const copy = await filledCopy([customer('ann', 'Ann', { plan: 'old' })], [invoice('one')])
    const { columns } = copy.answer('list', { list: 'subscriptions', by: 'plan' })
    expect(columns.map(({ title }) => title).slice(1, 3)).toEqual(['Plan (metadata)', 'Plan'])
  })
})

describe('the renewals', () => {
  it('are monthly plans in every month, and yearly plans in the month in which their period ends', async () => {
    const yearly = invoice('yearly', { customer: 'bob', days: 61, total: 12_000 })
    const line = {
      period_end: Date.UTC(2027, 3, 15, 12) / 1000,
      interval: 'year',
      price: { ...yearly.line_items[0]!.price!, interval: 'year' },
    }
    const ended = invoice('ended', { customer: 'cy', days: 90 })
    const copy = await filledCopy(customers, [invoice('monthly'), withLines(yearly, [line], 12_000), ended])
    const { renewals } = copy.answer('overview', { currency: 'EUR' })!
    expect(renewals).toHaveLength(12)
    expect(renewals.slice(0, 3)).toMatchObject([
      { name: '2026-06', invoices: 0, amount: 0 },
      { name: '2026-07', invoices: 1, amount: 4900 },
      { name: '2026-08', invoices: 1, amount: 4900 },
    ])
    expect(renewals.find(({ name }) => name === '2027-04')).toMatchObject({
      invoices: 2,
      amount: 4900 + 12_000,
    })
    const page = copy.answer('list', { list: 'subscriptions', renews: '2027-04', currency: 'EUR' })
    expect(page.sums).toMatchObject([{ count: 2, amounts: { expected: 16_900 } }])
  })
})

describe('a renewal that is late', () => {
  // The period of 30 days ended yesterday. Dee's ended four days ago, so she counts as lost.
  const late = [invoice('late', { days: 31 }), invoice('lost', { customer: 'dee', days: 34 })]

  it('is due when the period ended, in the list of the current month, and the later one in the next', async () => {
    const copy = await filledCopy(customers, late)
    const dueIn = (renews: string) =>
      copy.answer('list', { list: 'subscriptions', renews }).rows.map(({ cells }) => cells.renews)
    expect(dueIn('2026-06')).toEqual([NOW - DAY])
    expect(dueIn('2026-07')).toEqual([Date.UTC(2026, 6, 14, 12) / 1000])
    const { renewals } = copy.answer('overview', { currency: 'EUR' })!
    expect(renewals.slice(0, 2)).toMatchObject([
      { name: '2026-06', invoices: 1, late: 1 },
      { name: '2026-07', invoices: 1, late: 0 },
    ])
  })

  it('is part of the recurring revenue, which names its amount', async () => {
    const copy = await filledCopy(customers, [...late, invoice('paid', { customer: 'bob', total: 100 })])
    const { now, awaitingRenewal } = copy.answer('overview', { currency: 'EUR' })!.recurringFigures!
    expect({ now, awaitingRenewal }).toEqual({ now: 5000, awaitingRenewal: 4900 })
  })
})

describe('the tiles', () => {
  it('show the retention of the customers of a year ago', async () => {
    /** Returns the invoices that a customer got from `oldest` to `newest` months ago. */
    const monthlyInvoices = (customer: string, oldest: number, newest: number, total: number) =>
      range(oldest - newest + 1).map((index) => {
        const months = oldest - index
        return invoice(`${customer}-${months}`, { customer, days: months * 30, total })
      })
    // Ann pays more than a year ago, Bob has left, and Cy is new: the retention does not include her.
    const invoices = [
      ...monthlyInvoices('ann', 14, 6, 1000),
      ...monthlyInvoices('ann', 5, 0, 1500),
      ...monthlyInvoices('bob', 14, 8, 2000),
      ...monthlyInvoices('cy', 3, 0, 700),
    ]
    const copy = await filledCopy(customers, invoices)
    const overview = copy.answer('overview', {})!
    expect(overview.recurringFigures).toMatchObject({
      now: 2200,
      yearAgo: 3000,
      retention: { start: 3000, kept: 1500, lost: 2000 },
      customers: 2,
      averageRevenue: 1100,
    })
    expect(overview.recurringFigures!.revenueByMonth).toHaveLength(13)
  })
})

describe('a statement', () => {
  it('has the invoices of its time span, oldest first, and their sums', async () => {
    const copy = await filledCopy(customers, [
      invoice('june'),
      invoice('may', { days: 31 }),
      invoice('bob', { customer: 'bob' }),
    ])
    const all = copy.answer('statement', { id: 'own-ann' })!
    expect(all.rows.map(({ path }) => path[1])).toEqual(['may', 'june'])
    expect(all).toMatchObject({ name: 'Ann', first: NOW - 31 * DAY, last: NOW })
    const [start, end] = [Date.UTC(2026, 4, 1) / 1000, Date.UTC(2026, 5, 1) / 1000]
    const edges = [start - 1, start, end - 1, end].map((time) =>
      invoice(String(time), { days: (NOW - time) / DAY }),
    )
    const may = (await filledCopy(customers, edges)).answer('statement', { id: 'ann', within: '2026-05' })!
    expect(may.rows.map(({ path }) => path[1])).toEqual([String(start), String(end - 1)])
    const june = copy.answer('statement', { id: 'ann', within: '2026-06' })!
    expect(june.sums).toMatchObject([{ count: 1, amounts: { total: 4900 } }])
    expect(copy.answer('statement', { id: 'nobody' })).toBeUndefined()
  })
})

describe('a plan', () => {
  it('has its revenue, customers and subscriptions', async () => {
    const copy = await filledCopy(customers, [invoice('a'), invoice('b', { customer: 'bob', total: 2000 })])
    const { currencies, subscriptions } = copy.answer('plan', 'Pro')
    expect(currencies).toMatchObject([{ currency: 'EUR', customers: 2, billed: 6900 }])
    expect(currencies[0]!.months.at(-1)!.amount).toBe(6900)
    expect(subscriptions.rows.map(({ customer: id }) => id)).toEqual(['ann', 'bob'])
  })

  it('has the months of its last two years', async () => {
    const invoices = range(40).map((month) => invoice(`${month}`, { days: month * 30 }))
    const copy = await filledCopy([], invoices)
    const [plan] = copy.answer('plan', 'Pro').currencies
    expect(plan!.months).toHaveLength(24)
    expect(plan!.months[0]!.name).toBe('2024-07')
    expect(plan!.months.at(-1)!.name).toBe('2026-06')
  })
})

describe('a subscription', () => {
  it('that has ended shows only the plans of its last billing, and adds nothing to the monthly value', async () => {
    const basic = (id: string, days: number) =>
      withLines(invoice(id, { days }), [{ price: priceOf('Basic', { id: 'basic', price: 4900 }) }], 4900)
    const copy = await filledCopy(customers, [basic('first', 120), invoice('last', { days: 90 })])
    const { rows } = copy.answer('list', { list: 'subscriptions' })
    expect(rows.map(({ cells }) => cells.plan)).toEqual(['Pro, monthly, €49.00'])
    expect(copy.answer('customer', 'ann')).toMatchObject({ monthly: [], active: 0, subscriptionCount: 1 })
  })

  it.each([
    [-1, 'Ended 15 Jun 2026'],
    [0, 'Ended 15 Jun 2026'],
    [1, 'Paused'],
  ])('that is not active and billed until %i seconds from now is shown as "%s"', (seconds, text) => {
    const status = { active: false, since: NOW - DAY, until: NOW + seconds }
    expect(stateText({ now: NOW, timeZone: 'UTC' }, status)).toBe(text)
  })

  it('has its changes with their reasons, the latest first', async () => {
    const copy = await filledCopy(customers, [
      invoice('first', { days: 40 }),
      invoice('second', { days: 10, total: 9900 }),
    ])
    const { changes, plans, state } = copy.answer('subscription', 'sub-ann')!
    expect(changes.map(({ cells }) => cells)).toMatchObject([
      { kind: 'Expansion', before: eur(4900), after: eur(9900), why: 'Pro: price changed' },
      { kind: 'New', before: eur(0), after: eur(4900), why: null },
    ])
    expect(plans).toMatchObject([{ label: 'Pro, monthly, €99.00', monthly: { amount: 9900 } }])
    expect(state).toBe('Active until 5 Jul 2026')
    expect(copy.answer('subscription', 'nothing')).toBeUndefined()
  })
})

describe('a save', () => {
  it('does not replace one that was requested later', async () => {
    const ann = customers[0]!
    const copy = await filledCopy([ann], [])
    const requestedAt = Date.now() + 1000
    await copy.save('customers', { ...ann, name: 'Second' }, requestedAt)
    await copy.save('customers', { ...ann, name: 'First' }, requestedAt - 1)
    expect(copy.answer('search', 'own-ann').found[0]!.name).toBe('Second')
  })
})
