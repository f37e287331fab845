import type { Book } from './book.ts'
import { hasPeriod, linesOf, recurringLine, sumsOf, type ValuedLine } from './recurring-lines.ts'
import type { Coverage, Invoice } from './types.ts'

const DAY = 86_400

/** Returns whether the lines of an invoice come to its total, with their taxes or without, to a minor unit per line. */
const comesToTotal = (invoice: Invoice): boolean => {
  const { beyond, tax, lines } = sumsOf(invoice)
  return lines === 0 || Math.min(Math.abs(beyond), Math.abs(beyond - tax)) <= lines
}

/** Returns how many different ends of a subscription's lines are followed by a start within a day, and not at once. */
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

/** Returns whether a line may credit or charge a part of a plan without naming the plan. */
const isUnassigned = (line: Invoice['line_items'][number]): boolean =>
  line.type === 'one_time' && (hasPeriod(line) || (line.amount ?? 0) < 0) && !line.price?.interval

/** Returns what the figures of a book are made from, and what they cannot see. */
export const coverageIn = ({ invoices, lines, now }: Book): Coverage => {
  const recurring = invoices.map((invoice) =>
    linesOf(invoice).flatMap((line) => recurringLine(line, invoice) ?? []),
  )
  const bySubscription = Map.groupBy(lines, ({ invoice }) => invoice.subscription_id)
  let newest = Number.NEGATIVE_INFINITY
  for (const { created } of invoices) if (created <= now) newest = Math.max(newest, created)
  const recordedUntil = newest > Number.NEGATIVE_INFINITY ? newest : undefined
  return {
    invoices: invoices.length,
    invoicesWithoutRecurringLine: recurring.filter((of) => of.length === 0).length,
    unassignedLines: invoices.flatMap(linesOf).filter(isUnassigned).length,
    inclusiveEnds: [...bySubscription.values()].reduce((sum, of) => sum + inclusiveEndsIn(of), 0),
    unequalTotals: invoices.filter((invoice) => !comesToTotal(invoice)).length,
    emptyPeriods: recurring.flat().filter(({ start, end }) => end <= start).length,
    recordedUntil,
    complete: recordedUntil === undefined || now - recordedUntil <= 3 * DAY,
  }
}
