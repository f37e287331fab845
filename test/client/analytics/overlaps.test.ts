import {
  coverageOf,
  expectedRenewals,
  type Invoice,
  type Line,
  movementsByMonth,
} from '../../../client/analytics/index.ts'
import { billedFor, invoiceOf, lineOf, priceOf, proration, seconds } from './invoices.ts'

/** Returns an invoice of one subscription with a line of a plan, for a period such as "2026-04-01 to 2026-05-01". */
const charged = (plan: string, period: string, line: Partial<Line> = {}) => {
  const price = priceOf(plan, { currency: 'EUR', price: 1000, tiered: false })
  return billedFor(period, { price, ...line }, { id: `${plan} ${period} ${line.amount}` })
}

const credited = (plan: string, period: string) => charged(plan, period, { ...proration, amount: -500 })

const overlapping = (...invoices: readonly ReturnType<typeof charged>[]): number =>
  coverageOf(invoices, seconds('2026-06-10')).overlappingLines

describe('a plan that begins within the period of another', () => {
  const basic = charged('Basic', '2026-04-01 to 2026-05-01')
  const pro = charged('Pro', '2026-04-16 to 2026-05-16')

  it.each([
    ['is reported without a credit', 1, [basic, pro]],
    [
      'is not reported with a credit of the time that both cover',
      0,
      [basic, pro, credited('Basic', '2026-04-16 to 2026-05-01')],
    ],
    [
      'is reported if another plan is credited',
      1,
      [basic, pro, credited('Seat', '2026-04-16 to 2026-05-01')],
    ],
    [
      'is reported if the credit begins later',
      1,
      [basic, pro, credited('Basic', '2026-04-16 00:00:01 to 2026-05-01')],
    ],
    [
      'is not reported if a longer period is credited for its time',
      0,
      [
        charged('Basic', '2026-01-01 to 2027-01-01', { interval: 'year' }),
        pro,
        credited('Basic', '2026-04-16 to 2026-05-16'),
      ],
    ],
    [
      'is not reported in the last day',
      0,
      [basic, charged('Seat', '2026-04-16 to 2026-05-01'), charged('Pro', '2026-04-30 to 2026-05-30')],
    ],
    ['is reported before the last day', 1, [basic, charged('Pro', '2026-04-29 23:59:59 to 2026-05-30')]],
    [
      'is not reported if it is not of type recurring',
      0,
      [basic, charged('Pro', '2026-04-16 to 2026-05-16', { type: 'one_time', interval: null })],
    ],
  ])('%s', (_title, expected, invoices) => expect(overlapping(...invoices)).toBe(expected))

  // A renewal that is none counts as another overlap, with the plan that began within the period.
  it.each([
    ['less than a day before', '2026-04-30 00:00:01', 0],
    ['a day before', '2026-04-30 00:00:00', 2],
    ['three days after', '2026-05-04 00:00:00', 0],
    ['more than three days after', '2026-05-04 00:00:01', 2],
  ])('adds to one that is renewed by a charge that begins %s the end', (_title, start, expected) => {
    const renewal = charged('Basic', `${start} to ${start.replace(/2026-0[45]/, '2026-06')}`)
    expect(overlapping(basic, pro, renewal)).toBe(expected)
  })
})

/** Returns what is recurring at the end of a full month. */
const recurringAt = (month: string, invoices: readonly Invoice[], timeZone: string): number =>
  movementsByMonth(invoices, seconds('2026-12-10'), timeZone)[0]!.months.find(({ name }) => name === month)!
    .end

/** Returns an invoice for a period. If `isOfLine`, its line has the same period, otherwise none. */
const billed = (start: string, end: string, isOfLine: boolean): Invoice => {
  const line = isOfLine ? {} : { period_start: null, period_end: null }
  return billedFor(`${start} to ${end}`, line, { id: start })
}

describe('an end at 23:59:59 or 23:59:00', () => {
  it.each([
    ['a line', '59', true],
    ['an invoice', '59', false],
    ['a line', '00', true],
    ['an invoice', '00', false],
  ])('is exclusive if %s of its subscription starts at 23:59:%s', (_of, second, isOfLine) => {
    const ends = ['2026-01-31', '2026-02-28', '2026-03-31'].map((day) => `${day} 23:59:${second}`)
    const [first, middle, last] = ends as [string, string, string]
    const invoices = [billed(first, middle, isOfLine), billed(middle, last, isOfLine)]
    expect(recurringAt('2026-02', invoices, 'UTC')).toBe(1000)
    expect(recurringAt('2026-03', invoices, 'UTC')).toBe(0)
  })

  it.each([
    ['forward', '2026-03', '2026-02-28 22:59:59', '2026-03-31 21:59:59'],
    ['back', '2026-10', '2026-09-30 21:59:59', '2026-10-31 22:59:59'],
  ])(
    'is exclusive if its own start is at that local time, and clocks were set %s',
    (_way, month, start, end) => {
      expect(recurringAt(month, [billed(start, end, true)], 'Europe/Berlin')).toBe(0)
    },
  )

  it('is inclusive if another subscription starts at that time of day', () => {
    const other = { ...billed('2026-01-31 23:59:59', '2026-02-10', true), subscription_id: 'sub_2' }
    const invoices = [billed('2026-02-01', '2026-02-28 23:59:59', true), other]
    expect(recurringAt('2026-02', invoices, 'UTC')).toBe(1000)
  })
})

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
const created = seconds('2026-04-30 23:58:00')

/** A month of Basic, and an invoice for each of two prorations in its last minutes. */
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
