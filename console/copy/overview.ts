import {
  type CalendarMonth,
  type CurrencyMonths,
  customerChurn,
  type Plan,
  type RecurringMonth,
} from '../../client/analytics/index.ts'
import { changedIn } from './changes.ts'
import { monthOf, monthStart } from './periods.ts'
import { type RankingName, rankedIn } from './ranking.ts'
import type { Snapshot } from './snapshot.ts'

/** What a view of figures asks for: a currency, by default that of most invoices, and how many months, by default all. */
export interface FiguresQuery {
  readonly currency?: string | undefined
  readonly months?: number | undefined
}

/** Returns the currency that is asked for, or else that of most invoices; undefined without invoices. */
export const chosenCurrency = (snapshot: Snapshot, { currency }: FiguresQuery): string | undefined => {
  const currencies = snapshot.currencies()
  return currencies.find((each) => each === currency) ?? currencies[0]
}

/** Returns the months of a currency; undefined if there are none. */
export const monthsOf = <Record extends CalendarMonth>(
  currencies: readonly CurrencyMonths<Record>[],
  currency: string,
): readonly Record[] | undefined => currencies.find((each) => each.currency === currency)?.months

/** The recurring revenue of a plan in each of some months. */
export interface PlanRevenue extends Plan {
  readonly values: readonly number[]
}

/** Returns the plans that have recurring revenue in any of the months, the greatest first. */
const plansIn = (months: readonly RecurringMonth[]): readonly PlanRevenue[] => {
  const plans = new Map<string, Plan & { sum: number; readonly values: number[] }>()
  for (const [index, month] of months.entries()) {
    for (const { key, name, amount } of month.plans) {
      const plan = plans.get(key) ?? { key, name, sum: 0, values: months.map(() => 0) }
      plan.sum += amount
      plan.values[index] = amount
      plans.set(key, plan)
    }
  }
  return [...plans.values()].sort((a, b) => b.sum - a.sum)
}

/** The recurring revenue of some months, in all and by plan. */
export interface RecurringOverview {
  readonly months: readonly RecurringMonth[]
  readonly plans: readonly PlanRevenue[]
}

const recurringOf = (months: readonly RecurringMonth[]): RecurringOverview => ({
  months,
  plans: plansIn(months),
})

const changesThisMonth = (snapshot: Snapshot, currency: string) => {
  const month = monthOf(snapshot.now)
  const changed = changedIn(snapshot, currency, month)
  const kinds = ['new', 'reactivated', 'lost', 'expansion', 'contraction']
  const isCredit = ({ total, created, currency: own }: Snapshot['invoices'][number]) =>
    total < 0 && created >= monthStart(month) && created < monthStart(month + 1) && own === currency
  return {
    changes: kinds.map((kind) => ({ kind, customers: changed.get(kind)?.size ?? 0 })),
    credits: snapshot.invoices.filter(isCredit).length,
  }
}

/** Returns all that the overview shows of a currency. Throws nothing; without invoices there is no currency. */
export const overviewOf = (snapshot: Snapshot, query: FiguresQuery) => {
  const currency = chosenCurrency(snapshot, query)
  if (currency === undefined) return undefined
  const count = query.months ?? Number.POSITIVE_INFINITY
  const ranked = (name: RankingName) => rankedIn(snapshot, { name, currency, months: query.months })
  const figures = snapshot.figures()
  const invoiced = monthsOf(figures.invoicedByMonth, currency)!
  const recurring = monthsOf(figures.recurringByMonth, currency)
  const movements = monthsOf(figures.movementsByMonth, currency)
  return {
    currency,
    currencies: snapshot.currencies(),
    range: query.months,
    recurring: recurring && recurringOf(recurring.slice(-count)),
    movements: movements?.slice(-count),
    invoiced: invoiced.slice(-count),
    counts: figures.customersByMonth.slice(-count),
    // The tiles look back for a year, whatever the range is.
    active: figures.customersByMonth.slice(-14),
    churn: figures.customersByMonth.slice(-14).map(customerChurn),
    year: { recurring: recurring?.slice(-13), invoiced: invoiced.slice(-13) },
    customers: ranked('customers'),
    plans: ranked('plans'),
    discounts: ranked('discounts'),
    thisMonth: changesThisMonth(snapshot, currency),
    coverage: figures.coverageOf,
  }
}

export type Overview = NonNullable<ReturnType<typeof overviewOf>>
