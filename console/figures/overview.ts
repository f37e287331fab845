import { sum } from 'd3-array'
import {
  averageRevenue,
  grossChurn,
  type InvoicedMonth,
  lifetime,
  lifetimeValue,
  type MovementKind,
  type MovementSums,
  type MovementsMonth,
  monthName,
  movementSums,
  netRetention,
  type Plan,
  quickRatio,
  type Ranking,
  type RecurringMonth,
  type SegmentMovements,
} from '../../client/analytics/index.ts'
import type { Invoice } from '../records/entities.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { movementKinds } from '../text/format.ts'
import { chosenCurrency, type FiguresQuery, firstSecondOf, monthsInCurrency } from './figures-query.ts'
import { type RankingName, rankingOf } from './ranking.ts'

/** A plan, or a segment, in the months that are shown. Its amounts are in minor units. */
export interface PlanRevenue extends Plan {
  /** The recurring revenue at the end of each month. */
  readonly values: readonly number[]
  /** The recurring revenue at the start of the first month. */
  readonly start: number
  readonly billed: number
}

type Billed = Ranking['rows']

const byRevenue = (plans: Iterable<PlanRevenue>): readonly PlanRevenue[] =>
  [...plans].sort((a, b) => sum(b.values) - sum(a.values) || b.billed - a.billed)

/** The plans that were active or billed in the months, the largest revenue first. `before` is the month before the first. */
const plansIn = (
  months: readonly RecurringMonth[],
  before: RecurringMonth | undefined,
  billed: Billed,
): readonly PlanRevenue[] => {
  const plans = new Map<string, Plan & { values: number[]; start: number; billed: number }>()
  const planOf = ({ key, name }: Plan) => {
    const plan = plans.get(key) ?? { key, name, values: months.map(() => 0), start: 0, billed: 0 }
    plans.set(key, plan)
    return plan
  }
  for (const [index, month] of months.entries())
    for (const plan of month.plans) planOf(plan).values[index] = plan.amount
  for (const row of billed) planOf(row).billed = row.amount
  for (const { key, amount } of before?.plans ?? []) {
    const plan = plans.get(key)
    if (plan) plan.start = amount
  }
  return byRevenue(plans.values())
}

const segmentsIn = (
  months: readonly RecurringMonth[],
  segments: readonly SegmentMovements[],
  billed: Billed,
): readonly PlanRevenue[] => {
  const billedOf = new Map(billed.map(({ key, amount }) => [key, amount]))
  const all = segments.map(({ segment, months: movements }) => {
    const shown = movements.slice(-months.length)
    return {
      key: segment,
      name: segment,
      values: shown.map(({ end }) => end),
      start: shown[0]?.start ?? 0,
      billed: billedOf.get(segment) ?? 0,
    }
  })
  return byRevenue(all.filter((row) => row.billed !== 0 || row.values.some((value) => value !== 0)))
}

