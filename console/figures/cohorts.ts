import type { Month } from '../../client/analytics/index.ts'
import { monthsAround } from '../text/time-span.ts'

/**
 * The customers who joined in a month or quarter: the number of active ones, or their recurring revenue, at its end and at the end
 * of each later one.
 */
export interface Cohort {
  /** The month, or the first month of the quarter. */
  readonly month: Month
  readonly values: readonly number[]
}

export const QUARTER_MONTHS = 3

/**
 * Combines cohorts of months into cohorts of quarters. Their first value is the sum of the first values of the months. The others are
 * the values at the end of each later quarter, or now in the current quarter.
 */
export const byQuarter = (cohorts: readonly Cohort[], currentMonth: Month): Cohort[] => {
  const quarters = Map.groupBy(cohorts, ({ month }) => monthsAround(month, QUARTER_MONTHS).first)
  return [...quarters].map(([quarter, months]) => {
    const values = [months.reduce((sum, { values: [first] }) => sum + first!, 0)]
    for (let start = quarter + QUARTER_MONTHS; start <= currentMonth; start += QUARTER_MONTHS) {
      const end = Math.min(start + QUARTER_MONTHS - 1, currentMonth)
      values.push(months.reduce((sum, { month, values: own }) => sum + own[end - month]!, 0))
    }
    return { month: quarter, values }
  })
}

/** The average of cohorts in the same month, or quarter, after they joined. Only cohorts with a value in it are included. */
export interface CohortAverage {
  /** The mean of the values. */
  readonly mean: number
  /** The sum of the values as a share of the sum of the first values; null if that sum is 0. */
  readonly share: number | null
}

/** Returns the average of cohorts in each month, or quarter, starting with the one in which they joined. */
export const averagesOf = (cohorts: readonly Cohort[]): CohortAverage[] => {
  const longest = cohorts.reduce((most, { values }) => Math.max(most, values.length), 0)
  return Array.from({ length: longest }, (_, index) => {
    const included = cohorts.filter(({ values }) => values.length > index)
    const sum = included.reduce((total, { values }) => total + values[index]!, 0)
    const firstSum = included.reduce((total, { values }) => total + values[0]!, 0)
    return { mean: sum / included.length, share: firstSum === 0 ? null : sum / firstSum }
  })
}
