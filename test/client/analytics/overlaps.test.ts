import { coverageOf } from '../../../client/analytics/index.ts'
import { invoiceOf, lineOf, priceOf, seconds } from './invoices.ts'

type LineFields = Parameters<typeof lineOf>[0]

/** Returns an invoice of one subscription with a line of a plan, for a period such as "2026-04-01 to 2026-05-01". */
const charged = (plan: string, period: string, line: LineFields = {}) => {
  const [period_start, period_end] = period.split(' to ').map(seconds) as [number, number]
  const price = priceOf(plan, { currency: 'EUR', price: 1000, tiered: false })
  return invoiceOf({
    id: `${plan} ${period} ${line.amount}`,
    created: period_start,
    line_items: [lineOf({ price, period_start, period_end, ...line })],
  })
}

const credited = (plan: string, period: string) =>
  charged(plan, period, { type: 'one_time', interval: null, interval_count: null, amount: -500 })

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
