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
it('makes the recurring revenue the sum of the plans, of the movements, and of what subscriptions hold', () => {
  fc.assert(
    fc.property(business, zone, time, (invoices, timeZone, now) => {
      const figures = analytics.figuresOf(invoices, now, timeZone)
      const holds = figures.subscriptionsNow.flatMap((status) => status.holds)
      for (const [place, { currency, months }] of figures.recurringByMonth.entries()) {
        const movements = figures.movementsByMonth[place]!
        expect(movements.currency).toBe(currency)
        for (const [index, { month, total, plans }] of months.entries()) {
          expect(sum(plans.map(({ amount }) => amount))).toBe(total)
          const moved = movements.months[index]!
          const { start, reactivation, expansion, contraction, churn, end } = moved
          expect(moved).toMatchObject({ month, end: total })
          expect(start + moved.new + reactivation + expansion + contraction + churn).toBe(end)
          if (index > 0) expect(start).toBe(months[index - 1]!.total)
        }
        const isInCurrency = (item: { readonly currency: string }) => item.currency === currency
        const moved = figures.movementsOf.filter(isInCurrency).map(({ amount }) => amount)
        const held = holds.filter(isInCurrency).map(({ monthly }) => monthly)
        expect(sum(moved)).toBe(months.at(-1)!.total)
        expect(sum(held)).toBe(months.at(-1)!.total)
      }
    }),
    { numRuns: runs(30, 500) },
  )
})

it('makes the active customers those who came and have not left, whom the changes name, and all cohorts', () => {
  fc.assert(
    fc.property(business, zone, (invoices, timeZone) => {
      const figures = analytics.figuresOf(invoices, NOW, timeZone)
      for (const [index, month] of figures.customersByMonth.entries()) {
        const before = figures.customersByMonth[index - 1]?.active ?? 0
        expect(month.active).toBe(before + month.new + month.reactivated - month.lost)
        for (const kind of ['new', 'reactivated', 'lost'] as const) {
          const changes = figures.customerChangesOf.filter(
            (change) => change.kind === kind && change.month === month.month,
          )
          expect(new Set(changes.map(({ customer_id }) => customer_id)).size).toBe(month[kind])
        }
        const retained = figures.customerCohorts.map(
          (cohort) => cohort.active[month.month - cohort.month] ?? 0,
        )
        expect(sum(retained)).toBe(month.active)
      }
      for (const [index, month] of figures.subscriptionsByMonth.entries()) {
        const before = figures.subscriptionsByMonth[index - 1]?.active ?? 0
        expect(month.active).toBe(before + month.new - month.lost)
      }
    }),
    { numRuns: runs(30, 500) },
  )
})

it('counts the customers of a currency whom its movements have left with something', () => {
  fc.assert(
    fc.property(business, zone, (invoices, timeZone) => {
      const movements = analytics.movementsOf(invoices, NOW, timeZone)
      for (const { currency, months } of analytics.movementsByMonth(invoices, NOW, timeZone)) {
        for (const { month, customers } of months) {
          const amounts = new Map<string, number>()
          for (const moved of movements)
            if (moved.currency === currency && moved.month <= month)
              amounts.set(moved.customer_id, (amounts.get(moved.customer_id) ?? 0) + moved.amount)
          expect(customers).toBe([...amounts.values()].filter((amount) => amount > 0).length)
        }
      }
    }),
    { numRuns: runs(10, 200) },
  )
})

it('makes billed less recognised to date deferred less unbilled, and deferred what is scheduled at that time', () => {
  fc.assert(
    fc.property(business, zone, time, (invoices, timeZone, now) => {
      const schedules = analytics.deferredSchedule(invoices, now, timeZone)
      const later = analytics.revenueByMonth(invoices, NOW, timeZone)
      for (const [place, { months }] of analytics.revenueByMonth(invoices, now, timeZone).entries()) {
        let notRecognised = 0
        for (const { billed, recognised, deferred, unbilled } of months) {
          notRecognised += billed - recognised
          expect(notRecognised).toBe(deferred - unbilled)
        }
        const scheduled = schedules[place]!.months.map(({ recognised }) => recognised)
        expect(sum(scheduled)).toBe(months.at(-1)!.deferred)
        // What is recorded does not change: a month that is over stays as it was.
        expect(later[place]!.months.slice(0, months.length - 1)).toEqual(months.slice(0, -1))
      }
    }),
    { numRuns: runs(30, 500) },
  )
})

it('returns the same figures all at once as one by one', () => {
  const {
    figuresOf,
    monthName,
    MAX_MONTHS,
    averageRevenue,
    customerChurn,
    grossChurn,
    netRetention,
    explainedMovementsOf,
    ...functions
  } = analytics
  fc.assert(
    fc.property(business, zone, (invoices, timeZone) => {
      const results = Object.entries(functions).map(([name, compute]) => [
        name,
        compute(invoices, NOW, timeZone),
      ])
      expect(figuresOf(invoices, NOW, timeZone)).toEqual(Object.fromEntries(results))
    }),
    { numRuns: runs(10, 500) },
  )
})

it('returns the same months, cohorts, rankings and coverage for any order of the invoices', () => {
  const figuresIn = (invoices: readonly analytics.Invoice[]) => {
    const { subscriptionsNow, movementsOf, customerChangesOf, findingsOf, ...figures } = analytics.figuresOf(
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
