import * as analytics from '../../../client/analytics/index.ts'
import { filledCopy, invoice, NOW } from '../copy/copy-in-memory.ts'

const customers = [
  { id: 'ann', external_id: 'a', name: 'Ann', email: null },
  { id: 'bob', external_id: 'b', name: 'Bob', email: null },
]
const walked = customers.map((customer) => ({ ...customer, changed: 1 }))
const invoices = [
  ...Array.from({ length: 20 }, (_, month) => invoice(`ann-${month}`, { days: month * 30 })),
  ...Array.from({ length: 5 }, (_, month) =>
    invoice(`bob-${month}`, { days: 60 + month * 30, customer: 'bob' }),
  ),
  invoice('yen', { currency: 'JPY', customer: 'bob', total: 900 }),
]

describe('the overview', () => {
  it('says what the functions say, in one currency and range', async () => {
    const copy = await filledCopy(customers, invoices)
    const overview = copy.answer('overview', { currency: 'EUR', months: 12 })!
    const recurring = analytics.recurringByMonth(invoices, NOW).find(({ currency }) => currency === 'EUR')!
    expect(overview.currencies).toEqual(['EUR', 'JPY'])
    const { months, plans } = overview.recurring!
    expect(months).toEqual(recurring.months.slice(-12))
    expect(plans.map(({ values }) => values)).toEqual([months.map(({ total }) => total)])
    const others = [overview.movements!, overview.invoiced, overview.counts]
    expect(others.map(({ length }) => length)).toEqual([12, 12, 12])
    const recent = invoices.filter(({ created }) => created >= Date.UTC(1970, months[0]!.month) / 1000)
    const [ranking] = analytics.invoicedByCustomer(recent, NOW)
    const named = ranking!.rows.map((row, index) => ({ ...row, name: ['Ann', 'Bob'][index] }))
    expect(overview.customers.rows).toEqual(named)
    expect(overview.coverage).toEqual(analytics.coverageOf(invoices, NOW))
  })

  it('says of the running month what its lists have, also if it is dated ahead', async () => {
    const days = { now: 0, ahead: -3, later: -14, july: -20 }
    const dated = Object.entries(days).flatMap(([id, ago]) => [
      invoice(id, { days: ago }),
      invoice(`${id}-credit`, { days: ago, total: -100 }),
    ])
    const copy = await filledCopy(customers, dated)
    const { invoiced, thisMonth } = copy.answer('overview', {})!
    const totals = (query: object) =>
      copy
        .answer('list', { list: 'invoices', currency: 'EUR', ...query })
        .rows.map(({ cells }) => (cells.total as { amount: number }).amount)
    const month = invoiced.at(-1)!.name
    const credits = totals({ kind: 'credits', within: month })
    expect([thisMonth.credits, credits.length]).toEqual([3, 3])
    expect(totals({ within: month }).reduce((a, b) => a + b)).toBe(3 * 4800)
    expect(invoiced.at(-1)!.invoiced).toBe(3 * 4800)
    expect(totals({ within: 'week' }).length).toBe(4)
  })

  it('has the plans of the months that are shown, the greatest first', async () => {
    const ofPlan = (name: string, days: number, total: number) => {
      const billed = invoice(`${name}-${days}`, { customer: name, days, total })
      const [line] = billed.line_items
      const price = { ...line!.price!, id: name, product: { id: name, name } }
      return { ...billed, line_items: [{ ...line!, price }] }
    }
    const sold = Array.from({ length: 24 }, (_, month) => [
      ofPlan('Ended', 30 * (month + 20), 9900),
      ofPlan('Long', 30 * month, 1900),
      ...(month < 3 ? [ofPlan('New', 30 * month, 9900)] : []),
    ])
    const copy = await filledCopy([], sold.flat())
    const plans = (query: object) => copy.answer('overview', query)!.recurring!.plans.map(({ name }) => name)
    expect(plans({ months: 12 })).toEqual(['New', 'Long'])
    expect(plans({})).toEqual(['Ended', 'Long', 'New'])
  })

  it('draws the greatest of a ranking, and has all of them as CSV', async () => {
    const many = Array.from({ length: 250 }, (_, index) => ({ id: `c${index}`, name: `Customer ${index}` }))
    const bills = many.map(({ id }, index) => invoice(id, { customer: id, total: 1000 + index }))
    const old = invoice('old', { customer: 'c0', days: 400, total: 9900 })
    const copy = await filledCopy(many, [...bills, old])
    const { customers: ranked } = copy.answer('overview', { months: 12 })!
    expect([ranked.count, ranked.rows.length]).toEqual([250, 10])
    expect(ranked.rows[0]).toEqual({ key: 'c249', name: 'Customer 249', amount: 1249 })
    const asked = { name: 'customers', title: 'Who', currency: 'EUR', months: 12 } as const
    const lines = (await copy.answer('ranking', asked).text()).trim().split('\r\n')
    expect(lines.length).toBe(1 + 250)
    expect([lines[0], lines[1], lines.at(-1)]).toEqual([
      'Who,Id,Currency,Amount',
      'Customer 249,c249,EUR,12.49',
      'Customer 0,c0,EUR,10.00',
    ])
  })

  it('has all months without a range, and the currency of most invoices without a choice', async () => {
    const copy = await filledCopy(customers, invoices)
    const overview = copy.answer('overview', { currency: 'XXX' })!
    expect(overview.currency).toBe('EUR')
    expect(overview.invoiced.length).toBeGreaterThan(18)
  })

  it('tells what no rule can decide, and lists the invoices that are meant', async () => {
    const overlapping = [
      invoice('first', { days: 20 }),
      invoice('again', { days: 5 }),
      invoice('other', { customer: 'bob' }),
    ]
    const copy = await filledCopy(customers, overlapping)
    expect(copy.answer('overview', {})!.coverage.overlappingLines).toBe(1)
    const listed = copy.answer('list', { list: 'invoices', told: 'overlappingLines' })
    expect(listed.rows.map(({ path }) => path)).toEqual([['invoices', 'again']])
  })

  it('is nothing without an invoice', async () => {
    expect((await filledCopy(customers, [])).answer('overview', {})).toBeUndefined()
  })

  it('agrees with the page of a customer, by either id', async () => {
    const copy = await filledCopy(walked, invoices)
    const ann = copy.answer('customer', 'a')!
    expect(ann.customer).toEqual(customers[0])
    expect(ann).toEqual(copy.answer('customer', 'ann'))
    const [invoiced, monthly] = [20 * 4900, 4900].map((amount) => [{ currency: 'EUR', amount }])
    expect(ann).toMatchObject({ invoiced, monthly, active: 1, invoices: { length: 20 } })
    expect(copy.answer('customer', 'nobody')).toBeUndefined()
  })

  it('counts a subscription in two currencies once, which has two rows', async () => {
    const billed = [invoice('euro'), invoice('yen', { currency: 'JPY' })]
    const ann = (await filledCopy(customers, billed)).answer('customer', 'ann')!
    expect(ann).toMatchObject({ active: 1, subscriptionCount: 1, subscriptions: { length: 2 } })
  })
})
