import type { Chart, Ranking } from '../../client/analytics/index.ts'
import type { Books } from './books.ts'
import { monthStart } from './periods.ts'

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

const MOST_RANKED = 100

/** The first rows of a ranking in a currency, and how many there are in all. */
const ranked = (rankings: readonly Ranking[], currency: string) => {
  const rows = rankings.find((each) => each.currency === currency)?.rows ?? []
  return { count: rows.length, rows: rows.slice(0, MOST_RANKED) }
}

export type Ranked = ReturnType<typeof ranked>

const changesThisMonth = (books: Books, currency: string) => {
  const month = books.figures().invoicedByMonth[0]?.months.at(-1)
  const of = books.figures().movementsOf.filter((each) => each.month === month && each.currency === currency)
  const kinds = ['New', 'Reactivation', 'Expansion', 'Contraction', 'Churn'] as const
  const since = monthStart(books.now)
  const isCredit = (each: Books['invoices'][number]) =>
    each.total < 0 && each.created >= since && each.created <= books.now && each.currency === currency
  const customersWith = (name: string) =>
    new Set(of.filter((each) => each.name === name).map(({ customer_id }) => customer_id)).size
  return {
    movements: kinds.map((name) => ({ name, customers: customersWith(name) })),
    credits: books.invoices.filter(isCredit).length,
  }
}

/** Returns all that the overview shows of a currency. Throws nothing; without invoices there is no currency. */
export const overviewOf = (books: Books, query: OverviewQuery) => {
  const currencies = books.currencies()
  const currency = currencies.find((each) => each === query.currency) ?? currencies[0]
  if (currency === undefined) return undefined
  const count = query.months ?? Number.POSITIVE_INFINITY
  const inCurrency = <Value>(charts: readonly Chart<Value>[]) =>
    charts.find((each) => each.currency === currency)
  const invoiced = inCurrency(books.figures().invoicedByMonth)!
  const first = Math.max(0, invoiced.months.length - count)
  const since = query.months ? Date.UTC(1970, invoiced.months[first]!) / 1000 : Number.NEGATIVE_INFINITY
  const rankings = books.rankingsSince(since)
  const byCustomer = ranked(rankings.customers, currency)
  const charts = {
    recurring: inCurrency(books.figures().recurringByMonth),
    movements: inCurrency(books.figures().movementsByMonth),
  }
  return {
    currency,
    currencies,
    now: books.now,
    months: invoiced.months.length,
    recurring: charts.recurring && latest(charts.recurring, count),
    movements: charts.movements && latest(charts.movements, count),
    invoiced: latest(invoiced, count),
    // The tiles look back for a year, whatever the range is.
    active: latest(books.figures().customersByMonth, 14),
    churn: latest(books.figures().ratesByMonth[0]!, 14),
    year: { recurring: charts.recurring && latest(charts.recurring, 13), invoiced: latest(invoiced, 13) },
    customers: {
      ...byCustomer,
      rows: byCustomer.rows.map((row) => ({ ...row, name: books.labelOf(row.key) })),
    },
    plans: ranked(rankings.plans, currency),
    discounts: ranked(rankings.discounts, currency),
    thisMonth: changesThisMonth(books, currency),
    coverage: books.figures().coverageOf,
  }
}

export type Overview = NonNullable<ReturnType<typeof overviewOf>>
