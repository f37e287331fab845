import type { Chart } from '../../client/analytics/index.ts'
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

export const inCurrency = <Value>(charts: readonly Chart<Value>[], currency: string) =>
  charts.find((each) => each.currency === currency)

/** Returns the months of a chart from an index on, up to another; counted from the end if they are negative. */
export const monthsFrom = <Value>(chart: Chart<Value>, from: number, to?: number): Chart<Value> => ({
  ...chart,
  months: chart.months.slice(from, to),
  names: chart.names.slice(from, to),
  series: chart.series.map((series) => ({ ...series, values: series.values.slice(from, to) })),
})

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Returns the recurring revenue of the months of a chart by the plans that have any in them, the greatest first. */
const byPlansOf = (chart: Chart): Chart => {
  const [all, ...plans] = chart.series
  const sold = plans.filter(({ values }) => values.some((value) => value !== 0))
  return { ...chart, series: [all!, ...sold.sort((a, b) => sumOf(b.values) - sumOf(a.values))] }
}

const changesThisMonth = (snapshot: Snapshot, currency: string) => {
  const month = monthOf(snapshot.now)
  const changed = changedIn(snapshot, currency, month)
  const names = ['New', 'Reactivated', 'Lost', 'Expansion', 'Contraction']
  const isCredit = ({ total, created, currency: own }: Snapshot['invoices'][number]) =>
    total < 0 && created >= monthStart(month) && created < monthStart(month + 1) && own === currency
  return {
    changes: names.map((name) => ({ name, customers: changed.get(name)?.size ?? 0 })),
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
  const invoiced = inCurrency(figures.invoicedByMonth, currency)!
  const recurring = inCurrency(figures.recurringByMonth, currency)
  const movements = inCurrency(figures.movementsByMonth, currency)
  return {
    currency,
    currencies: snapshot.currencies(),
    range: query.months,
    recurring: recurring && byPlansOf(monthsFrom(recurring, -count)),
    movements: movements && monthsFrom(movements, -count),
    invoiced: monthsFrom(invoiced, -count),
    counts: monthsFrom(figures.customersByMonth, -count),
    // The tiles look back for a year, whatever the range is.
    active: monthsFrom(figures.customersByMonth, -14),
    churn: monthsFrom(figures.ratesByMonth[0]!, -14),
    year: { recurring: recurring && monthsFrom(recurring, -13), invoiced: monthsFrom(invoiced, -13) },
    customers: ranked('customers'),
    plans: ranked('plans'),
    discounts: ranked('discounts'),
    thisMonth: changesThisMonth(snapshot, currency),
    coverage: figures.coverageOf,
  }
}

export type Overview = NonNullable<ReturnType<typeof overviewOf>>
