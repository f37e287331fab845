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

import { customerCohortsIn, revenueCohortsIn } from './cohorts.ts'
import { coverageIn } from './coverage.ts'
import { type Dataset, datasetOf } from './dataset.ts'
import { customerRankings, discountRankings, invoicedCharts, planRankings } from './invoiced.ts'
import {
  customerChangesIn,
  customersChart,
  movementsCharts,
  movementsIn,
  subscriptionsChart,
} from './movements.ts'
import { revenueCharts, scheduleCharts } from './recognition.ts'
import { ratesCharts, recurringCharts } from './revenue.ts'
import { subscriptionStatuses } from './subscriptions.ts'
import type { Invoice } from './types.ts'

export { monthName } from './calendar.ts'
export { MAX_MONTHS } from './charts.ts'
export type * from './types.ts'

const figure =
  <Result>(of: (dataset: Dataset) => Result) =>
  (invoices: readonly Invoice[], now: number, timeZone = 'UTC'): Result =>
    of(datasetOf(invoices, now, timeZone))

/** Returns the totals of the invoices created in each month, a chart for each currency. @example const [chart] = invoicedByMonth(invoices, now, 'Europe/Berlin') */
export const invoicedByMonth = figure(invoicedCharts)

/**
 * Returns the monthly recurring revenue at the end of each month, or now, a chart for each currency: "All plans", then each
 * plan, the greatest first.
 * @example const revenueNow = recurringByMonth(invoices, now)[0]?.series[0]?.values.at(-1)
 */
export const recurringByMonth = figure(recurringCharts)

/**
 * Returns the movements of the recurring revenue in each month, a chart for each currency: Start, New, Reactivation,
 * Expansion, Contraction, Churn, End. Contraction and churn are negative, so that the start and the movements add up to
 * the end.
 * @example for (const { name, values } of movementsByMonth(invoices, now)[0]!.series) console.log(name, values)
 */
export const movementsByMonth = figure(movementsCharts)

/** Returns the numbers of subscriptions at the end of each month, or now: Active, New, Lost. @example const { names, series } = subscriptionsByMonth(invoices, now) */
export const subscriptionsByMonth = figure(subscriptionsChart)

/** Returns the numbers of customers at the end of each month, or now: Active, New, Reactivated, Lost. @example const { names, series } = customersByMonth(invoices, now) */
export const customersByMonth = figure(customersChart)

/**
 * Returns the rates of each month as fractions of 1, null if there is nothing to divide by. The first chart, without a
 * currency, has "Customer churn". Then follows one for each currency: "Gross revenue churn", "Net retention" and, in minor
 * units, "Average revenue per customer". The current month's rates are those so far.
 * @example const [churn, ...revenue] = ratesByMonth(invoices, now)
 */
export const ratesByMonth = figure(ratesCharts)

/**
 * Returns the customers who were new in each month, oldest first, and how many of them are active at the end of it and of each
 * later month, or now. A month without new customers has no row.
 * @example const retained = customerCohorts(invoices, now).map(({ customers, active }) => active.at(-1)! / customers)
 */
export const customerCohorts = figure(customerCohortsIn)

/**
 * Returns, for each currency, the months in which customers were new in it, oldest first, with what they come to at the end of it
 * and of each later month, or now.
 * @example for (const { currency, cohorts } of revenueCohorts(invoices, now)) console.log(currency, cohorts)
 */
export const revenueCohorts = figure(revenueCohortsIn)

/**
 * Returns what was earned by month, a chart for each currency: Billed and Recognised in the month, and at its end, or now,
 * Deferred (billed, but not recognised yet) and Unbilled (recognised, but billed later), without discount and tax. Billed to
 * date − recognised to date = Deferred − Unbilled.
 * @example const recognised = revenueByMonth(invoices, now)[0]?.series.find(({ name }) => name === 'Recognised')
 */
export const revenueByMonth = figure(revenueCharts)

/**
 * Returns what of the deferred amount of now will be recognised in the rest of the current month and in each later one, a chart
 * for each currency with the series Recognised. It has at most `MAX_MONTHS` months, the last with all that is left.
 * @example const [chart] = deferredSchedule(invoices, now)
 */
export const deferredSchedule = figure(scheduleCharts)

/** Returns the sum of each customer's invoices up to the end of the current month, with tax and credits. @example const [ranking] = invoicedByCustomer(invoices, now) */
export const invoicedByCustomer = figure(customerRankings)

/** Returns the sum of each plan's lines up to the end of the current month, without discount and tax. @example const best = billedByPlan(invoices, now)[0]?.rows[0] */
export const billedByPlan = figure(planRankings)

/**
 * Returns the sum of the amounts that each discount took off up to the end of the current month. The discounts of an
 * invoice that names several are one row, since its lines do not name theirs.
 * @example const [ranking] = discountedByDiscount(invoices, now)
 */
export const discountedByDiscount = figure(discountRankings)

/** Returns what the figures were computed from, and what they cannot take into account. @example const { complete, recordedUntil } = coverageOf(invoices, now) */
export const coverageOf = figure(coverageIn)

/** Returns the changes that `movementsByMonth` adds up, each with its customer, of all months, oldest first. @example const changes = movementsOf(invoices, now) */
export const movementsOf = figure(movementsIn)

/** Returns who the new, reactivated and lost customers of `customersByMonth` are, of all months, oldest first. @example const changes = customerChangesOf(invoices, now) */
export const customerChangesOf = figure(customerChangesIn)

/**
 * Returns the current status of each subscription with recurring lines: its plans, whether it is active, and until when. A
 * customer's monthly value in a currency is the sum over the customer's subscriptions.
 * @example const active = subscriptionsNow(invoices, now).filter((each) => each.active)
 */
export const subscriptionsNow = figure(subscriptionStatuses)

/** Returns the results of all of these functions, but reads the invoices only once. @example const { coverageOf } = figuresOf(invoices, now, 'Europe/Berlin') */
export const figuresOf = figure((dataset) => ({
  invoicedByMonth: invoicedCharts(dataset),
  recurringByMonth: recurringCharts(dataset),
  movementsByMonth: movementsCharts(dataset),
  subscriptionsByMonth: subscriptionsChart(dataset),
  customersByMonth: customersChart(dataset),
  ratesByMonth: ratesCharts(dataset),
  customerCohorts: customerCohortsIn(dataset),
  revenueCohorts: revenueCohortsIn(dataset),
  revenueByMonth: revenueCharts(dataset),
  deferredSchedule: scheduleCharts(dataset),
  invoicedByCustomer: customerRankings(dataset),
  billedByPlan: planRankings(dataset),
  discountedByDiscount: discountRankings(dataset),
  coverageOf: coverageIn(dataset),
  movementsOf: movementsIn(dataset),
  customerChangesOf: customerChangesIn(dataset),
  subscriptionsNow: subscriptionStatuses(dataset),
}))

/** All figures of a business. @example const isComplete = (figures: Figures) => figures.coverageOf.complete */
export type Figures = ReturnType<typeof figuresOf>
