import {
  coverageOf,
  type Invoice,
  type Line,
  movementsByMonth,
  recurringByMonth,
} from '../../../client/analytics/index.ts'
import { range } from '../../support/range.ts'
import { everyFigure, furtherFigures } from './every-figure.ts'
import { billedFor, invoiceOf, lineOf, priceOf, proration, seconds } from './invoices.ts'

/** Histories that are too long for the tables of docs/figures.md. */

const DAY = 86_400

describe('a hundred changes of a seat in a year', () => {
  // 50 seats at 120.00 a year are 500.00 a month, and 51 seats are 510.00. Every second day a seat is added or removed: the unused
  // part of all old seats is credited, and the rest of the year of all new ones is charged.
  const start = seconds('2026-01-01')
  const end = seconds('2027-01-01')
  const price = priceOf('Team', { price: 12_000, interval: 'year', currency: 'EUR', tiered: false })
  /** Returns the line that charges (1) or credits (-1) a number of seats from a second to the end of the year. */
  const seatsLine = (quantity: number, from: number, sign: 1 | -1) =>
    lineOf({
      amount: sign * Math.round((12_000 * quantity * (end - from)) / (end - start)),
      quantity,
      price,
      period_start: from,
      period_end: end,
      ...(from === start ? { type: 'recurring', interval: 'year' } : proration),
    })
  const seatsAfter = (changes: number): number => 50 + (changes % 2)
  const changes = Array.from({ length: 100 }, (_, index) => {
    const created = start + (index + 1) * 2 * DAY
    const line_items = [
      seatsLine(seatsAfter(index), created, -1),
      seatsLine(seatsAfter(index + 1), created, 1),
    ]
    return invoiceOf({ created, line_items })
  })
  const invoices = [invoiceOf({ created: start, line_items: [seatsLine(50, start, 1)] }), ...changes]

  const now = seconds('2026-12-31')

  it('yields 500.00 for 50 seats or 510.00 for 51 seats at the end of every month', () => {
    const [euros] = recurringByMonth(invoices, now)
    expect(euros!.months).toHaveLength(12)
    for (const { month, total } of euros!.months) {
      const monthEnd = Date.UTC(1970, month + 1) / 1000 - 1
      const daysPassed = (Math.min(monthEnd, now) - start) / DAY
      const changesSoFar = Math.min(100, Math.floor(daysPassed / 2))
      expect({ month, total }).toEqual({ month, total: seatsAfter(changesSoFar) * 1_000 })
    }
  })

  it('has no churn in any month', () => {
    const [euros] = movementsByMonth(invoices, now)
    expect(euros!.months).toHaveLength(12)
    expect(euros!.months.filter(({ churn }) => churn !== 0)).toEqual([])
  })
})

describe('a company that moves its billing', () => {
  // 200 customers pay 19.00 a month from different days of March on. At their second renewal, their subscriptions get new ids.
  const invoices: Invoice[] = range(200).flatMap((number) => {
    const startOf = (period: number) => Date.UTC(2026, 2 + period, (number % 28) + 1) / 1000
    return [0, 1, 2, 3].map((period) =>
      invoiceOf({
        created: startOf(period),
        customer_id: `customer ${number}`,
        subscription_id: `${period < 2 ? 'old' : 'new'} ${number}`,
        line_items: [
          lineOf({ amount: 1900, period_start: startOf(period), period_end: startOf(period + 1) }),
        ],
      }),
    )
  })
  const dates = range(60).map((days) => new Date(Date.UTC(2026, 4, 1 + days)).toISOString().slice(0, 10))

  it.each(dates)('has 3,800.00 and no movement on %s, in the months in which the ids change', (date) => {
    const [euros] = movementsByMonth(invoices, seconds(date))
    const latest = euros!.months.at(-1)!
    expect(latest).toMatchObject({ end: 200 * 1900, new: 0, expansion: 0, contraction: 0, churn: 0 })
  })
})

it('reports no overlap for 225 seats that are added and end with their period', () => {
  const start = seconds('2026-03-01')
  const end = seconds('2026-04-01')
  const invoices = range(225).map((number) => {
    const created = start + number * 3 * 3600
    const period = { period_start: created, period_end: end }
    return invoiceOf({
      id: `inv_${number}`,
      created,
      line_items: [lineOf({ ...period, amount: Math.round((1000 * (end - created)) / (end - start)) })],
    })
  })
  expect(coverageOf(invoices, end - 1).overlappingLines).toBe(0)
})

describe('a customer with many subscriptions', () => {
  const now = seconds('2026-03-02')
  /** Returns how often a figure of some subscriptions, each billed for a period, reads a property of an invoice or a line. */
  const readsOf = (
    compute: (invoices: readonly Invoice[], now: number) => unknown,
    subscriptions: number,
    period: string,
  ) => {
    let reads = 0
    const counted = <Item extends object>(item: Item): Item =>
      new Proxy(item, {
        get: (target, name) => {
          reads += 1
          return Reflect.get(target, name)
        },
      })
    const invoices = range(subscriptions).map((number) => {
      const id = `${number}`
      const invoice = billedFor(period, { price: priceOf('Basic') }, { id, subscription_id: id })
      return counted({ ...invoice, line_items: invoice.line_items.map(counted) })
    })
    compute(invoices, now)
    return reads
  }
  const figures = Object.entries({ ...everyFigure, ...furtherFigures })

  it.each(figures)('that ended yesterday is read in proportion to their number by %s', (_name, compute) => {
    const [some, twice] = [200, 400].map((number) => readsOf(compute, number, '2026-02-01 to 2026-03-01'))
    expect(twice).toBeLessThan(some! * 2.5)
  })

  it.each(figures)('is read as often for longer periods by %s', (_name, compute) => {
    const [long, longer] = ['2036', '2106'].map((year) => readsOf(compute, 20, `2006-01-01 to ${year}-01-01`))
    expect(longer).toBe(long)
  })
})

describe('a line that ended yesterday', () => {
  /** Returns an invoice with a line of a subscription, for a period such as "2026-04-01 to 2026-05-01". */
  const billed = (subscription_id: string, period: string, line: Partial<Line> = {}): Invoice =>
    billedFor(period, line, { id: `${subscription_id} ${period}`, subscription_id })
  const ended = billed('sub_1', '2026-04-01 to 2026-05-01')
  const current = billed('sub_2', '2026-04-15 to 2026-05-15')

  it.each([
    [
      'counts if another subscription of its customer begins later',
      2000,
      [ended, current, billed('sub_3', '2026-05-10 to 2026-06-10')],
    ],
    [
      'is renewed by the last of three subscriptions',
      2000,
      [ended, current, billed('sub_3', '2026-05-01 to 2026-06-01')],
    ],
    [
      'is renewed by a subscription that began before its own',
      1000,
      [
        billed('sub_1', '2026-04-30 18:00:00 to 2026-05-01', { interval: 'day' }),
        billed('sub_2', '2026-04-30 06:00:00 to 2026-05-30 06:00:00'),
      ],
    ],
    [
      'is renewed by another interval that begins in the second before',
      1000,
      [
        ended,
        billed('sub_1', '2026-04-30 23:59:59 to 2027-04-30 23:59:59', { interval: 'year', amount: 12_000 }),
      ],
    ],
  ])('%s', (_title, expected, invoices) => {
    const [euros] = movementsByMonth(invoices, seconds('2026-05-02'))
    expect(euros?.months.at(-1)?.end).toBe(expected)
  })
})
