import fc from 'fast-check'
import * as analytics from '../../../client/analytics/index.ts'
import { runs } from '../../support/runs.ts'
import { everyFigure, furtherFigures } from './every-figure.ts'
import { billedFor, invoiceOf, lineOf, priceOf, seconds } from './invoices.ts'

const NOW = seconds('2026-03-15')
const { figuresOf } = analytics
const functions = Object.entries({ ...everyFigure, ...furtherFigures, figuresOf })

/** Returns all numbers in a value. */
const numbersIn = (value: unknown): number[] => {
  if (typeof value === 'number') return [value]
  return value instanceof Object ? Object.values(value).flatMap(numbersIn) : []
}

/** Expects only finite numbers in all figures. `properties.test.ts` shows that `figuresOf` returns the result of every function. */
const expectFinite = (invoices: readonly analytics.Invoice[], timeZone = 'UTC'): void => {
  const further = Object.values(furtherFigures).map((compute) => compute(invoices, NOW, timeZone))
  const numbers = numbersIn([figuresOf(invoices, NOW, timeZone), further])
  expect(numbers.filter((number) => !Number.isFinite(number))).toEqual([])
}

const LIMIT = Number.MAX_SAFE_INTEGER
const amount = fc.option(fc.oneof(fc.constantFrom(-LIMIT, 0, 1, LIMIT), fc.integer()))
const time = fc.oneof(
  fc.constantFrom(...['0001-01-01', '9999-12-31', '2026-02-01', '2026-03-15'].map(seconds)),
  fc.integer({ min: seconds('2016-01-01'), max: seconds('2027-01-01') }),
)
const interval = fc.constantFrom('day', 'week', 'month', 'year', 'decade', '__proto__', null)
const interval_count = fc.constantFrom(null, 1, 12, 400, LIMIT)
const recurrence = fc.record({ interval, interval_count })

const line = fc
  .record({
    amount,
    discount_amount: amount,
    tax_amount: amount,
    period_start: fc.option(time),
    period_end: fc.option(time),
    interval,
    interval_count,
    currency: fc.constantFrom(null, 'EUR', 'JPY'),
    type: fc.constantFrom('recurring', 'one_time', null),
    price: fc.option(recurrence.map((fields) => priceOf('Pro', fields))),
  })
  .map(lineOf)

const history = fc.array(
  fc
    .record({
      total: fc.integer(),
      created: time,
      period_start: time,
      period_end: time,
      subscription_id: fc.constantFrom('a', 'b', 'constructor'),
      customer_id: fc.constantFrom('ann', '__proto__'),
      line_items: fc.array(line, { maxLength: 4 }),
    })
    .map(invoiceOf),
  { maxLength: 8 },
)

const { line_items: _lines, discounts: _discounts, ...withoutIncludes } = invoiceOf()

it.each<[string, analytics.Invoice[]]>([
  ['no invoices', []],
  ['an invoice without lines', [invoiceOf()]],
  ['an invoice that was listed without its lines', [withoutIncludes as analytics.Invoice]],
  ['a line that has only an id', [invoiceOf({ line_items: [{ id: '1' } as analytics.Line] })]],
  ['an amount below 0', [invoiceOf({ line_items: [lineOf({ amount: -1000 })] })]],
])('returns only finite numbers for %s', (_, invoices) => expectFinite(invoices))

it('returns only finite numbers for random histories with extreme values and unknown intervals', () => {
  const timeZone = fc.constantFrom('UTC', 'Asia/Kolkata', 'America/Asuncion')
  fc.assert(fc.property(history, timeZone, expectFinite), { numRuns: runs(20, 1_000) })
})

it.each(functions)('%s throws RangeError for an unknown time zone', (_, compute) => {
  expect(() => compute([], NOW, 'Europe/Nowhere')).toThrow(RangeError)
})

it('limits results to the last 120 months, and takes what was billed in an earlier month into account', () => {
  const invoices = ['2010-01-01 to 2010-02-01', '2026-02-01 to 2026-03-01'].map((period) => billedFor(period))
  const { months } = analytics.movementsByMonth(invoices, NOW)[0]!
  expect(months).toHaveLength(analytics.MAX_MONTHS)
  expect(months[0]).toMatchObject({ name: '2016-04' })
  expect(months.at(-1)).toMatchObject({ name: '2026-03' })
  expect(months.at(-2)).toMatchObject({ reactivation: 1000, new: 0 })
  expect(analytics.revenueByMonth(invoices, NOW)[0]!.months[0]).toMatchObject({ opening: 0 })
})

// 76 of 365 days of 9,007,199,254,740,991 are 1,875,471,625,644,699.496; in floats, they would be 700. 77 days end with .595.
it.each([
  { amount: LIMIT, now: '2026-03-18', expected: 1_875_471_625_644_699 },
  { amount: -LIMIT, now: '2026-03-18', expected: -1_875_471_625_644_699 },
  { amount: LIMIT, now: '2026-03-19', expected: 1_900_148_883_876_867 },
  { amount: -LIMIT, now: '2026-03-19', expected: -1_900_148_883_876_867 },
])('recognises the greatest amounts to the minor unit: $amount on $now', ({ amount, now, expected }) => {
  const invoices = [billedFor('2026-01-01 to 2027-01-01', { amount })]
  const { months } = analytics.revenueByMonth(invoices, seconds(now))[0]!
  expect(months.reduce((sum, month) => sum + month.recognised, 0)).toBe(expected)
})

it('schedules deferred revenue over at most 120 months, and puts the rest into the last one', () => {
  const invoices = [billedFor('2026-02-01 to 9999-12-31', { amount: 365_000 })]
  const { months } = analytics.deferredSchedule(invoices, NOW)[0]!
  expect(months).toHaveLength(analytics.MAX_MONTHS)
  expect(months.at(-1)).toMatchObject({ name: '2036-02' })
  const scheduled = months.reduce((sum, { recognised }) => sum + recognised, 0)
  const currentMonth = analytics.revenueByMonth(invoices, NOW)[0]!.months.at(-1)!
  expect(scheduled).toBe(currentMonth.deferred)
})
