import * as analytics from '../../../client/analytics/index.ts'
import { priceOf } from '../../client/analytics/invoices.ts'
import { range } from '../../support/range.ts'
import { DAY, filledCopy, invoice, NOW } from '../copy/copy-in-memory.ts'

const customers = ['Ann', 'Bob', 'Cem', 'Dee', 'Eve'].map((name) => {
  const id = name.toLowerCase()
  return { id, external_id: `own-${id}`, name, email: null }
})
const invoices = [
  ...range(20).map((month) => invoice(`ann-${month}`, { days: month * 30 })),
  ...range(5).map((month) => invoice(`bob-${month}`, { days: 60 + month * 30, customer: 'bob' })),
  invoice('yen', { currency: 'JPY', customer: 'bob', total: 900 }),
]

describe('the overview', () => {
  it('shows the results of the functions for one currency and a number of months', async () => {
    const copy = await filledCopy(customers, invoices)
    const overview = copy.answer('overview', { currency: 'EUR', months: 12 })!
    const recurring = analytics.recurringByMonth(invoices, NOW).find(({ currency }) => currency === 'EUR')!
    expect(overview.currencies).toEqual(['EUR', 'JPY'])
    const { months, plans } = overview.recurring!
    expect(months).toEqual(recurring.months.slice(-12))
    expect(plans).toHaveLength(1)
    expect(plans[0]!.values).toEqual(months.map(({ total }) => total))
    for (const others of [overview.movements!, overview.invoiced, overview.customersByMonth])
      expect(others.map(({ month }) => month)).toEqual(months.map(({ month }) => month))
    const shownFrom = Date.UTC(1970, months[0]!.month) / 1000
    const shownInvoices = invoices.filter(({ created }) => created >= shownFrom)
    const [ranking] = analytics.invoicedByCustomer(shownInvoices, NOW)
    const [annRow, bobRow] = ranking!.rows
    expect(overview.rankings.customers.rows).toEqual([
      { ...annRow, name: 'Ann' },
      { ...bobRow, name: 'Bob' },
    ])
    expect(overview.coverage).toEqual(analytics.coverageOf(invoices, NOW))
  })

  it('agrees with the lists of the current month, also for invoices that are dated ahead', async () => {
    const daysAgo = { today: 0, inThreeDays: -3, inTwoWeeks: -14, nextMonth: -20 }
    const invoices = Object.entries(daysAgo).flatMap(([id, days]) => [
      invoice(id, { days }),
      invoice(`${id}-credit`, { days, total: -100 }),
    ])
    const copy = await filledCopy(customers, invoices)
    const { invoiced, thisMonth } = copy.answer('overview', {})!
    const list = (query: object) => copy.answer('list', { list: 'invoices', currency: 'EUR', ...query })
    const currentMonth = invoiced.at(-1)!
    expect(thisMonth.credits).toBe(3)
    expect(list({ kind: 'credits', within: currentMonth.name }).rows).toHaveLength(3)
    expect(currentMonth.invoiced).toBe(3 * (4900 - 100))
    expect(list({ within: currentMonth.name }).sums[0]!.amounts.total).toBe(3 * (4900 - 100))
    expect(list({ within: 'week' }).rows).toHaveLength(4)
  })

  it('returns the plans of the shown months, largest revenue first', async () => {
    const planInvoice = (name: string, days: number, total: number) => {
      const template = invoice(`${name}-${days}`, { customer: name, days, total })
      const [line] = template.line_items
      const price = priceOf(name, { ...line!.price!, id: name, product: priceOf(name).product })
      return { ...template, line_items: [{ ...line!, price }] }
    }
    const invoices = [
      ...range(24).map((month) => planInvoice('Ended', 30 * (month + 20), 9900)),
      ...range(24).map((month) => planInvoice('Long', 30 * month, 1900)),
      ...range(3).map((month) => planInvoice('New', 30 * month, 9900)),
    ]
    const copy = await filledCopy([], invoices)
    const planNames = (query: object) =>
      copy.answer('overview', query)!.recurring!.plans.map(({ name }) => name)
    expect(planNames({ months: 12 })).toEqual(['New', 'Long'])
    expect(planNames({})).toEqual(['Ended', 'Long', 'New'])
  })

  it('shows the ten greatest rows of a ranking, and has all of them as CSV', async () => {
    const customers = range(250).map((index) => ({ id: `c${index}`, name: `Customer ${index}` }))
    const recent = customers.map(({ id }, index) => invoice(id, { customer: id, total: 1000 + index }))
    const old = invoice('old', { customer: 'c0', days: 400, total: 9900 })
    const copy = await filledCopy(customers, [...recent, old])
    const { customers: ranking } = copy.answer('overview', { months: 12 })!.rankings
    expect(ranking.count).toBe(250)
    expect(ranking.rows).toHaveLength(10)
    expect(ranking.rows[0]).toEqual({ key: 'c249', name: 'Customer 249', amount: 1249 })
    const question = { name: 'customers', title: 'Who', currency: 'EUR', months: 12, form: 'point' } as const
    const csv = await copy.answer('ranking', question).text()
    const [header, ...rows] = csv.trim().split('\r\n')
    expect(header).toBe('Who,Id,Currency,Amount')
    expect(rows).toHaveLength(250)
    expect(rows[0]).toBe('Customer 249,c249,EUR,12.49')
    expect(rows.at(-1)).toBe('Customer 0,c0,EUR,10.00')
  })

  it('has all months by default, and the currency of most invoices in place of an unknown one', async () => {
    const copy = await filledCopy(customers, invoices)
    const overview = copy.answer('overview', { currency: 'XXX' })!
    expect(overview.currency).toBe('EUR')
    expect(overview.invoiced.length).toBeGreaterThan(18)
  })

  it('counts what no rule can decide, and the list shows the invoices that it counts', async () => {
    const overlapping = [
      invoice('first', { days: 20 }),
      invoice('again', { days: 5 }),
      invoice('other', { customer: 'bob' }),
    ]
    const copy = await filledCopy(customers, overlapping)
    expect(copy.answer('overview', {})!.coverage.overlappingLines).toBe(1)
    const listed = copy.answer('list', { list: 'invoices', fact: 'overlappingLines' })
    expect(listed.rows.map(({ path }) => path)).toEqual([['invoices', 'again']])
  })

  it('is undefined without an invoice', async () => {
    const copy = await filledCopy(customers, [])
    expect(copy.answer('overview', {})).toBeUndefined()
  })
})

