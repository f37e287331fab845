import { expectedRenewals, type Line, movementsByMonth } from '../../../client/analytics/index.ts'
import { invoiceOf, lineOf, priceOf, seconds } from './invoices.ts'

const prices = new Map(
  [
    ['Basic', 1900],
    ['Pro', 4900],
  ].map(([name, price]) => [
    name,
    priceOf(String(name), { currency: 'EUR', price: Number(price), tiered: false }),
  ]),
)

/** Returns a line of a plan, for a period such as "2026-04-01 to 2026-05-01". */
const lineFor = (plan: string, period: string, line: Partial<Line>): Line => {
  const [period_start, period_end] = period.split(' to ').map(seconds) as [number, number]
  return lineOf({ price: prices.get(plan)!, period_start, period_end, ...line })
}

const lastMinutes = '2026-04-30 23:58:00 to 2026-05-01 00:05:00'
const proration = { type: 'one_time', interval: null, interval_count: null } as const
const created = seconds('2026-04-30 23:58:00')

/** A month of Basic, and two prorations in its last minutes. They may be of other invoices. */
const invoicesWith = (zero: Line, other: Line, { ofZero = {}, ofOther = {} } = {}) => [
  invoiceOf({
    id: 'month',
    line_items: [lineFor('Basic', '2026-04-01 00:05:00 to 2026-05-01 00:05:00', { amount: 1900 })],
  }),
  invoiceOf({ id: 'zero', created, line_items: [zero], ...ofZero }),
  invoiceOf({ id: 'other', created, line_items: [other], ...ofOther }),
]

const recurringAtEndOfApril = (invoices: ReturnType<typeof invoicesWith>): number =>
  movementsByMonth(invoices, seconds('2026-04-30 23:59:59'))[0]!.months.at(-1)!.end

describe('a proration of 0 beside a charge', () => {
  const zero = lineFor('Basic', lastMinutes, { ...proration, amount: 0 })
  const charge = lineFor('Pro', lastMinutes, { ...proration, amount: 1 })

  it('credits the line that it ends', () => {
    const invoices = invoicesWith(zero, charge)
    expect(recurringAtEndOfApril(invoices)).toBe(4900)
  })

  it('credits what the line would renew for', () => {
    const [renewal] = expectedRenewals(invoicesWith(zero, charge), seconds('2026-04-30 23:59:59'))
    expect(renewal?.amount).toBe(4900)
  })

  const earlier = '2026-04-30 23:58:00 to 2026-05-01 00:04:00'
  const later = '2026-04-30 23:58:01 to 2026-05-01 00:05:00'
  const month = '2026-04-30 23:58:00 to 2026-05-30 23:58:00'
  it.each([
    ['quantity', invoicesWith({ ...zero, quantity: 2 }, charge)],
    [
      'end',
      invoicesWith(
        lineFor('Basic', earlier, { ...proration, amount: 0 }),
        lineFor('Pro', earlier, { ...proration, amount: 1 }),
      ),
    ],
    ['subscription', invoicesWith(zero, charge, { ofZero: { subscription_id: 'sub_2' } })],
    ['type', invoicesWith({ ...zero, type: 'recurring' }, charge)],
    ['time of the charge', invoicesWith(zero, charge, { ofOther: { created: created + 1 } })],
    ['start of the charge', invoicesWith(zero, lineFor('Pro', later, { ...proration, amount: 1 }))],
    ['end of the charge', invoicesWith(zero, lineFor('Pro', month, { ...proration, amount: 4900 }))],
  ])('credits nothing with another %s', (_difference, invoices) =>
    expect(recurringAtEndOfApril(invoices)).toBe(6800),
  )
})

describe('a proration of 0 beside a credit', () => {
  const zero = lineFor('Pro', lastMinutes, { ...proration, amount: 0, quantity: 1 })
  const credit = lineFor('Basic', lastMinutes, { ...proration, amount: -1 })

  it.each([
    ['counts as its price', 1000, priceOf('Small', { currency: 'EUR', price: 1000, tiered: false })],
    ['is 0 if the price has tiers', 0, priceOf('Small', { currency: 'EUR', price: 1000, tiered: true })],
    [
      'is 0 if its share of the price is not',
      0,
      priceOf('Large', { currency: 'EUR', price: 100_000, tiered: false }),
    ],
  ])('%s', (_title, expected, price) =>
    expect(recurringAtEndOfApril(invoicesWith({ ...zero, price }, credit))).toBe(expected),
  )
})
