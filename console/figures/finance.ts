import { type Cohort, cohortsByQuarter, type ScheduledMonth } from '../../client/analytics/index.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { chosenCurrency, monthsInCurrency } from './figures-query.ts'
import { type CloseQuery, monthCloseOf } from './month-close.ts'

const QUARTER_MONTHS = 3

/** A schedule up to its last month with an amount; other currencies may have later months. It has at least one month. */
const upToLastAmount = (schedule: readonly ScheduledMonth[]): readonly ScheduledMonth[] => {
  const last = schedule.findLastIndex(({ recognised }) => recognised !== 0)
  return schedule.slice(0, Math.max(0, last) + 1)
}

export const financeOf = (snapshot: Snapshot, query: CloseQuery) => {
  const currency = chosenCurrency(snapshot, query)
  if (currency === undefined) return undefined
  const { revenueByMonth, deferredSchedule, customerCohorts, revenueCohorts, coverageOf } = snapshot.figures()
  const { months = Number.POSITIVE_INFINITY } = query
  const currentMonth = snapshot.calendar.monthOf(snapshot.now)
  /** The cohorts of the months that are shown, and of every quarter that contains one of these months. */
  const shown = (cohorts: readonly Cohort[]) => ({
    months: cohorts.filter(({ month }) => month > currentMonth - months),
    quarters: cohortsByQuarter(cohorts, currentMonth).filter(
      ({ month }) => month + QUARTER_MONTHS - 1 > currentMonth - months,
    ),
  })
  const revenue = monthsInCurrency(revenueByMonth, currency)
  const schedule = monthsInCurrency(deferredSchedule, currency)
  const cohortsInCurrency = revenueCohorts.find((cohorts) => cohorts.currency === currency)?.cohorts ?? []
  return {
    currency,
    currencies: snapshot.currencies(),
    range: query.months,
    currentMonth,
    revenue: revenue?.slice(-months),
    schedule: schedule && upToLastAmount(schedule),
    customers: shown(customerCohorts.map(({ month, active }) => ({ month, values: active }))),
    recurring: shown(cohortsInCurrency.map(({ month, recurring }) => ({ month, values: recurring }))),
    close: monthCloseOf(snapshot, query, currency),
    coverage: coverageOf,
  }
}

export type Finance = NonNullable<ReturnType<typeof financeOf>>
