import {
  averageRevenue,
  grossChurn,
  type InvoicedMonth,
  monthName,
  netRetention,
  type Plan,
  type RecurringMonth,
} from '../../client/analytics/index.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { customersWhoChanged } from './changes.ts'
import { chosenCurrency, type FiguresQuery, monthsOf } from './figures-query.ts'
import { type RankingName, rankingOf } from './ranking.ts'
import { renewalsByMonth } from './renewals.ts'
import { retentionSince } from './retention.ts'
import { type SegmentFigures, segmentFigures, segmentMovements } from './segment-figures.ts'

/** The recurring revenue of a plan, or of a segment, in each of some months. */
export interface PlanRevenue extends Plan {
  readonly values: readonly number[]
}

/** Returns the plans that have recurring revenue in any of the months, largest revenue first. */
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

/** Returns the segments that have recurring revenue in any of the months, largest revenue first. */
const segmentsIn = (
  months: readonly RecurringMonth[],
  segments: readonly SegmentFigures[],
): readonly PlanRevenue[] =>
  segments
    .map(({ value, months: movements }) => ({
      key: value,
      name: value,
      values: months.map(({ month }) => movements.get(month)?.end ?? 0),
    }))
    .filter(({ values }) => values.some((value) => value !== 0))
    .sort((a, b) => b.values.at(-1)! - a.values.at(-1)!)

/** The recurring revenue of some months, as a total and by plan or segment. */
export interface RecurringOverview {
  readonly months: readonly RecurringMonth[]
  readonly plans: readonly PlanRevenue[]
}

/** What happened in the running month, in one currency. */
const changesThisMonth = (snapshot: Snapshot, currency: string) => {
  const month = snapshot.calendar.monthOf(snapshot.now)
  const from = snapshot.calendar.startOf(month)
  const kinds = ['began', 'reactivation', 'churn', 'expansion', 'contraction']
  const isCredit = ({ total, created, currency: own }: Snapshot['invoices'][number]) =>
    total < 0 && created >= from && created < snapshot.endOfMonth && own === currency
  return {
    changes: kinds.map((moved) => ({
      kind: moved,
      customers: customersWhoChanged(snapshot, { moved, month, currency }).size,
    })),
    credits: snapshot.invoices.filter(isCredit).length,
  }
}

const YEAR_MONTHS = 12

/** Returns what the tiles have of a currency; undefined if nothing recurs in it. */
const tilesOf = (snapshot: Snapshot, currency: string) => {
  const { movementsByMonth, movementsOf, customersByMonth } = snapshot.figures()
  const months = monthsOf(movementsByMonth, currency)
  if (!months) return undefined
  const now = months.at(-1)!
  const lastMonth = months.at(-2)
  const yearAgo = months.at(-1 - YEAR_MONTHS)
  const movements = movementsOf.filter((movement) => movement.currency === currency)
  const countOf = (moved: string) =>
    lastMonth ? customersWhoChanged(snapshot, { moved, month: lastMonth.month, currency }).size : 0
  return {
    recurring: months.slice(-1 - YEAR_MONTHS).map(({ end }) => end),
    now: now.end,
    monthStart: now.start,
    yearAgo: yearAgo?.end,
    /** What became of the customers of a year ago. */
    retention: yearAgo && retentionSince(movements, yearAgo.month),
    lastMonth: lastMonth && {
      month: lastMonth.month,
      start: lastMonth.start,
      netRetention: netRetention(lastMonth),
      grossChurn: grossChurn(lastMonth),
      churn: lastMonth.churn,
      contraction: lastMonth.contraction,
      churnedCustomers: countOf('churn'),
      contractedCustomers: countOf('contraction'),
    },
    churnRates: months.slice(-1 - YEAR_MONTHS, -1).map(grossChurn),
    customers: now.customers,
    customersByMonth: months.slice(-1 - YEAR_MONTHS).map(({ customers }) => customers),
    customersInAllCurrencies: customersByMonth.at(-1)!.active,
    averageRevenue: averageRevenue(now),
  }
}

/** Returns how the overview is divided by segments; undefined if it is not. */
const segmentsOf = (snapshot: Snapshot, { by, months }: FiguresQuery, currency: string) => {
  if (!by) return undefined
  const { now, calendar } = snapshot
  const running = calendar.monthOf(now)
  const since = months ? calendar.startOf(running - months + 1) : Number.NEGATIVE_INFINITY
  return segmentFigures(snapshot, by, { currency, since })
}

/** Returns what was invoiced in each month, up to the running one. If all invoices are dated later, that is nothing in this month. */
const invoicedMonths = (snapshot: Snapshot, currency: string): readonly InvoicedMonth[] => {
  const month = snapshot.calendar.monthOf(snapshot.now)
  const nothing = { month, name: monthName(month), invoiced: 0 }
  return monthsOf(snapshot.figures().invoicedByMonth, currency) ?? [nothing]
}

/** Returns all that the overview shows of a currency. Throws nothing; without invoices there is no currency. */
export const overviewOf = (snapshot: Snapshot, query: FiguresQuery) => {
  const currency = chosenCurrency(snapshot, query)
  if (currency === undefined) return undefined
  const count = query.months ?? Number.POSITIVE_INFINITY
  const ranking = (name: RankingName) => rankingOf(snapshot, { name, currency, months: query.months })
  const figures = snapshot.figures()
  const invoiced = invoicedMonths(snapshot, currency)
  const recurring = monthsOf(figures.recurringByMonth, currency)?.slice(-count)
  const movements = monthsOf(figures.movementsByMonth, currency)?.slice(-count)
  const segments = segmentsOf(snapshot, query, currency)
  return {
    currency,
    currencies: snapshot.currencies(),
    range: query.months,
    by: query.by,
    segmentKeys: snapshot.segmentKeys(),
    tiles: tilesOf(snapshot, currency),
    recurring: recurring && {
      months: recurring,
      plans: segments ? segmentsIn(recurring, segments) : plansIn(recurring),
    },
    movements,
    /** The movements of each segment in the months that are shown; undefined if figures are divided by plan. */
    segments: segments &&
      movements && {
        movements: segmentMovements(
          segments,
          movements.map(({ month }) => month),
        ),
        billed: segments.map(({ value, billed }) => ({ value, billed })).sort((a, b) => b.billed - a.billed),
      },
    invoiced: invoiced.slice(-count),
    /** The running month is the last of a year. */
    invoicedInYear: invoiced.slice(-1 - YEAR_MONTHS),
    counts: figures.customersByMonth.slice(-count),
    renewals: renewalsByMonth(snapshot, currency),
    customers: ranking('customers'),
    plans: ranking('plans'),
    discounts: ranking('discounts'),
    thisMonth: changesThisMonth(snapshot, currency),
    coverage: figures.coverageOf,
  }
}

export type Overview = NonNullable<ReturnType<typeof overviewOf>>
