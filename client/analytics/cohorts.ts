import { activeInAnyCurrency, activeSpans, type Span } from './active-lines.ts'
import type { Dataset } from './dataset.ts'
import { byCurrency, groupsOf } from './groups.ts'
import { monthsBetween, sumsByMonth } from './months.ts'
import type { CustomerCohort, RevenueCohorts } from './types.ts'

/**
 * Returns the customers who became active in each month, oldest first, and the sum of their amounts at the end of it and of each
 * later one. Takes each customer's amounts, and the periods in which it is active.
 */
const cohortsOf = (
  customers: readonly { amounts: readonly Span[]; active: readonly Span[] }[],
  dataset: Dataset,
) => {
  const joined = customers.filter(({ active }) => active.length > 0)
  return [...Map.groupBy(joined, ({ active }) => active[0]!.from)]
    .sort(([a], [b]) => a - b)
    .map(([month, cohort]) => {
      const months = monthsBetween(month, dataset.currentMonth)
      return {
        month,
        values: sumsByMonth(
          months,
          cohort.flatMap(({ amounts }) => amounts),
        ),
      }
    })
}

/** Returns how many of the customers who were new in a month are active at the end of it and of each later one. */
export const customerCohortsIn = (dataset: Dataset): CustomerCohort[] => {
  const active = groupsOf(dataset.activeLines, ({ invoice }) => invoice.customer_id).map(activeInAnyCurrency)
  const customers = active.map((periods) => ({ amounts: periods, active: periods }))
  return cohortsOf(customers, dataset).map(({ month, values }) => ({
    month,
    customers: values[0]!,
    active: values,
  }))
}

/** Returns what the customers who were new in a month come to at the end of it and of each later one, by currency. */
export const revenueCohortsIn = (dataset: Dataset): RevenueCohorts[] =>
  byCurrency(dataset.lines).map(([currency]) => {
    const lines = dataset.activeLines.filter((line) => line.currency === currency)
    const groups = groupsOf(lines, ({ invoice }) => invoice.customer_id)
    const customers = groups.map((amounts) => ({ amounts, active: activeSpans(amounts) }))
    const cohorts = cohortsOf(customers, dataset).map(({ month, values }) => ({ month, recurring: values }))
    return { currency, cohorts }
  })
