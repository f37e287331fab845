import fc from 'fast-check'
import * as analytics from '../../../client/analytics/index.ts'
import { runs } from '../../support/runs.ts'
import { businessOf, NOW } from './biller.ts'
import { life } from './businesses.ts'

const { recurringByMonth, movementsByMonth, customersByMonth, subscriptionsByMonth, movementsOf } = analytics

/** The invoices of a business, whose customers have up to three subscriptions. */
const business = fc
  .array(life, { minLength: 1, maxLength: 5 })
  .map((lives) => [...businessOf(lives, ['ann', 'bob', '__proto__'], 'UTC').invoices])
/** A moment of two years. */
const time = fc.integer({ min: NOW - 730 * 86_400, max: NOW })
const numRuns = runs(30, 500)
const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York')

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const valuesOf = ({ series }: analytics.Chart, name: string): readonly number[] =>
  series.find((each) => each.name === name)!.values

/** Returns all charts. */
const chartsOf = (invoices: readonly analytics.Invoice[], now: number, timeZone = 'UTC') => [
  ...analytics.invoicedByMonth(invoices, now, timeZone),
  ...recurringByMonth(invoices, now, timeZone),
  ...movementsByMonth(invoices, now, timeZone),
  subscriptionsByMonth(invoices, now, timeZone),
  customersByMonth(invoices, now, timeZone),
  ...analytics.ratesByMonth(invoices, now, timeZone),
  ...analytics.revenueByMonth(invoices, now, timeZone),
  ...analytics.deferredSchedule(invoices, now, timeZone),
]

it('makes the recurring revenue the sum of the plans, and of the movements since the month before', () => {
  fc.assert(
    fc.property(business, zone, (invoices, timeZone) => {
      const movements = movementsByMonth(invoices, NOW, timeZone)
      for (const [position, { currency, series }] of recurringByMonth(invoices, NOW, timeZone).entries()) {
        const [all = [], ...plans] = series.map(({ values }) => values)
        const moved = movements[position]!
        const changes = moved.series.map(({ values }) => values)
        const sumOf = (parts: readonly (readonly number[])[]) =>
          all.map((_, index) => sum(parts.map((values) => values[index]!)))
        expect(moved.currency).toBe(currency)
        expect(sumOf(plans)).toEqual(all)
        expect(sumOf(changes.slice(0, -1))).toEqual(all)
        expect(changes.at(-1)).toEqual(all)
        expect(valuesOf(moved, 'Start').slice(1)).toEqual(all.slice(0, -1))
      }
    }),
    { numRuns },
  )
})

it("makes the recurring revenue the sum of all customers' movements, and of what subscriptions hold now", () => {
  fc.assert(
    fc.property(business, time, (invoices, now) => {
      const holds = analytics.subscriptionsNow(invoices, now).flatMap((each) => each.holds)
      for (const chart of recurringByMonth(invoices, now)) {
        const last = chart.series[0]!.values.at(-1)
        const moved = movementsOf(invoices, now).filter(({ currency }) => currency === chart.currency)
        const held = holds.filter(({ currency }) => currency === chart.currency)
        expect(sum(moved.map(({ amount }) => amount))).toBe(last)
        expect(sum(held.map(({ monthly }) => monthly))).toBe(last)
      }
    }),
    { numRuns },
  )
})

it('makes the active ones those of the month before, plus the new and returned ones, minus the lost ones', () => {
  fc.assert(
    fc.property(business, (invoices) => {
      for (const chart of [customersByMonth(invoices, NOW), subscriptionsByMonth(invoices, NOW)]) {
        const [active = [], ...changes] = chart.series.map(({ values }) => values)
        const lost = changes.pop()!
        const expected = active.map((_, index) => {
          const came = sum(changes.map((values) => values[index]!))
          return (active[index - 1] ?? 0) + came - lost[index]!
        })
        expect(active).toEqual(expected)
      }
    }),
    { numRuns },
  )
})

it('counts as new, reactivated and lost in a month the customers whose changes it names', () => {
  fc.assert(
    fc.property(business, (invoices) => {
      const changes = analytics.customerChangesOf(invoices, NOW)
      const { months, series } = customersByMonth(invoices, NOW)
      for (const { name, values } of series.slice(1)) {
        const inMonth = (month: number) =>
          changes.filter((each) => each.name === name && each.month === month).map((each) => each.customer_id)
        expect(months.map((month) => new Set(inMonth(month)).size)).toEqual(values)
      }
    }),
    { numRuns },
  )
})

