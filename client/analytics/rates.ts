import { sumOf } from './lines/groups.ts'
import type { CustomersMonth, MovementSums, MovementsMonth } from './types.ts'

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

/**
 * Returns what a month, or months together, gained for each unit that they lost: new, reactivation and expansion ÷ churn and
 * contraction; null if nothing was lost.
 * @example const ratio = quickRatio(movementSums(months.slice(-3)))
 */
export const quickRatio = (sums: MovementSums): number | null =>
  quotient(sums.new + sums.reactivation + sums.expansion, 0 - (sums.contraction + sums.churn))

/** The number of full months of which the churn is averaged. */
const LIFETIME_MONTHS = 12

/**
 * Returns how many months a customer stays on average, if customers go on leaving as in the last twelve full months: 1 ÷ the mean
 * of their customer churn. Null with fewer months that begin with customers, or without churn. Months are those of
 * `customersByMonth`, of which the last, the current one, is left out. After only a few years, this is a rough estimate.
 * @example const months = lifetime(customersByMonth(invoices, now))
 */
export const lifetime = (months: readonly CustomersMonth[]): number | null => {
  const rates = months.slice(-1 - LIFETIME_MONTHS, -1).map(customerChurn)
  if (rates.length < LIFETIME_MONTHS || rates.includes(null)) return null
  return quotient(
    LIFETIME_MONTHS,
    sumOf(rates, (rate) => rate!),
  )
}

/**
 * Returns the recurring revenue that a customer brings on average in their lifetime, in minor units, not rounded: the average revenue
 * of the last full month × `lifetime`; null without either. `movements` are the months of one currency.
 * @example const value = lifetimeValue(movementsByMonth(invoices, now)[0]?.months ?? [], customersByMonth(invoices, now))
 */
export const lifetimeValue = (
  movements: readonly MovementsMonth[],
  customers: readonly CustomersMonth[],
): number | null => {
  const lastMonth = movements.at(-2)
  const average = lastMonth ? averageRevenue(lastMonth) : null
  const months = lifetime(customers)
  return average === null || months === null ? null : average * months
}
