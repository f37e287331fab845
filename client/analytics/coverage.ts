import type { Dataset } from './dataset.ts'
import { groupsOf } from './groups.ts'
import { hasPeriod, isTotalOfLines, linesOf, recurringLine } from './recurring-lines.ts'
import type { Coverage, Line } from './types.ts'
import type { ValuedLine } from './valued-lines.ts'

const DAY = 86_400

/** Returns the number of distinct ends in a subscription that the next start follows within a day, but not immediately. */
const inclusiveEndsIn = (lines: readonly ValuedLine[]): number => {
  const starts = lines.map(({ start }) => start).sort((a, b) => a - b)
  const ends = [...new Set(lines.map(({ end }) => end))].sort((a, b) => a - b)
  let next = 0
  return ends.filter((end) => {
    while (next < starts.length && starts[next]! < end) next += 1
    const gap = (starts[next] ?? end) - end
    return gap > 0 && gap <= DAY
  }).length
}

/** Returns whether a line may be a proration that does not name its plan. */
const isUnassigned = (line: Line): boolean =>
  line.type === 'one_time' && (hasPeriod(line) || (line.amount ?? 0) < 0) && !line.price?.interval

/** Returns what the figures were computed from, and what they cannot take into account. */
export const coverageIn = ({ invoices, lines, now }: Dataset): Coverage => {
  const recurring = invoices.map((invoice) =>
    linesOf(invoice).flatMap((line) => recurringLine(line, invoice) ?? []),
  )
  const subscriptions = groupsOf(lines, ({ invoice }) => invoice.subscription_id)
  let newest = Number.NEGATIVE_INFINITY
  for (const { created } of invoices) if (created <= now) newest = Math.max(newest, created)
  const recordedUntil = newest > Number.NEGATIVE_INFINITY ? newest : undefined
  return {
    invoices: invoices.length,
    invoicesWithoutRecurringLine: recurring.filter(({ length }) => length === 0).length,
    invoicesWithoutLines: invoices.filter((invoice) => linesOf(invoice).length === 0).length,
    unassignedLines: invoices.flatMap(linesOf).filter(isUnassigned).length,
    inclusiveEnds: subscriptions.reduce((sum, group) => sum + inclusiveEndsIn(group), 0),
    unequalTotals: invoices.filter((invoice) => !isTotalOfLines(invoice)).length,
    emptyPeriods: recurring.flat().filter(({ start, end }) => end <= start).length,
    recordedUntil,
    complete: recordedUntil === undefined || now - recordedUntil <= 3 * DAY,
  }
}
