import type { Calendar } from './calendar.ts'
import { groupsOf, splitByCurrency } from './groups.ts'
import { linesAwaitingRenewal } from './renewals.ts'
import { monthlySum, type RoundedSpan, withoutCancelled } from './spans.ts'
import type { ValuedLine } from './valued-lines.ts'

/** A recurring line, and the months at the end of which it is billed. The current month counts as it is now. */
export interface ActiveLine
  extends RoundedSpan,
    Pick<ValuedLine, 'invoice' | 'line' | 'currency' | 'plan' | 'unit' | 'count'> {}

/**
 * Returns the lines of subscriptions that are active at the end of some month or now, without lines that cancel each other
 * out. The lines of a subscription stay together.
 */
export const activeLinesOf = (
  subscriptions: readonly (readonly ValuedLine[])[],
  now: number,
  calendar: Calendar,
): ActiveLine[] => {
  const awaiting = linesAwaitingRenewal(subscriptions, now)
  const current = calendar.monthOf(now)
  const activeLine = (valued: ValuedLine): ActiveLine => {
    const { invoice, line, currency, plan, unit, count, monthly, rounding } = valued
    const from = calendar.monthOf(valued.start)
    const isStillBilled = valued.end > now || awaiting.has(valued)
    const to = isStillBilled ? current + 1 : calendar.monthOf(valued.end)
    return { invoice, line, currency, plan, unit, count, from, to, monthly, rounding }
  }
  return subscriptions.flatMap((lines) => {
    const begun = lines.filter(({ start }) => start <= now).map(activeLine)
    return splitByCurrency(begun.filter(({ from, to }) => from < to)).flatMap(withoutCancelled)
  })
}

/** Returns the plans of lines in each currency, with the sum of their monthly values, except plans whose sum is 0. */
export const amountsByPlan = (lines: readonly ActiveLine[]) =>
  groupsOf(lines, ({ currency, plan }) => `${currency} ${plan.key}`)
    .map((group) => ({ ...group[0]!.plan, currency: group[0]!.currency, amount: monthlySum(group) }))
    .filter(({ amount }) => amount !== 0)
