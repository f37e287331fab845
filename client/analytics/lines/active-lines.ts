import type { Calendar } from './calendar.ts'
import { splitByCurrency } from './groups.ts'
import type { Invoice, Line, Plan } from './invoice.ts'
import type { Recurrence } from './recurring-lines.ts'
import { linesAwaitingRenewal } from './renewals.ts'
import { type RoundedSpan, withoutCancelled } from './spans.ts'
import type { ValuedLine } from './valued-lines.ts'

/** A recurring line, and the months at the end of which it is billed. The current month counts as it is now. */
export interface ActiveLine extends RoundedSpan, Recurrence {
  readonly invoice: Invoice
  readonly line: Line
  readonly currency: string
  readonly plan: Plan
}

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
