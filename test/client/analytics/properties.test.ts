import fc from 'fast-check'
import * as analytics from '../../../client/analytics/index.ts'
import { runs } from '../../support/runs.ts'
import { sum } from '../../support/sum.ts'
import { business, NOW, time, zone } from './biller.ts'
import { everyFigure } from './every-figure.ts'

it('returns a recurring revenue that is the sum of its plans, of its movements, and of the plans of subscriptions', () => {
  fc.assert(
    fc.property(business, zone, time, (invoices, timeZone, now) => {
      const figures = analytics.figuresOf(invoices, now, timeZone)
      const plansNow = figures.subscriptionsNow.flatMap((status) => status.holds)
      for (const [place, { currency, months }] of figures.recurringByMonth.entries()) {
        const movements = figures.movementsByMonth[place]!
        expect(movements.currency).toBe(currency)
        for (const [index, { month, total, plans }] of months.entries()) {
          expect(sum(plans.map(({ amount }) => amount))).toBe(total)
          const movementsMonth = movements.months[index]!
          expect(movementsMonth).toMatchObject({ month, end: total })
          const { start, reactivation, expansion, contraction, churn, end } = movementsMonth
          expect(start + movementsMonth.new + reactivation + expansion + contraction + churn).toBe(end)
          if (index > 0) expect(start).toBe(months[index - 1]!.total)
        }
        const isInCurrency = (item: { readonly currency: string }) => item.currency === currency
        const movementAmounts = figures.movementsOf.filter(isInCurrency).map(({ amount }) => amount)
        const planAmounts = plansNow.filter(isInCurrency).map(({ monthly }) => monthly)
        expect(sum(movementAmounts)).toBe(months.at(-1)!.total)
        expect(sum(planAmounts)).toBe(months.at(-1)!.total)
      }
    }),
    { numRuns: runs(30, 500) },
  )
})

it('counts as active the customers who came and have not left, in agreement with the changes and the cohorts', () => {
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

it('counts the customers of a currency whose movements add up to more than 0', () => {
  fc.assert(
    fc.property(business, zone, (invoices, timeZone) => {
      const movements = analytics.movementsOf(invoices, NOW, timeZone)
      for (const { currency, months } of analytics.movementsByMonth(invoices, NOW, timeZone)) {
        for (const { month, customers } of months) {
          const amounts = new Map<string, number>()
          for (const movement of movements)
            if (movement.currency === currency && movement.month <= month) {
              const { customer_id, amount } = movement
              amounts.set(customer_id, (amounts.get(customer_id) ?? 0) + amount)
            }
          expect(customers).toBe([...amounts.values()].filter((amount) => amount > 0).length)
        }
      }
    }),
    { numRuns: runs(10, 200) },
  )
})

it('returns billed − recognised = deferred − unbilled at the end of each month, and schedules all that is deferred', () => {
  fc.assert(
    fc.property(business, zone, time, (invoices, timeZone, now) => {
      const schedules = analytics.deferredSchedule(invoices, now, timeZone)
      const laterRevenue = analytics.revenueByMonth(invoices, NOW, timeZone)
      for (const [place, { months }] of analytics.revenueByMonth(invoices, now, timeZone).entries()) {
        let billedNotRecognised = 0
        for (const { billed, recognised, deferred, unbilled } of months) {
          billedNotRecognised += billed - recognised
          expect(billedNotRecognised).toBe(deferred - unbilled)
        }
        const scheduled = schedules[place]!.months.map(({ recognised }) => recognised)
        expect(sum(scheduled)).toBe(months.at(-1)!.deferred)
        // Invoices never change, so neither do the figures of a month that is over.
        const monthsOver = months.slice(0, -1)
        expect(laterRevenue[place]!.months.slice(0, monthsOver.length)).toEqual(monthsOver)
      }
    }),
    { numRuns: runs(30, 500) },
  )
})

it('returns the same figures all at once as one by one', () => {
  fc.assert(
    fc.property(business, zone, (invoices, timeZone) => {
      const results = Object.entries(everyFigure).map(([name, compute]) => [
        name,
        compute(invoices, NOW, timeZone),
      ])
      expect(analytics.figuresOf(invoices, NOW, timeZone)).toEqual(Object.fromEntries(results))
    }),
    { numRuns: runs(10, 500) },
  )
})

it('returns the same months, cohorts, rankings and coverage for any order of the invoices', () => {
  /** Returns the figures except the lists that follow the order of the invoices. */
  const orderedFigures = (invoices: readonly analytics.Invoice[]) => {
    const figures = analytics.figuresOf(invoices, NOW)
    const { subscriptionsNow, movementsOf, customerChangesOf, findingsOf, ...ordered } = figures
    return ordered
  }
  const shuffled = business.chain((invoices) =>
    fc.tuple(fc.constant(invoices), fc.shuffledSubarray([...invoices], { minLength: invoices.length })),
  )
  fc.assert(
    fc.property(shuffled, ([invoices, inOtherOrder]) =>
      expect(orderedFigures(inOtherOrder)).toEqual(orderedFigures(invoices)),
    ),
    { numRuns: runs(30, 500) },
  )
})