const movementCounts = (snapshot: Snapshot, currency: string, months: readonly MovementsMonth[]) => {
  const counts = new Map<string, number>()
  for (const { month, kind, currency: currencyOfMovement } of snapshot.figures().movementsOf) {
    const key = `${month} ${kind}`
    if (currencyOfMovement === currency) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return (kind: MovementKind): number[] => months.map(({ month }) => counts.get(`${month} ${kind}`) ?? 0)
}

const movementsByKind = (snapshot: Snapshot, currency: string, months: readonly MovementsMonth[]) => {
  const countsOf = movementCounts(snapshot, currency, months)
  return movementKinds.map((kind) => ({
    kind,
    values: months.map((month) => month[kind]),
    customers: countsOf(kind),
  }))
}

const creditsThisMonth = (snapshot: Snapshot, currency: string) => {
  const startOfMonth = snapshot.calendar.startOf(snapshot.calendar.monthOf(snapshot.now))
  const isCredit = (invoice: Invoice) =>
    invoice.total < 0 &&
    invoice.currency === currency &&
    invoice.created >= startOfMonth &&
    invoice.created < snapshot.endOfMonth
  const totals = snapshot.invoices.filter(isCredit).map(({ total }) => total)
  return { credits: totals.length, credited: sum(totals) }
}

const YEAR_MONTHS = 12

const recurringFiguresOf = (snapshot: Snapshot, currency: string) => {
  const { movementsByMonth, retentionOver, awaitingRenewal, customersByMonth } = snapshot.figures()
  const months = monthsInCurrency(movementsByMonth, currency)
  if (!months) return undefined
  const currentMonth = months.at(-1)!
  const lastMonth = months.at(-2)
  const yearAgo = months.at(-1 - YEAR_MONTHS)
  const isInCurrency = (figure: { readonly currency: string }) => figure.currency === currency
  const countsOf = movementCounts(snapshot, currency, months.slice(-2, -1))
  const closedMonths = months.slice(-1 - YEAR_MONTHS, -1)
  const trials = snapshot.trialsByMonth().slice(-YEAR_MONTHS)
  return {
    /** The recurring revenue at the end of each of the last twelve months, and now. */
    revenueByMonth: months.slice(-1 - YEAR_MONTHS).map(({ end }) => end),
    now: currentMonth.end,
    /** The recurring revenue now whose renewal is late. */
    awaitingRenewal: awaitingRenewal.find(isInCurrency)?.amount ?? 0,
    monthStart: currentMonth.start,
    /** The recurring revenue at the end of the same month a year ago. */
    yearAgo: yearAgo?.end,
    retention: retentionOver.find(isInCurrency),
    lastMonth: lastMonth && {
      month: lastMonth.month,
      start: lastMonth.start,
      netRetention: netRetention(lastMonth),
      grossChurn: grossChurn(lastMonth),
      churn: lastMonth.churn,
      contraction: lastMonth.contraction,
      churnedCustomers: countsOf('churn')[0]!,
      contractedCustomers: countsOf('contraction')[0]!,
    },
    churnRates: closedMonths.map(grossChurn),
    retentionRates: closedMonths.map(netRetention),
    customers: currentMonth.customers,
    customersByMonth: months.slice(-1 - YEAR_MONTHS).map(({ customers }) => customers),
    customersInAllCurrencies: customersByMonth.at(-1)!.active,
    averageRevenue: averageRevenue(currentMonth),
    /** Of up to twelve full months. */
    quickRatio: { ratio: quickRatio(movementSums(closedMonths)), months: closedMonths.length },
    /** How many months a customer is expected to stay, from the churn in all currencies. */
    lifetime: lifetime(customersByMonth),
    lifetimeValue: lifetimeValue(months, customersByMonth),
    /** The trials that ended in the last twelve months. */
    trials: {
      ended: sum(trials, ({ ended }) => ended),
      converted: sum(trials, ({ converted }) => converted),
    },
  }
}

const segmentsOf = (snapshot: Snapshot, { by }: FiguresQuery, currency: string) =>
  by ? snapshot.movementsBySegment(by).filter((movements) => movements.currency === currency) : undefined

interface SegmentSums extends MovementSums {
  readonly value: string
}

const segmentSums = (segments: readonly SegmentMovements[], count: number): SegmentSums[] =>
  segments
    .map(({ segment, months }) => ({ value: segment, ...movementSums(months.slice(-count)) }))
    .sort((a, b) => b.end - a.end)

const billedRows = (snapshot: Snapshot, { currency, by, months }: FiguresQuery): Billed => {
  const since = firstSecondOf(snapshot, months)
  const rankings = by ? snapshot.segmentRankingsSince(by, since) : snapshot.rankingsSince(since).plans
  return rankings.find((ranking) => ranking.currency === currency)?.rows ?? []
}

/** The invoiced amount of each month, up to the current one. If all invoices are dated later, the current month has 0. */
const invoicedMonths = (snapshot: Snapshot, currency: string): readonly InvoicedMonth[] => {
  const month = snapshot.calendar.monthOf(snapshot.now)
  const emptyMonth = { month, name: monthName(month), invoiced: 0 }
  return monthsInCurrency(snapshot.figures().invoicedByMonth, currency) ?? [emptyMonth]
}

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
  const billed = billedRows(snapshot, { ...query, currency })
  return {
    currency,
    currencies: snapshot.currencies(),
    range: query.months,
    by: query.by,
    segmentKeys: snapshot.segmentKeys(),
    recurringFigures: recurringFiguresOf(snapshot, currency),
    recurring: recurring && {
      months: recurring,
      plans: segments
        ? segmentsIn(recurring, segments, billed)
        : plansIn(recurring, allRecurring!.at(-1 - count), billed),
    },
    movements,
    movementsByKind: movements && movementsByKind(snapshot, currency, movements),
    /** The movements of each segment in the months that are shown; undefined if figures are divided by plan. */
    segments: segments && movements && segmentSums(segments, movements.length),
    invoiced: invoiced.slice(-count),
    invoicedInYear: invoiced.slice(-1 - YEAR_MONTHS),
    customersByMonth: figures.customersByMonth.slice(-count),
    renewals: monthsInCurrency(figures.renewalsByMonth, currency) ?? [],
    rankings: { customers: ranking('customers'), plans: ranking('plans'), discounts: ranking('discounts') },
    thisMonth: creditsThisMonth(snapshot, currency),
    coverage: figures.coverageOf,
  }
}

export type Overview = NonNullable<ReturnType<typeof overviewOf>>
