import type { CustomersMonth, MovementsMonth } from './types.ts'

/** The rates of a month. The current month has its rates so far. */

/** Returns a quotient; null if the divisor is not above 0. */
export const quotient = (dividend: number, divisor: number): number | null =>
  divisor > 0 ? dividend / divisor : null

/**
 * Returns the customers lost in a month as a fraction of the customers active at its start; null if there were none.
 * @example const churn = customersByMonth(invoices, now).map(customerChurn)
 */
export const customerChurn = (month: CustomersMonth): number | null => {
  const activeAtStart = month.active - month.new - month.reactivated + month.lost
  return quotient(month.lost, activeAtStart)
}

/**
 * Returns the recurring revenue lost in a month, by churn and contraction, as a fraction of the recurring revenue at its
 * start; null if that is not above 0.
 * @example const churn = movementsByMonth(invoices, now)[0]?.months.map(grossChurn)
 */
export const grossChurn = ({ start, contraction, churn }: MovementsMonth): number | null =>
  // Subtracted from 0, because the negation of 0 would be −0.
  quotient(0 - (churn + contraction), start)

/**
 * Returns the recurring revenue that the customers of the start of a month have at its end, after expansion, contraction and churn,
 * as a fraction of their recurring revenue at the start; null if that was not above 0.
 * @example const retention = movementsByMonth(invoices, now)[0]?.months.map(netRetention)
 */
export const netRetention = ({ start, expansion, contraction, churn }: MovementsMonth): number | null =>
  quotient(start + expansion + contraction + churn, start)

/**
 * Returns the recurring revenue at the end of a month for each customer who is active in the currency, in minor units, not
 * rounded; null without such customers.
 * @example const average = movementsByMonth(invoices, now)[0]?.months.map(averageRevenue)
 */
export const averageRevenue = ({ end, customers }: MovementsMonth): number | null => quotient(end, customers)
