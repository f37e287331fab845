import { filledCopy, invoice, NOW } from '../copy/copy-in-memory.ts'

/** Figures with invoices in a second currency, and invoices at the first second of a month. */

const DAY = 86_400
const customers = ['ann', 'bob', 'cem', 'dee', 'eve'].map((id) => ({
  id,
  external_id: id,
  name: id,
  email: null,
}))
/** How many days before now a second is. */
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
