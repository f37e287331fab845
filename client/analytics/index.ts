/**
 * The figures of a business, from its invoices: recurring revenue, its movements, customers and subscriptions by month,
 * rankings, and what the figures cannot see. docs/analytics.md has the rules. All functions take invoices as a list
 * returns them with `include=line_items,price,discounts`, in any order, `now` in seconds, and a time zone such as
 * `Europe/Berlin`, in which months and intervals are counted. They throw RangeError for an unknown time zone. Amounts are
 * in minor units, and amounts of different currencies are never added.
 *
 * @packageDocumentation
 */

import { bookOf } from './book.ts'
import { calendarOf } from './calendar.ts'
import { coverageIn } from './coverage.ts'
import { customerRankings, discountRankings, invoicedCharts, planRankings } from './invoiced.ts'
import { customersChart, movementsChart, movementsIn, subscriptionsChart } from './movements.ts'
import { ratesCharts, recurringCharts } from './revenue.ts'
import { standingsIn } from './standings.ts'
import type { Chart, Coverage, Invoice, Movement, Ranking, Standing } from './types.ts'

export { MOST_MONTHS } from './book.ts'
export { monthName } from './calendar.ts'
export type * from './types.ts'

type Invoices = readonly Invoice[]

/** Returns the totals of the invoices created in each month, a chart for each currency. */
export const invoicedByMonth = (invoices: Invoices, now: number, timeZone = 'UTC'): Chart[] =>
  invoicedCharts(bookOf(invoices, now, timeZone))

/**
 * Returns the monthly recurring revenue at the end of each month, or now, a chart for each currency: "All plans", then each
 * plan, the greatest first.
 */
export const recurringByMonth = (invoices: Invoices, now: number, timeZone = 'UTC'): Chart[] =>
  recurringCharts(bookOf(invoices, now, timeZone))

/**
 * Returns how the recurring revenue of each month came about, a chart for each currency: Start, New, Reactivation,
 * Expansion, Contraction, Churn, End. Contraction and churn are negative; start and movements add up to the end.
 */
export const movementsByMonth = (invoices: Invoices, now: number, timeZone = 'UTC'): Chart[] =>
  movementsChart(bookOf(invoices, now, timeZone))

/** Returns how many subscriptions are active at the end of each month, or now: Active, New, Lost. */
export const subscriptionsByMonth = (invoices: Invoices, now: number, timeZone = 'UTC'): Chart =>
  subscriptionsChart(bookOf(invoices, now, timeZone))

/** Returns how many customers are active at the end of each month, or now: Active, New, Reactivated, Lost. */
export const customersByMonth = (invoices: Invoices, now: number, timeZone = 'UTC'): Chart =>
  customersChart(bookOf(invoices, now, timeZone))

/**
 * Returns the rates of each month, as shares of 1, null where there is nothing to divide by. First a chart without a
 * currency: "Customer churn". Then one for each currency: "Gross revenue churn", "Net retention", and, in minor units,
 * "Average revenue per customer". The last month is not over yet, so its rates are those so far.
 */
export const ratesByMonth = (invoices: Invoices, now: number, timeZone = 'UTC'): Chart<number | null>[] =>
  ratesCharts(bookOf(invoices, now, timeZone))

/** Returns what each customer was invoiced up to the running month, tax and credits included, by the customer's id. */
export const invoicedByCustomer = (invoices: Invoices, now: number, timeZone = 'UTC'): Ranking[] =>
  customerRankings({ invoices, now, calendar: calendarOf(timeZone) })

/** Returns what was billed for each plan up to the running month: its lines without discount and tax, by the product's id. */
export const billedByPlan = (invoices: Invoices, now: number, timeZone = 'UTC'): Ranking[] =>
  planRankings({ invoices, now, calendar: calendarOf(timeZone) })

/**
 * Returns what discounts took off up to the running month, by the discount's id. An invoice that names several counts for
 * all of them together, since its lines do not say which one took what.
 */
export const discountedByDiscount = (invoices: Invoices, now: number, timeZone = 'UTC'): Ranking[] =>
  discountRankings({ invoices, now, calendar: calendarOf(timeZone) })

/** Returns what the figures are made from, and what they cannot see. */
export const coverageOf = (invoices: Invoices, now: number, timeZone = 'UTC'): Coverage =>
  coverageIn(bookOf(invoices, now, timeZone))

/** Returns the changes that `movementsByMonth` adds up, of all months, oldest first: who came, left, upgraded. */
export const movementsOf = (invoices: Invoices, now: number, timeZone = 'UTC'): Movement[] =>
  movementsIn(bookOf(invoices, now, timeZone))

/**
 * Returns how each subscription with recurring lines stands now: what it holds, whether it is active and until when. A
 * customer's monthly value in a currency is the sum over their subscriptions.
 */
export const subscriptionsNow = (invoices: Invoices, now: number, timeZone = 'UTC'): Standing[] =>
  standingsIn(bookOf(invoices, now, timeZone))

/** Returns what all of these functions return, reading the invoices once instead of once for each. */
export const figuresOf = (invoices: Invoices, now: number, timeZone = 'UTC') => {
  const book = bookOf(invoices, now, timeZone)
  return {
    invoicedByMonth: invoicedCharts(book),
    recurringByMonth: recurringCharts(book),
    movementsByMonth: movementsChart(book),
    subscriptionsByMonth: subscriptionsChart(book),
    customersByMonth: customersChart(book),
    ratesByMonth: ratesCharts(book),
    invoicedByCustomer: customerRankings(book),
    billedByPlan: planRankings(book),
    discountedByDiscount: discountRankings(book),
    coverageOf: coverageIn(book),
    movementsOf: movementsIn(book),
    subscriptionsNow: standingsIn(book),
  }
}

/** All figures of a business. */
export type Figures = ReturnType<typeof figuresOf>
