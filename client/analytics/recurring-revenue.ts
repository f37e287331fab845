import type { Dataset } from './dataset.ts'
import type { ActiveLine } from './lines/active-lines.ts'
import { compareTexts, groupsOf } from './lines/groups.ts'
import type { Plan } from './lines/invoice.ts'
import { recordsByMonth, sumsByMonth } from './months.ts'
import type { CurrencyMonths, PlanAmount, PlanGrowth, RecurringMonth } from './types.ts'

interface PlanSums extends Plan {
  /** Its recurring revenue at the end of each month. */
  readonly sums: readonly number[]
}

/** Returns the plans that have an amount in a month, largest amount first. */
const plansAt = (plans: readonly PlanSums[], index: number): PlanAmount[] =>
  plans
    .map(({ key, name, sums }) => ({ key, name, amount: sums[index]! }))
    .filter(({ amount }) => amount !== 0)
    .sort((a, b) => b.amount - a.amount || compareTexts(a.key, b.key))

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

/**
 * Returns the growth of each plan from the end of a month to the end of a later one, largest growth first. Without an earlier month,
 * the revenue at the start is 0.
 * @example const [{ months }] = recurringByMonth(invoices, now); const growth = planGrowth(months.at(-13), months.at(-1)!)
 */
export const planGrowth = (before: RecurringMonth | undefined, last: RecurringMonth): PlanGrowth[] => {
  const growth = new Map<string, PlanGrowth>()
  for (const { key, name, amount } of before?.plans ?? [])
    growth.set(key, { key, name, start: amount, end: 0 })
  for (const { key, name, amount } of last.plans)
    growth.set(key, { key, name, start: growth.get(key)?.start ?? 0, end: amount })
  return [...growth.values()].sort(
    (a, b) => b.end - b.start - (a.end - a.start) || compareTexts(a.key, b.key),
  )
}
