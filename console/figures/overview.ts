import {
  averageRevenue,
  grossChurn,
  type InvoicedMonth,
  type MovementSums,
  monthName,
  movementSums,
  netRetention,
  type Plan,
  planGrowth,
  type RecurringMonth,
  type SegmentMovements,
} from '../../client/analytics/index.ts'
import type { Invoice } from '../records/entities.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { customersWithChange } from './changes.ts'
import { chosenCurrency, type FiguresQuery, firstSecondOf, monthsInCurrency } from './figures-query.ts'
import { type RankingName, rankingOf } from './ranking.ts'

/** The recurring revenue of a plan, or of a segment, in each of some months. */
export interface PlanRevenue extends Plan {
  /** The amount of each month, in minor units. */
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
  segments: readonly SegmentMovements[],
): readonly PlanRevenue[] =>
  segments
    .map(({ segment, months: movements }) => ({
      key: segment,
      name: segment,
      values: movements.slice(-months.length).map(({ end }) => end),
    }))
    .filter(({ values }) => values.some((value) => value !== 0))
    .sort((a, b) => b.values.at(-1)! - a.values.at(-1)!)

/** The recurring revenue of some months, as a total and by plan or segment. */
export interface RecurringOverview {
  readonly months: readonly RecurringMonth[]
  readonly plans: readonly PlanRevenue[]
}

/** Returns the number of customers with each kind of change in the current month, and the number of its credits, in one currency. */
const changesThisMonth = (snapshot: Snapshot, currency: string) => {
  const month = snapshot.calendar.monthOf(snapshot.now)
  const startOfMonth = snapshot.calendar.startOf(month)
  const kinds = ['began', 'reactivation', 'churn', 'expansion', 'contraction']
  const isCredit = (invoice: Invoice) =>
    invoice.total < 0 &&
    invoice.currency === currency &&
    invoice.created >= startOfMonth &&
    invoice.created < snapshot.endOfMonth
  return {
    changes: kinds.map((kind) => ({
      kind,
      customers: customersWithChange(snapshot, { moved: kind, month, currency }).size,
    })),
    credits: snapshot.invoices.filter(isCredit).length,
  }
}

const YEAR_MONTHS = 12

/** Returns the main figures of recurring revenue in a currency; undefined if there are no recurring lines in it. */
const recurringFiguresOf = (snapshot: Snapshot, currency: string) => {
  const { movementsByMonth, retentionOver, awaitingRenewal, customersByMonth } = snapshot.figures()
  const months = monthsInCurrency(movementsByMonth, currency)
  if (!months) return undefined
  const currentMonth = months.at(-1)!
  const lastMonth = months.at(-2)
  const yearAgo = months.at(-1 - YEAR_MONTHS)
  const isInCurrency = (figure: { readonly currency: string }) => figure.currency === currency
  const customersOfLastMonth = (kind: string) =>
    lastMonth ? customersWithChange(snapshot, { moved: kind, month: lastMonth.month, currency }).size : 0
  return {
    /** The recurring revenue at the end of each of the last twelve months, and now. */
    revenueByMonth: months.slice(-1 - YEAR_MONTHS).map(({ end }) => end),
    /** The recurring revenue now. */
    now: currentMonth.end,
    /** The recurring revenue now whose renewal is late. */
    awaitingRenewal: awaitingRenewal.find(isInCurrency)?.amount ?? 0,
    /** The recurring revenue at the start of this month. */
    monthStart: currentMonth.start,
    /** The recurring revenue at the end of the same month a year ago. */
    yearAgo: yearAgo?.end,
    /** The retention of the customers of a year ago. */
    retention: retentionOver.find(isInCurrency),
    lastMonth: lastMonth && {
      month: lastMonth.month,
      start: lastMonth.start,
      netRetention: netRetention(lastMonth),
      grossChurn: grossChurn(lastMonth),
      churn: lastMonth.churn,
      contraction: lastMonth.contraction,
      churnedCustomers: customersOfLastMonth('churn'),
      contractedCustomers: customersOfLastMonth('contraction'),
    },
    /** The gross churn rates of the last twelve full months. */
    churnRates: months.slice(-1 - YEAR_MONTHS, -1).map(grossChurn),
    customers: currentMonth.customers,
    customersByMonth: months.slice(-1 - YEAR_MONTHS).map(({ customers }) => customers),
    customersInAllCurrencies: customersByMonth.at(-1)!.active,
    averageRevenue: averageRevenue(currentMonth),
  }
}

