import type { PlanGrowth, RecurringMonth } from './types.ts'

/**
 * Returns the growth of each plan from the end of a month to the end of a later one, largest growth first. Without an earlier month,
 * the revenue at the start is 0.
 * @example const [{ months }] = recurringByMonth(invoices, now); const growth = planGrowth(months.at(-13), months.at(-1))
 */
export const planGrowth = (before: RecurringMonth | undefined, last: RecurringMonth): PlanGrowth[] => {
  const growth = new Map<string, PlanGrowth>()
  for (const { key, name, amount } of before?.plans ?? [])
    growth.set(key, { key, name, start: amount, end: 0 })
  for (const { key, name, amount } of last.plans)
    growth.set(key, { key, name, start: growth.get(key)?.start ?? 0, end: amount })
  return [...growth.values()].sort((a, b) => b.end - b.start - (a.end - a.start) || (a.key < b.key ? -1 : 1))
}
