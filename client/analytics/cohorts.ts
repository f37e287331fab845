import type { Dataset } from './dataset.ts'
import type { Month } from './lines/invoice.ts'
import { activeInAnyCurrency, activeSpans, type Span } from './lines/spans.ts'
import { monthsBetween, sumsByMonth } from './months.ts'
import { customersByCurrency } from './movements.ts'
import type { CustomerCohort, RevenueCohorts } from './types.ts'

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
  const cohorts = new Map<Month, Span[]>()
  for (const { amounts, active } of customers) {
    const [first] = active
    if (!first) continue
    const cohort = cohorts.get(first.from) ?? []
    cohort.push(...amounts)
    cohorts.set(first.from, cohort)
  }
  return [...cohorts]
    .sort(([a], [b]) => a - b)
    .map(([month, spans]) => ({ month, values: sumsByMonth(monthsBetween(month, currentMonth), spans) }))
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
