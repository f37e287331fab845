import fc from 'fast-check'
import * as analytics from '../../../client/analytics/index.ts'
import { runs } from '../../support/runs.ts'
import { businessOf, NOW } from './biller.ts'
import { life } from './businesses.ts'

/** The invoices of a business, whose customers have up to three subscriptions. */
const business = fc
  .array(life, { minLength: 1, maxLength: 5 })
  .map((lives) => [...businessOf(lives, ['ann', 'bob', '__proto__'], 'UTC').invoices])
/** A moment of two years. */
const time = fc.integer({ min: NOW - 730 * 86_400, max: NOW })
const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York')

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
/** Returns the sums of several series, month by month. */
const sumOf = (parts: readonly (readonly number[])[]): number[] =>
  parts[0]!.map((_, index) => sum(parts.map((values) => values[index]!)))
const seriesOf = ({ series }: analytics.Chart) => series.map(({ values }) => values)

it('makes the recurring revenue the sum of the plans, of the movements, and of what subscriptions hold', () => {
  fc.assert(
    fc.property(business, zone, time, (invoices, timeZone, now) => {
      const figures = analytics.figuresOf(invoices, now, timeZone)
      const holds = figures.subscriptionsNow.flatMap((each) => each.holds)
      for (const [place, chart] of figures.recurringByMonth.entries()) {
        const [all = [], ...plans] = seriesOf(chart)
        const movements = figures.movementsByMonth[place]!
        const [start = [], ...changes] = seriesOf(movements)
        const end = changes.pop()
        const none = all.map(() => 0)
        expect([movements.currency, end, sumOf([none, ...plans])]).toEqual([chart.currency, all, all])
        expect([start.slice(1), sumOf([start, ...changes])]).toEqual([all.slice(0, -1), all])
        const ofCurrency = ({ currency }: { readonly currency: string }) => currency === chart.currency
        const moved = figures.movementsOf.filter(ofCurrency).map(({ amount }) => amount)
        const held = holds.filter(ofCurrency).map(({ monthly }) => monthly)
        expect([sum(moved), sum(held)]).toEqual([all.at(-1), all.at(-1)])
      }
    }),
    { numRuns: runs(30, 500) },
  )
})

it('makes the active customers those who came and have not left, whom the changes name, and all cohorts', () => {
  fc.assert(
    fc.property(business, zone, (invoices, timeZone) => {
      const figures = analytics.figuresOf(invoices, NOW, timeZone)
      for (const chart of [figures.customersByMonth, figures.subscriptionsByMonth]) {
        const [active = [], ...changes] = seriesOf(chart)
        const lost = changes.pop()!
        const before = [0, ...active.slice(0, -1)]
        expect(sumOf([active, lost])).toEqual(sumOf([before, ...changes]))
      }
      const { months, series } = figures.customersByMonth
      for (const { name, values } of series.slice(1)) {
        const named = months.map((month) =>
          figures.customerChangesOf.flatMap((each) =>
            each.name === name && each.month === month ? [each.customer_id] : [],
          ),
        )
        expect(named.map((ids) => new Set(ids).size)).toEqual(values)
      }
      const retained = months.map((last) =>
        sum(figures.customerCohorts.map(({ month, active }) => active[last - month] ?? 0)),
      )
      expect(retained).toEqual(series[0]!.values)
    }),
    { numRuns: runs(30, 500) },
  )
})

it('makes billed less recognised to date deferred less unbilled, and deferred what is scheduled at that time', () => {
  fc.assert(
    fc.property(business, zone, time, (invoices, timeZone, now) => {
      const schedules = analytics.deferredSchedule(invoices, now, timeZone)
      const charts = analytics.revenueByMonth(invoices, NOW, timeZone)
      for (const [place, chart] of analytics.revenueByMonth(invoices, now, timeZone).entries()) {
        const [billed = [], recognised = [], deferred = [], unbilled = []] = seriesOf(chart)
        const toDate = (values: readonly number[], index: number) => sum(values.slice(0, index + 1))
        expect(billed.map((_, index) => toDate(billed, index) - toDate(recognised, index))).toEqual(
          deferred.map((value, index) => value - unbilled[index]!),
        )
        expect(deferred.at(-1)).toBe(sum(schedules[place]!.series[0]!.values))
        const later = seriesOf(charts[place]!).map((values) => values.slice(0, billed.length - 1))
        expect(later).toEqual(seriesOf(chart).map((values) => values.slice(0, -1)))
      }
    }),
    { numRuns: runs(30, 500) },
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

it('returns the same charts, cohorts, rankings and coverage for any order of the invoices', () => {
  const figuresIn = (invoices: readonly analytics.Invoice[]) => {
    const { subscriptionsNow, movementsOf, customerChangesOf, ...figures } = analytics.figuresOf(
      invoices,
      NOW,
    )
    return figures
  }
  const shuffled = business.chain((invoices) =>
    fc.tuple(fc.constant(invoices), fc.shuffledSubarray(invoices, { minLength: invoices.length })),
  )
  fc.assert(
    fc.property(shuffled, ([invoices, others]) => expect(figuresIn(others)).toEqual(figuresIn(invoices))),
    { numRuns: runs(30, 500) },
  )
})