/** Returns the sum of all cohorts at the end of each month. */
const endsOf = (
  months: readonly number[],
  cohorts: readonly { month: number; values: readonly number[] }[],
) => months.map((last) => sum(cohorts.map(({ month, values }) => values[last - month] ?? 0)))

it('makes all cohorts together the active customers', () => {
  fc.assert(
    fc.property(business, zone, (invoices, timeZone) => {
      const customers = customersByMonth(invoices, NOW, timeZone)
      const cohorts = analytics.customerCohorts(invoices, NOW, timeZone)
      const active = cohorts.map((cohort) => ({ ...cohort, values: cohort.active }))
      expect(endsOf(customers.months, active)).toEqual(valuesOf(customers, 'Active'))
      expect(cohorts.map((cohort) => cohort.customers)).toEqual(cohorts.map((cohort) => cohort.active[0]))
    }),
    { numRuns },
  )
})

it('makes all cohorts together the recurring revenue, less that of customers who were never above 0', () => {
  fc.assert(
    fc.property(business, zone, (invoices, timeZone) => {
      const cohorts = analytics.revenueCohorts(invoices, NOW, timeZone)
      for (const [place, chart] of movementsByMonth(invoices, NOW, timeZone).entries()) {
        const moved = movementsOf(invoices, NOW, timeZone).filter(
          ({ currency }) => currency === chart.currency,
        )
        const joined = new Map(
          moved.flatMap((each) => (each.name === 'New' ? [[each.customer_id, each.month]] : [])),
        )
        const neverAbove = chart.months.map((last) => {
          const isBelow = (each: analytics.Movement) => (joined.get(each.customer_id) ?? Infinity) > last
          return sum(moved.filter((each) => each.month <= last && isBelow(each)).map(({ amount }) => amount))
        })
        const revenue = cohorts[place]!.cohorts.map(({ month, recurring }) => ({ month, values: recurring }))
        const ends = endsOf(chart.months, revenue)
        expect(ends.map((end, index) => end + neverAbove[index]!)).toEqual(valuesOf(chart, 'End'))
      }
    }),
    { numRuns },
  )
})

it('makes billed less recognised to date deferred less unbilled, and deferred what is scheduled at that time', () => {
  fc.assert(
    fc.property(business, zone, time, (invoices, timeZone, now) => {
      const schedules = analytics.deferredSchedule(invoices, now, timeZone)
      const charts = analytics.revenueByMonth(invoices, NOW, timeZone)
      for (const [place, chart] of analytics.revenueByMonth(invoices, now, timeZone).entries()) {
        const [billed = [], recognised = [], deferred = [], unbilled = []] = chart.series.map(
          ({ values }) => values,
        )
        const toDate = (values: readonly number[], index: number) => sum(values.slice(0, index + 1))
        expect(billed.map((_, index) => toDate(billed, index) - toDate(recognised, index))).toEqual(
          deferred.map((value, index) => value - unbilled[index]!),
        )
        expect(deferred.at(-1)).toBe(sum(schedules[place]!.series[0]!.values))
        const later = charts[place]!.series.map(({ values }) => values.slice(0, billed.length - 1))
        expect(later).toEqual(chart.series.map(({ values }) => values.slice(0, -1)))
      }
    }),
    { numRuns },
  )
})

it('returns the same figures all at once as one by one', () => {
  const { figuresOf, monthName, MAX_MONTHS, ...functions } = analytics
  fc.assert(
    fc.property(business, zone, (invoices, timeZone) => {
      const each = Object.entries(functions).map(([name, of]) => [name, of(invoices, NOW, timeZone)])
      expect(figuresOf(invoices, NOW, timeZone)).toEqual(Object.fromEntries(each))
    }),
    { numRuns: runs(10, 500) },
  )
})

it('returns the same figures for any order of the invoices', () => {
  fc.assert(
    fc.property(
      business.chain((invoices) =>
        fc.tuple(fc.constant(invoices), fc.shuffledSubarray(invoices, { minLength: invoices.length })),
      ),
      ([invoices, shuffled]) => {
        expect(chartsOf(shuffled, NOW)).toEqual(chartsOf(invoices, NOW))
        expect(analytics.coverageOf(shuffled, NOW)).toEqual(analytics.coverageOf(invoices, NOW))
        expect(analytics.billedByPlan(shuffled, NOW)).toEqual(analytics.billedByPlan(invoices, NOW))
      },
    ),
    { numRuns },
  )
})
