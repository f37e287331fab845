import type { ScheduledMonth } from '../../client/analytics/index.ts'
import { chosenCurrency, type FiguresQuery, monthsOf } from './figures-query.ts'
import type { Snapshot } from './snapshot.ts'

/** The customers who joined in a month: how many of them are active, or what they come to, at its end and each later one. */
export interface Cohort {
  readonly month: number
  readonly values: readonly number[]
}

/** Returns a schedule without the months after its last amount, which other currencies may have. It has at least one month. */
const untilEmpty = (schedule: readonly ScheduledMonth[]): readonly ScheduledMonth[] => {
  const last = schedule.findLastIndex(({ recognised }) => recognised !== 0)
  return schedule.slice(0, Math.max(0, last) + 1)
}

/** Returns what the finance view shows of a currency; undefined without invoices. */
export const financeOf = (snapshot: Snapshot, query: FiguresQuery) => {
  const currency = chosenCurrency(snapshot, query)
  if (currency === undefined) return undefined
  const { revenueByMonth, deferredSchedule, customerCohorts, revenueCohorts, coverageOf } = snapshot.figures()
  const { months = Number.POSITIVE_INFINITY } = query
  const recent = (cohorts: readonly Cohort[]) =>
    cohorts.filter(({ month }) => month > snapshot.calendar.monthOf(snapshot.now) - months)
  const revenue = monthsOf(revenueByMonth, currency)
  const schedule = monthsOf(deferredSchedule, currency)
  const cohortsInCurrency = revenueCohorts.find((cohorts) => cohorts.currency === currency)?.cohorts ?? []
  return {
    currency,
    currencies: snapshot.currencies(),
    range: query.months,
    revenue: revenue?.slice(-months),
    schedule: schedule && untilEmpty(schedule),
    customers: recent(customerCohorts.map(({ month, active }) => ({ month, values: active }))),
    recurring: recent(cohortsInCurrency.map(({ month, recurring }) => ({ month, values: recurring }))),
    coverage: coverageOf,
  }
}

export type Finance = NonNullable<ReturnType<typeof financeOf>>
