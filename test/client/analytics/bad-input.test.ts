import fc from 'fast-check'
import * as analytics from '../../../client/analytics/index.ts'
import { invoiceOf, lineOf, priceOf, seconds } from './invoices.ts'

const NOW = seconds('2026-03-15')
const { MAX_MONTHS, monthName, averageRevenue, customerChurn, grossChurn, netRetention, ...figures } =
  analytics
const functions = Object.entries(figures)

/** Returns all numbers in a value. */
const numbersIn = (value: unknown): number[] => {
  if (typeof value === 'number') return [value]
  return value instanceof Object ? Object.values(value).flatMap(numbersIn) : []
}

/** Expects only finite numbers in all figures. `properties.test.ts` shows that `figuresOf` returns those of every function. */
const expectFinite = (invoices: readonly analytics.Invoice[], zone = 'UTC'): void => {
  const numbers = numbersIn(analytics.figuresOf(invoices, NOW, zone))
  expect(numbers.filter((each) => !Number.isFinite(each))).toEqual([])
}

const LIMIT = Number.MAX_SAFE_INTEGER
const amount = fc.option(fc.oneof(fc.constantFrom(-LIMIT, 0, 1, LIMIT), fc.integer()))
const time = fc.oneof(
  fc.constantFrom(...['0001-01-01', '9999-12-31', '2026-02-01', '2026-03-15'].map(seconds)),
  fc.integer({ min: seconds('2016-01-01'), max: seconds('2027-01-01') }),
)
const count = fc.constantFrom(null, 1, 12, 400, LIMIT)
const unit = fc.constantFrom('day', 'week', 'month', 'year', 'decade', '__proto__', null)

const line = fc
  .record({
    amount,
    discount_amount: amount,
    tax_amount: amount,
    period_start: fc.option(time),
    period_end: fc.option(time),
    interval: unit,
    interval_count: count,
    currency: fc.constantFrom(null, 'EUR', 'JPY'),
    type: fc.constantFrom('recurring', 'one_time', null),
    price: fc.option(fc.record({ interval: unit, interval_count: count })),
  })
  .map(({ price, ...rest }) => lineOf({ ...rest, price: price && { ...priceOf('Pro'), ...price } } as never))

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

it.each([
  ['no invoices', []],
  ['an invoice without lines', [invoiceOf()]],
  ['an invoice of a list without lines', [{ ...invoiceOf(), line_items: undefined, discounts: undefined }]],
  ['a line that says nothing', [invoiceOf({ line_items: [{ id: '1' } as analytics.Line] })]],
  ['an amount below 0', [invoiceOf({ line_items: [lineOf({ amount: -1000 })] })]],
])('returns only finite numbers for %s', (_, invoices) => expectFinite(invoices as never))

it('returns only finite numbers for random histories, however strange', () => {
  fc.assert(fc.property(history, fc.constantFrom('UTC', 'Asia/Kolkata', 'America/Asuncion'), expectFinite))
})

it.each(functions)('%s throws RangeError for an unknown time zone', (_, figuresOf) => {
  expect(() => figuresOf([], NOW, 'Europe/Nowhere')).toThrow(RangeError)
})

it('limits results to the last 120 months, and still recognises a customer from before as reactivated', () => {
  const invoiceFor = (start: string, end: string) => {
    const period = { period_start: seconds(start), period_end: seconds(end) }
    return invoiceOf({ created: period.period_start, line_items: [lineOf(period)] })
  }
  const invoices = [invoiceFor('2010-01-01', '2010-02-01'), invoiceFor('2026-02-01', '2026-03-01')]
  const { months } = analytics.movementsByMonth(invoices, NOW)[0]!
  expect(months.length).toBe(MAX_MONTHS)
  expect(months[0]).toMatchObject({ name: '2016-04' })
  expect(months.at(-1)).toMatchObject({ name: '2026-03' })
  expect(months.at(-2)).toMatchObject({ reactivation: 1000, new: 0 })
})

it.each([LIMIT, -LIMIT])('recognises the greatest amounts to the minor unit: %d', (amount) => {
  const year = { period_start: seconds('2026-01-01'), period_end: seconds('2027-01-01') }
  const invoices = [invoiceOf({ created: year.period_start, line_items: [lineOf({ ...year, amount })] })]
  const { months } = analytics.revenueByMonth(invoices, seconds('2026-03-18'))[0]!
  const recognised = months.reduce((sum, month) => sum + month.recognised, 0)
  // 76 of 365 days of 9,007,199,254,740,991 are 1,875,471,625,644,699.496; in floats, they would be 700.
  expect(recognised).toBe(Math.sign(amount) * 1_875_471_625_644_699)
})

it('schedules what is deferred in at most 120 months, the last with all that is left', () => {
  const line_items = [lineOf({ amount: 365_000, period_end: seconds('9999-12-31') })]
  const schedule = analytics.deferredSchedule([invoiceOf({ line_items })], NOW)[0]!
  expect(schedule.months.length).toBe(MAX_MONTHS)
  expect(schedule.months.at(-1)).toMatchObject({ name: '2036-02' })
  const now = analytics.revenueByMonth([invoiceOf({ line_items })], NOW)[0]!.months.at(-1)!
  expect(schedule.months.reduce((sum, { recognised }) => sum + recognised, 0)).toBe(now.deferred)
})

it('reads each line a number of times that does not depend on its period or on other lines', () => {
  /** Returns how often a line is read on average, for a number of invoices with a line of some years each. */
  const readsOf = (invoices: number, years: number): number => {
    let reads = 0
    const counted = (line: analytics.Line) =>
      new Proxy(line, {
        get: (target, key) => {
          reads += 1
          return Reflect.get(target, key)
        },
      })
    const all = Array.from({ length: invoices }, (_, index) => {
      const start = seconds('2006-01-01') + index * 60
      const period = { period_start: start, period_end: start + years * 365 * 86_400 }
      const line_items = [counted(lineOf({ ...period, price: priceOf('Pro') }))]
      return invoiceOf({ subscription_id: `sub_${index}`, created: start, line_items })
    })
    for (const [, figuresOf] of functions) figuresOf(all, NOW)
    return reads / invoices
  }
  const reads = readsOf(20, 1)
  expect(readsOf(20, 100)).toBe(reads)
  expect(readsOf(400, 1)).toBe(reads)
})
