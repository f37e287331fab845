/**
 * The figures of a business, computed from its invoices: recurring revenue and its movements, customers and subscriptions
 * by month, rankings, and what the figures cannot take into account. docs/analytics.md has the rules.
 *
 * Every function takes the invoices as a list returns them with `include=line_items,price,discounts`, in any order; `now`
 * in seconds since the epoch; and a time zone such as `Europe/Berlin`, in which months and intervals are counted. It
 * throws RangeError for an unknown time zone. Amounts are in minor units. Different currencies are never added.
 *
 * @packageDocumentation
 */

import { coverageIn } from './coverage.ts'
import { datasetOf } from './dataset.ts'
import { customerRankings, discountRankings, invoicedCharts, planRankings } from './invoiced.ts'
import {
  customerChangesIn,
  customersChart,
  movementsCharts,
  movementsIn,
  subscriptionsChart,
} from './movements.ts'
import { ratesCharts, recurringCharts } from './revenue.ts'
import { subscriptionStatuses } from './subscriptions.ts'
import type {
  Chart,
  Coverage,
  CustomerChange,
  Invoice,
  Movement,
  Ranking,
  SubscriptionStatus,
} from './types.ts'

export { monthName } from './calendar.ts'
export { MAX_MONTHS } from './dataset.ts'
export type * from './types.ts'

type Invoices = readonly Invoice[]

/** Returns the totals of the invoices created in each month, a chart for each currency. */
export const invoicedByMonth = (invoices: Invoices, now: number, timeZone = 'UTC'): Chart[] =>
  invoicedCharts(datasetOf(invoices, now, timeZone))

/**
 * Returns the monthly recurring revenue at the end of each month, or now, a chart for each currency: "All plans", then each
 * plan, the greatest first.
 */
export const recurringByMonth = (invoices: Invoices, now: number, timeZone = 'UTC'): Chart[] =>
  recurringCharts(datasetOf(invoices, now, timeZone))

/**
 * Returns the movements of the recurring revenue in each month, a chart for each currency: Start, New, Reactivation,
 * Expansion, Contraction, Churn, End. Contraction and churn are negative, so that the start and the movements add up to
 * the end.
 */
export const movementsByMonth = (invoices: Invoices, now: number, timeZone = 'UTC'): Chart[] =>
  movementsCharts(datasetOf(invoices, now, timeZone))

/** Returns the numbers of subscriptions at the end of each month, or now: Active, New, Lost. */
export const subscriptionsByMonth = (invoices: Invoices, now: number, timeZone = 'UTC'): Chart =>
  subscriptionsChart(datasetOf(invoices, now, timeZone))

/** Returns the numbers of customers at the end of each month, or now: Active, New, Reactivated, Lost. */
export const customersByMonth = (invoices: Invoices, now: number, timeZone = 'UTC'): Chart =>
  customersChart(datasetOf(invoices, now, timeZone))

/**
 * Returns the rates of each month as fractions of 1, null if there is nothing to divide by. The first chart, without a
 * currency, has "Customer churn". Then follows one for each currency: "Gross revenue churn", "Net retention" and, in minor
 * units, "Average revenue per customer". The current month's rates are those so far.
 */
export const ratesByMonth = (invoices: Invoices, now: number, timeZone = 'UTC'): Chart<number | null>[] =>
  ratesCharts(datasetOf(invoices, now, timeZone))

/** Returns the sum of each customer's invoices up to the end of the current month, with tax and credits. */
export const invoicedByCustomer = (invoices: Invoices, now: number, timeZone = 'UTC'): Ranking[] =>
  customerRankings(datasetOf(invoices, now, timeZone))

/** Returns the sum of each plan's lines up to the end of the current month, without discount and tax. */
export const billedByPlan = (invoices: Invoices, now: number, timeZone = 'UTC'): Ranking[] =>
  planRankings(datasetOf(invoices, now, timeZone))

/**
 * Returns the sum of the amounts that each discount took off up to the end of the current month. The discounts of an
 * invoice that names several are one row, since its lines do not name theirs.
 */
export const discountedByDiscount = (invoices: Invoices, now: number, timeZone = 'UTC'): Ranking[] =>
  discountRankings(datasetOf(invoices, now, timeZone))

/** Returns what the figures were computed from, and what they cannot take into account. */
export const coverageOf = (invoices: Invoices, now: number, timeZone = 'UTC'): Coverage =>
  coverageIn(datasetOf(invoices, now, timeZone))

/** Returns the changes that `movementsByMonth` adds up, each with its customer, of all months, oldest first. */
export const movementsOf = (invoices: Invoices, now: number, timeZone = 'UTC'): Movement[] =>
  movementsIn(datasetOf(invoices, now, timeZone))

/** Returns who the new, reactivated and lost customers are that `customersByMonth` counts, of all months, oldest first. */
export const customerChangesOf = (invoices: Invoices, now: number, timeZone = 'UTC'): CustomerChange[] =>
  customerChangesIn(datasetOf(invoices, now, timeZone))

/**
 * Returns the current status of each subscription with recurring lines: its plans, whether it is active, and until when. A
 * customer's monthly value in a currency is the sum over the customer's subscriptions.
 */
export const subscriptionsNow = (invoices: Invoices, now: number, timeZone = 'UTC'): SubscriptionStatus[] =>
  subscriptionStatuses(datasetOf(invoices, now, timeZone))

/** Returns the results of all of these functions, but reads the invoices only once. */
export const figuresOf = (invoices: Invoices, now: number, timeZone = 'UTC') => {
  const dataset = datasetOf(invoices, now, timeZone)
  return {
    invoicedByMonth: invoicedCharts(dataset),
    recurringByMonth: recurringCharts(dataset),
    movementsByMonth: movementsCharts(dataset),
    subscriptionsByMonth: subscriptionsChart(dataset),
    customersByMonth: customersChart(dataset),
    ratesByMonth: ratesCharts(dataset),
    invoicedByCustomer: customerRankings(dataset),
    billedByPlan: planRankings(dataset),
    discountedByDiscount: discountRankings(dataset),
    coverageOf: coverageIn(dataset),
    movementsOf: movementsIn(dataset),
    customerChangesOf: customerChangesIn(dataset),
    subscriptionsNow: subscriptionStatuses(dataset),
  }
}

/** All figures of a business. */
export type Figures = ReturnType<typeof figuresOf>
