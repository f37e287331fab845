import type { CalendarMonth } from '../../client/analytics/index.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { columnsOf } from './columns.ts'
import { sortRows } from './list-sort.ts'
import { sumsOf } from './list-sums.ts'
import { subscriptionRows } from './rows.ts'

const TREND_MONTHS = 24

export interface PlanInCurrency {
  readonly currency: string
  /** The recurring revenue at the end of each month. The last month is the current one. */
  readonly months: readonly (CalendarMonth & { readonly amount: number })[]
  readonly customers: number
  /** The amount billed for it in all months, without discount and tax. */
  readonly billed: number
}

export const planInCurrency = (snapshot: Snapshot, key: string, currency: string): PlanInCurrency => {
  const { recurringByMonth, subscriptionsNow, billedByPlan } = snapshot.figures()
  const months = recurringByMonth.find((inCurrency) => inCurrency.currency === currency)?.months ?? []
  const amounts = months.map(({ month, name, plans }) => ({
    month,
    name,
    amount: plans.find((plan) => plan.key === key)?.amount ?? 0,
  }))
  const holders = subscriptionsNow.filter(({ holds }) =>
    holds.some((plan) => plan.key === key && plan.currency === currency),
  )
  const rows = billedByPlan.find((ranking) => ranking.currency === currency)?.rows ?? []
  return {
    currency,
    months: amounts.slice(-TREND_MONTHS),
    customers: new Set(holders.map(({ customer_id }) => customer_id)).size,
    billed: rows.find((row) => row.key === key)?.amount ?? 0,
  }
}

export const planInCurrencies = (snapshot: Snapshot, key: string): PlanInCurrency[] =>
  snapshot
    .currencies()
    .map((currency) => planInCurrency(snapshot, key, currency))
    .filter(
      ({ customers, billed, months }) =>
        customers > 0 || billed !== 0 || months.some(({ amount }) => amount !== 0),
    )

export const planSubscriptions = (snapshot: Snapshot, key: string) => {
  const currencies = snapshot.currencies()
  const subscriptions = snapshot
    .figures()
    .subscriptionsNow.filter(({ holds }) => holds.some((plan) => plan.key === key))
  const rows = subscriptions.flatMap((subscription) => subscriptionRows(snapshot, subscription))
  return {
    columns: columnsOf('subscriptions'),
    rows: sortRows(rows, '-monthly', currencies),
    sums: sumsOf(rows, currencies),
  }
}
