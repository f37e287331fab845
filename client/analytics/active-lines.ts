import type { Calendar } from './calendar.ts'
import { groupsOf } from './groups.ts'
import type { Recurrence } from './recurring-lines.ts'
import { linesAwaitingRenewal } from './renewals.ts'
import { type RoundedSpan, withoutCancelled } from './spans.ts'
import type { Invoice, Line, Plan } from './types.ts'
import type { ValuedLine } from './valued-lines.ts'

/** A recurring line, and the months at the end of which it is paid for. The current month counts as it is now. */
export interface ActiveLine extends RoundedSpan, Recurrence {
  readonly invoice: Invoice
  readonly line: Line
  readonly currency: string
  readonly plan: Plan
}

/** Returns the lines that are active at the end of some month or now, without those that cancel each other out. */
export const activeLinesOf = (
  lines: readonly ValuedLine[],
  now: number,
  calendar: Calendar,
): ActiveLine[] => {
  const awaiting = linesAwaitingRenewal(lines, now)
  const current = calendar.monthOf(now)
  const active: ActiveLine[] = []
  for (const valued of lines) {
    const { invoice, line, currency, plan, unit, count, monthly, rounding } = valued
    if (valued.start > now) continue
    const from = calendar.monthOf(valued.start)
    const isStillPaid = valued.end > now || awaiting.has(valued)
    const to = isStillPaid ? current + 1 : calendar.monthOf(valued.end)
    if (from < to) active.push({ invoice, line, currency, plan, unit, count, from, to, monthly, rounding })
  }
  return groupsOf(active, ({ invoice }) => invoice.subscription_id).flatMap((group) =>
    groupsOf(group, ({ currency }) => currency).flatMap(withoutCancelled),
  )
}
