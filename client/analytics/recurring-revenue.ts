import type { Dataset } from './dataset.ts'
import type { ActiveLine } from './lines/active-lines.ts'
import { groupsOf } from './lines/groups.ts'
import type { Plan } from './lines/invoice.ts'
import { recordsByMonth, sumsByMonth } from './months.ts'
import type { CurrencyMonths, PlanAmount, RecurringMonth } from './types.ts'

interface PlanSums extends Plan {
  /** Its recurring revenue at the end of each month. */
  readonly sums: readonly number[]
}

/** Returns the plans that have an amount in a month, largest amount first. */
const plansAt = (plans: readonly PlanSums[], index: number): PlanAmount[] =>
  plans
    .map(({ key, name, sums }) => ({ key, name, amount: sums[index]! }))
    .filter(({ amount }) => amount !== 0)
    .sort((a, b) => b.amount - a.amount || (a.key < b.key ? -1 : 1))

/** Returns the recurring revenue at the end of each month, as a total and by plan, for each currency. */
export const recurringRevenue = (dataset: Dataset): CurrencyMonths<RecurringMonth>[] => {
  const { months } = dataset
  const activeLines = Map.groupBy(dataset.activeLines, ({ currency }) => currency)
  return dataset.currencies.map((currency) => {
    const lines: readonly ActiveLine[] = activeLines.get(currency) ?? []
    const totals = sumsByMonth(months, lines)
    const plans = groupsOf(lines, ({ plan }) => plan.key).map((group) => ({
      ...group[0]!.plan,
      sums: sumsByMonth(months, group),
    }))
    return {
      currency,
      months: recordsByMonth(months, (index) => ({ total: totals[index]!, plans: plansAt(plans, index) })),
    }
  })
}
