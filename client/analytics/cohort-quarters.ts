import type { Month } from './lines/invoice.ts'
import type { Cohort, CohortAverage } from './types.ts'

const QUARTER_MONTHS = 3

/**
 * Combines cohorts of months into cohorts of quarters. Their first value is the sum of the first values of the months. The others are
 * the values at the end of each later quarter, or now in the current quarter. A quarter begins in January, April, July or October.
 * @example const quarters = cohortsByQuarter(customerCohorts(invoices, now).map(({ month, active }) => ({ month, values: active })), currentMonth)
 */
export const cohortsByQuarter = (cohorts: readonly Cohort[], currentMonth: Month): Cohort[] => {
  const quarters = Map.groupBy(cohorts, ({ month }) => Math.floor(month / QUARTER_MONTHS) * QUARTER_MONTHS)
  return [...quarters].map(([quarter, months]) => {
    const values = [months.reduce((sum, { values: [first] }) => sum + first!, 0)]
    for (let start = quarter + QUARTER_MONTHS; start <= currentMonth; start += QUARTER_MONTHS) {
      const end = Math.min(start + QUARTER_MONTHS - 1, currentMonth)
      values.push(months.reduce((sum, { month, values: own }) => sum + own[end - month]!, 0))
    }
    return { month: quarter, values }
  })
}

/**
 * Returns the average of cohorts in each month, or quarter, after they joined, starting with the one in which they joined. Only
 * cohorts that are old enough to have a value are included.
 * @example const share = cohortAverages(quarters).at(4)?.share
 */
export const cohortAverages = (cohorts: readonly Cohort[]): CohortAverage[] => {
  const longest = cohorts.reduce((most, { values }) => Math.max(most, values.length), 0)
  return Array.from({ length: longest }, (_, index) => {
    const included = cohorts.filter(({ values }) => values.length > index)
    const sum = included.reduce((total, { values }) => total + values[index]!, 0)
    const firstSum = included.reduce((total, { values }) => total + values[0]!, 0)
    return { mean: sum / included.length, share: firstSum === 0 ? null : sum / firstSum }
  })
}