describe('the page of a customer', () => {
  it("is found by the user's id and by the service's, and has the totals of the customer", async () => {
    const changedCustomers = customers.map((customer) => ({ ...customer, changed: 1 }))
    const copy = await filledCopy(changedCustomers, invoices)
    const ann = copy.answer('customer', 'own-ann')!
    expect(ann.customer).toEqual(customers[0])
    expect(ann).toEqual(copy.answer('customer', 'ann'))
    expect(ann).toMatchObject({
      invoiced: [{ currency: 'EUR', amount: 20 * 4900 }],
      monthly: [{ currency: 'EUR', amount: 4900 }],
      active: 1,
      invoices: { length: 20 },
    })
    expect(copy.answer('customer', 'nobody')).toBeUndefined()
  })

  it('counts a subscription in two currencies once, although it has two rows', async () => {
    const copy = await filledCopy(customers, [invoice('euro'), invoice('yen', { currency: 'JPY' })])
    const ann = copy.answer('customer', 'ann')!
    expect(ann).toMatchObject({ active: 1, subscriptionCount: 1, subscriptions: { length: 2 } })
  })
})

/** Returns how many days before now a second is. */
const daysBefore = (date: string): number => (NOW - Date.parse(date) / 1000) / DAY

describe('the overview of a currency', () => {
  const yen = { currency: 'JPY', total: 900 }
  const invoices = [
    ...[75, 45, 15].map((days) => invoice(`ann ${days}`, { days })),
    // In yen, bob leaves in May, cem joins in June and is credited, and dee's renewal is late.
    invoice('bob', { ...yen, customer: 'bob', days: 60 }),
    invoice('cem', { ...yen, customer: 'cem', days: 5 }),
    invoice('cem credited', { ...yen, customer: 'cem', days: 4, total: -100 }),
    invoice('dee', { ...yen, customer: 'dee', days: 31 }),
  ]

  it('leaves out customers who left or joined, credits and late renewals in another currency', async () => {
    const copy = await filledCopy(customers, invoices)
    const figuresIn = (currency: string) => {
      const { recurringFigures, thisMonth, movementsByKind } = copy.answer('overview', { currency })!
      const { lastMonth, awaitingRenewal } = recurringFigures!
      const joined = movementsByKind!.find(({ kind }) => kind === 'new')!
      return {
        left: lastMonth!.churnedCustomers,
        joined: joined.customers.at(-1),
        credits: thisMonth.credits,
        awaitingRenewal,
      }
    }
    expect(figuresIn('EUR')).toEqual({ left: 0, joined: 0, credits: 0, awaitingRenewal: 0 })
    expect(figuresIn('JPY')).toEqual({ left: 1, joined: 1, credits: 1, awaitingRenewal: 900 })
  })

  it('has thirteen months of customers: those of a year, and the month before it', async () => {
    const months = Array.from({ length: 20 }, (_, index) => invoice(`${index}`, { days: index * 30 }))
    const copy = await filledCopy(customers, months)
    const { recurringFigures, invoicedInYear } = copy.answer('overview', {})!
    expect(recurringFigures!.customersByMonth).toHaveLength(13)
    expect(invoicedInYear).toHaveLength(13)
    expect(recurringFigures!.churnRates).toHaveLength(12)
  })

  it('counts credits from the first second of the month to the last', async () => {
    const dates = [
      '2026-05-31T23:59:59Z',
      '2026-06-01T00:00:00Z',
      '2026-06-30T23:59:59Z',
      '2026-07-01T00:00:00Z',
    ]
    const credits = dates.map((date) => invoice(date, { days: daysBefore(date), total: -100 }))
    const copy = await filledCopy(customers, [invoice('ann'), ...credits])
    expect(copy.answer('overview', {})!.thisMonth.credits).toBe(2)
  })
})

