import { type Invoice, movementsByMonth, recurringByMonth } from '../../../client/analytics/index.ts'
import { invoiceOf, lineOf, priceOf, seconds } from './invoices.ts'

/** Histories that are too long for a table of docs/figures.md. */

const DAY = 86_400

describe('a hundred changes of a seat in a year', () => {
  // 50 seats at 120.00 a year are 500.00 a month, and 51 seats are 510.00. Every second day a seat is added or removed: the unused
  // part of all old seats is credited, and the rest of the year of all new ones is charged.
  const start = seconds('2026-01-01')
  const end = seconds('2027-01-01')
  const price = { ...priceOf('Team'), price: 12_000, interval: 'year', currency: 'EUR', tiered: false }
  const seatsLine = (quantity: number, from: number, sign: 1 | -1) =>
    lineOf({
      amount: sign * Math.round((12_000 * quantity * (end - from)) / (end - start)),
      quantity,
      price: price as never,
      period_start: from,
      period_end: end,
      ...(from === start
        ? { type: 'recurring', interval: 'year' }
        : { type: 'one_time', interval: null, interval_count: null }),
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

  it('leaves 500.00 or 510.00 at the end of every month, as many seats as there are', () => {
    const [euros] = recurringByMonth(invoices, seconds('2026-12-31'))
    const expected = euros!.months.map(({ month }) => {
      const monthEnd = Date.UTC(1970, month + 1) / 1000 - 1
      const changed = Math.min(
        100,
        Math.floor((Math.min(monthEnd, seconds('2026-12-31')) - start) / (2 * DAY)),
      )
      return seatsAfter(changed) * 1_000
    })
    expect(euros!.months.map(({ total }) => total)).toEqual(expected)
  })

  it('loses nobody', () => {
    const [euros] = movementsByMonth(invoices, seconds('2026-12-31'))
    expect(euros!.months.map(({ churn }) => churn)).toEqual(euros!.months.map(() => 0))
  })
})

describe('a company that moves its billing', () => {
  // 200 customers pay 19.00 a month from different days of March on. At their second renewal, their subscriptions get new ids.
  const invoices: Invoice[] = Array.from({ length: 200 }, (_, number) => number).flatMap((number) =>
    [0, 1, 2, 3].map((index) => {
      const startOf = (month: number) => Date.UTC(2026, 2 + month, 1 + (number % 28)) / 1000
      const created = startOf(index)
      const line = lineOf({ amount: 1900, period_start: created, period_end: startOf(index + 1) })
      return invoiceOf({
        created,
        customer_id: `customer ${number}`,
        subscription_id: `${index < 2 ? 'old' : 'new'} ${number}`,
        line_items: [line],
      })
    }),
  )
  const days = Array.from({ length: 60 }, (_, index) => seconds('2026-05-01') + index * DAY)

  it.each(days)(
    'shows 3,800.00 and no movement at second %d of the months in which the ids change',
    (now) => {
      const [euros] = movementsByMonth(invoices, now)
      const latest = euros!.months.at(-1)!
      expect(latest).toMatchObject({ end: 200 * 1900, new: 0, expansion: 0, contraction: 0, churn: 0 })
    },
  )
})
