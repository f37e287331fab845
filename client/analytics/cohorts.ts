import type { Dataset } from './dataset.ts'
import { sumOf } from './lines/groups.ts'
import type { Month } from './lines/invoice.ts'
import { activeInAnyCurrency, activeSpans, type Span } from './lines/spans.ts'
import { firstOfQuarter, monthsBetween, QUARTER_MONTHS, sumsByMonth } from './months.ts'
import { customersByCurrency } from './movements.ts'
import type { Cohort, CohortAverage, CustomerCohort, RevenueCohorts } from './types.ts'

/** The amounts of a customer by month, and the months in which the customer is active. */
interface CustomerSpans {
  readonly amounts: readonly Span[]
  readonly active: readonly Span[]
}

/**
 * Returns for each month in which customers became active, oldest first, the sum of their amounts at the end of it and of each
 * later month, or now.
 */
const cohortsOf = (customers: readonly CustomerSpans[], { currentMonth }: Dataset) => {
  const joined = customers.filter(({ active }) => active.length > 0)
  return [...Map.groupBy(joined, ({ active }) => active[0]!.from)]
    .sort(([a], [b]) => a - b)
    .map(([month, cohort]) => {
      const spans = cohort.flatMap(({ amounts }) => amounts)
      return { month, values: sumsByMonth(monthsBetween(month, currentMonth), spans) }
    })
}

/** Returns how many of the customers who were new in a month are active at the end of it and of each later one. */
export const customerCohortsIn = (dataset: Dataset): CustomerCohort[] => {
  const customers = dataset.customers.map((lines) => {
    const active = activeInAnyCurrency(lines)
    return { amounts: active, active }
  })
  return cohortsOf(customers, dataset).map(({ month, values }) => ({
    month,
    customers: values[0]!,
    active: values,
  }))
}

/** Returns the recurring revenue of the customers who were new in a month at the end of it and of each later one, by currency. */
export const revenueCohortsIn = (dataset: Dataset): RevenueCohorts[] => {
  const customers = customersByCurrency(dataset)
  return dataset.currencies.map((currency) => {
    const spans = (customers.get(currency) ?? []).map((amounts) => ({
      amounts,
      active: activeSpans(amounts),
    }))
    const cohorts = cohortsOf(spans, dataset).map(({ month, values }) => ({ month, recurring: values }))
    return { currency, cohorts }
  })
}

/**
 * Combines cohorts of months into cohorts of quarters. Their first value is the sum of the first values of the months. The others are
 * the values at the end of each later quarter, or now in the current quarter. A quarter begins in January, April, July or October.
 * @example const quarters = cohortsByQuarter(customerCohorts(invoices, now).map(({ month, active }) => ({ month, values: active })), currentMonth)
 */
export const cohortsByQuarter = (cohorts: readonly Cohort[], currentMonth: Month): Cohort[] => {
  const quarters = Map.groupBy(cohorts, ({ month }) => firstOfQuarter(month))
  return [...quarters].map(([quarter, months]) => {
    const values = [sumOf(months, ({ values: [first] }) => first!)]
    for (let start = quarter + QUARTER_MONTHS; start <= currentMonth; start += QUARTER_MONTHS) {
      const end = Math.min(start + QUARTER_MONTHS - 1, currentMonth)
      values.push(sumOf(months, ({ month, values: own }) => own[end - month]!))
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
    const sum = sumOf(included, ({ values }) => values[index]!)
    const firstSum = sumOf(included, ({ values }) => values[0]!)
    return { mean: sum / included.length, share: firstSum === 0 ? null : sum / firstSum }
  })
}