describe('finance in a currency', () => {
  it('has the schedule up to the last month with an amount in it', async () => {
    const copy = await filledCopy(customers, [
      invoice('this month', { days: 15 }),
      invoice('next month', { customer: 'bob', currency: 'JPY', days: 1 }),
    ])
    const namesIn = (currency: string) =>
      copy.answer('finance', { currency })!.schedule!.map(({ name }) => name)
    expect(namesIn('EUR')).toEqual(['2026-06'])
    expect(namesIn('JPY')).toEqual(['2026-06', '2026-07'])
  })

  it('has the cohorts of the shown months, and the quarters that contain one of them', async () => {
    const joined = {
      ann: '2025-06-30T23:59:59Z',
      bob: '2025-07-01T00:00:00Z',
      cem: '2026-01-01T00:00:00Z',
      dee: '2026-06-01T00:00:00Z',
    }
    const invoices = Object.entries(joined).map(([customer, date]) => {
      const joinedOn = invoice(customer, { customer, days: daysBefore(date) })
      const [line] = joinedOn.line_items
      // Two days longer, so that it is active at the end of a month of 31 days, too.
      return { ...joinedOn, line_items: [{ ...line!, period_end: line!.period_end! + 2 * DAY }] }
    })
    const copy = await filledCopy(customers, invoices)
    const cohortsOf = (months: number) => {
      const { customers: shown, recurring } = copy.answer('finance', { currency: 'EUR', months })!
      expect(recurring.months.map(({ month }) => month)).toEqual(shown.months.map(({ month }) => month))
      return { months: shown.months.length, quarters: shown.quarters.length }
    }
    expect(cohortsOf(13)).toEqual({ months: 4, quarters: 4 })
    expect(cohortsOf(12)).toEqual({ months: 3, quarters: 3 })
    expect(cohortsOf(6)).toEqual({ months: 2, quarters: 2 })
    expect(cohortsOf(5)).toEqual({ months: 1, quarters: 2 })
    expect(cohortsOf(3)).toEqual({ months: 1, quarters: 1 })
  })
})
