import type { Month } from '../../client/analytics/index.ts'
import { monthsAround } from '../text/time-span.ts'

/** The customers who joined in a month: how many of them are active, or what they come to, at its end and each later one. */
export interface Cohort {
  readonly month: Month
  readonly values: readonly number[]
}

export const QUARTER_MONTHS = 3

/**
 * Returns cohorts of months as cohorts of quarters, named by their first month. The first value is the sum of the first values
 * of its months; the others are those at the end of each later quarter, or now for the running one.
 */
export const byQuarter = (cohorts: readonly Cohort[], running: Month): Cohort[] => {
  const quarters = Map.groupBy(cohorts, ({ month }) => monthsAround(month, QUARTER_MONTHS).first)
  return [...quarters].map(([quarter, months]) => {
    const values = [months.reduce((sum, { values: [first] }) => sum + first!, 0)]
    for (let start = quarter + QUARTER_MONTHS; start <= running; start += QUARTER_MONTHS) {
      const end = Math.min(start + QUARTER_MONTHS - 1, running)
      values.push(months.reduce((sum, { month, values: own }) => sum + own[end - month]!, 0))
    }
    return { month: quarter, values }
  })
}

/** What the cohorts of a table come to in the same month after they joined, of those that are old enough to have it. */
export interface CohortAverage {
  /** The mean of their values. */
  readonly mean: number
  /** What they come to of what they began with, all of them together; null if that was nothing. */
  readonly share: number | null
}

/** Returns the average of cohorts in each month, or quarter, from that in which they joined. */
export const averagesOf = (cohorts: readonly Cohort[]): CohortAverage[] => {
  const longest = cohorts.reduce((most, { values }) => Math.max(most, values.length), 0)
  return Array.from({ length: longest }, (_, index) => {
    const old = cohorts.filter(({ values }) => values.length > index)
    const sum = old.reduce((total, { values }) => total + values[index]!, 0)
    const begun = old.reduce((total, { values }) => total + values[0]!, 0)
    return { mean: sum / old.length, share: begun === 0 ? null : sum / begun }
  })
}