/** Returns the movements of each segment in a currency; undefined if the overview is divided by plan. */
const segmentsOf = (snapshot: Snapshot, { by }: FiguresQuery, currency: string) =>
  by ? snapshot.movementsBySegment(by).filter((movements) => movements.currency === currency) : undefined

/** The movements of a segment over the months that are shown. */
interface SegmentSums extends MovementSums {
  readonly value: string
}

/** Returns the movements and the billed amounts of the segments over the months that are shown, largest amount first. */
const segmentSums = (
  snapshot: Snapshot,
  { currency, by = '', months }: FiguresQuery,
  segments: readonly SegmentMovements[],
) => {
  const rankings = snapshot.segmentRankingsSince(by, firstSecondOf(snapshot, months))
  const movements: SegmentSums[] = segments.map(({ segment, months: all }) => ({
    value: segment,
    ...movementSums(all.slice(-(months ?? all.length))),
  }))
  return {
    movements: movements.sort((a, b) => b.end - a.end),
    billed: (rankings.find((ranking) => ranking.currency === currency)?.rows ?? []).map(
      ({ key, amount }) => ({ value: key, billed: amount }),
    ),
  }
}

/** Returns the invoiced amount of each month, up to the current one. If all invoices are dated later, the current month has 0. */
const invoicedMonths = (snapshot: Snapshot, currency: string): readonly InvoicedMonth[] => {
  const month = snapshot.calendar.monthOf(snapshot.now)
  const emptyMonth = { month, name: monthName(month), invoiced: 0 }
  return monthsInCurrency(snapshot.figures().invoicedByMonth, currency) ?? [emptyMonth]
}

/** Returns the data of the overview in one currency; undefined without invoices. */
export const overviewOf = (snapshot: Snapshot, query: FiguresQuery) => {
  const currency = chosenCurrency(snapshot, query)
  if (currency === undefined) return undefined
  const count = query.months ?? Number.POSITIVE_INFINITY
  const ranking = (name: RankingName) => rankingOf(snapshot, { name, currency, months: query.months })
  const figures = snapshot.figures()
  const invoiced = invoicedMonths(snapshot, currency)
  const allRecurring = monthsInCurrency(figures.recurringByMonth, currency)
  const recurring = allRecurring?.slice(-count)
  const movements = monthsInCurrency(figures.movementsByMonth, currency)?.slice(-count)
  const segments = segmentsOf(snapshot, query, currency)
  return {
    currency,
    currencies: snapshot.currencies(),
    range: query.months,
    by: query.by,
    segmentKeys: snapshot.segmentKeys(),
    recurringFigures: recurringFiguresOf(snapshot, currency),
    recurring: recurring && {
      months: recurring,
      plans: segments ? segmentsIn(recurring, segments) : plansIn(recurring),
    },
    /** The growth of each plan over the months that are shown. */
    planGrowth: recurring && planGrowth(allRecurring!.at(-1 - count), recurring.at(-1)!),
    movements,
    /** The movements of each segment in the months that are shown; undefined if figures are divided by plan. */
    segments: segments && movements && segmentSums(snapshot, { ...query, currency }, segments),
    invoiced: invoiced.slice(-count),
    /** The invoiced amounts of the current month and the twelve months before it. */
    invoicedInYear: invoiced.slice(-1 - YEAR_MONTHS),
    customersByMonth: figures.customersByMonth.slice(-count),
    renewals: monthsInCurrency(figures.renewalsByMonth, currency) ?? [],
    rankings: {
      customers: ranking('customers'),
      plans: ranking('plans'),
      discounts: ranking('discounts'),
    },
    thisMonth: changesThisMonth(snapshot, currency),
    coverage: figures.coverageOf,
  }
}

export type Overview = NonNullable<ReturnType<typeof overviewOf>>
