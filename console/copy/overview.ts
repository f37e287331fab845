import type { Chart, Ranking } from '../../client/analytics/index.ts'
import { changedIn } from './changes.ts'
import { monthStart } from './periods.ts'
import type { Snapshot } from './snapshot.ts'

/** What the overview asks for: a currency, by default that of most invoices, and how many months, by default all. */
export interface OverviewQuery {
  readonly currency?: string | undefined
  readonly months?: number | undefined
}

const latest = <Value>(chart: Chart<Value>, count: number): Chart<Value> => ({
  ...chart,
  months: chart.months.slice(-count),
  names: chart.names.slice(-count),
  series: chart.series.map((series) => ({ ...series, values: series.values.slice(-count) })),
})

const MAX_RANKED = 100

/** The first rows of a ranking in a currency, and how many there are in all. */
const ranked = (rankings: readonly Ranking[], currency: string) => {
  const rows = rankings.find((each) => each.currency === currency)?.rows ?? []
  return { count: rows.length, rows: rows.slice(0, MAX_RANKED) }
}

export type Ranked = ReturnType<typeof ranked>

const changesThisMonth = (snapshot: Snapshot, currency: string) => {
  const month = snapshot.figures().invoicedByMonth[0]?.months.at(-1)
  const changed = changedIn(snapshot, currency, month)
  const names = ['New', 'Reactivated', 'Lost', 'Expansion', 'Contraction']
  const since = monthStart(snapshot.now)
  const isCredit = (each: Snapshot['invoices'][number]) =>
    each.total < 0 && each.created >= since && each.created <= snapshot.now && each.currency === currency
  return {
    changes: names.map((name) => ({ name, customers: changed.get(name)?.size ?? 0 })),
    credits: snapshot.invoices.filter(isCredit).length,
  }
}

/** Returns all that the overview shows of a currency. Throws nothing; without invoices there is no currency. */
export const overviewOf = (snapshot: Snapshot, query: OverviewQuery) => {
  const currencies = snapshot.currencies()
  const currency = currencies.find((each) => each === query.currency) ?? currencies[0]
  if (currency === undefined) return undefined
  const count = query.months ?? Number.POSITIVE_INFINITY
  const inCurrency = <Value>(charts: readonly Chart<Value>[]) =>
    charts.find((each) => each.currency === currency)
  const invoiced = inCurrency(snapshot.figures().invoicedByMonth)!
  const first = Math.max(0, invoiced.months.length - count)
  const since = query.months ? Date.UTC(1970, invoiced.months[first]!) / 1000 : Number.NEGATIVE_INFINITY
  const rankings = snapshot.rankingsSince(since)
  const byCustomer = ranked(rankings.customers, currency)
  const charts = {
    recurring: inCurrency(snapshot.figures().recurringByMonth),
    movements: inCurrency(snapshot.figures().movementsByMonth),
  }
  return {
    currency,
    currencies,
    now: snapshot.now,
    months: invoiced.months.length,
    range: query.months,
    recurring: charts.recurring && latest(charts.recurring, count),
    movements: charts.movements && latest(charts.movements, count),
    invoiced: latest(invoiced, count),
    counts: latest(snapshot.figures().customersByMonth, count),
    // The tiles look back for a year, whatever the range is.
    active: latest(snapshot.figures().customersByMonth, 14),
    churn: latest(snapshot.figures().ratesByMonth[0]!, 14),
    year: { recurring: charts.recurring && latest(charts.recurring, 13), invoiced: latest(invoiced, 13) },
    customers: {
      ...byCustomer,
      rows: byCustomer.rows.map((row) => ({ ...row, name: snapshot.labelOf(row.key) })),
    },
    plans: ranked(rankings.plans, currency),
    discounts: ranked(rankings.discounts, currency),
    thisMonth: changesThisMonth(snapshot, currency),
    coverage: snapshot.figures().coverageOf,
  }
}

export type Overview = NonNullable<ReturnType<typeof overviewOf>>
