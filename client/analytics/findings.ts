import type { Dataset } from './dataset.ts'
import { isTotalOfLines } from './lines/billing-conventions.ts'
import { DAY } from './lines/calendar.ts'
import type { Invoice, Line } from './lines/invoice.ts'
import { afterDiscount, hasPeriod, linesOf } from './lines/line-properties.ts'
import { overlapsIn } from './lines/overlaps.ts'
import { recognitionPeriod } from './lines/recognised-lines.ts'
import { recurringLine } from './lines/recurring-lines.ts'
import { hasDifferingPeriod, type ValuedLine } from './lines/valued-lines.ts'
import type { Fact, Finding } from './types.ts'

/** Returns whether a line may be a proration that does not name its plan. */
const isUnassigned = (line: Line): boolean =>
  line.type === 'one_time' && (hasPeriod(line) || (line.amount ?? 0) < 0) && !line.price?.interval

/** Returns the facts that a line of an invoice shows without other lines. */
const factsOfLine = (line: Line, invoice: Invoice, { conventions, calendar }: Dataset): Fact[] => {
  const facts: Fact[] = []
  const recurring = recurringLine(line, invoice, conventions)
  if (recurring && recurring.end <= recurring.start) facts.push('emptyPeriods')
  // A trial has no value that its length could change.
  else if (recurring && line.amount !== 0 && hasDifferingPeriod(recurring, calendar))
    facts.push('differingPeriods')
  if (!recurring && line.type === 'recurring') facts.push('recurringWithoutInterval')
  if (isUnassigned(line)) facts.push('unassignedLines')
  const { start } = recognitionPeriod(line, invoice, conventions)
  if (afterDiscount(line) < 0 && start < calendar.shift(invoice.created, 'month', -1))
    facts.push('lateCredits')
  return facts
}

/** Returns the facts that an invoice shows without other invoices. */
const factsOfInvoice = (invoice: Invoice, dataset: Dataset): Fact[] => {
  const lines = linesOf(invoice)
  const facts = lines.flatMap((line) => factsOfLine(line, invoice, dataset))
  if (lines.length === 0) facts.push('invoicesWithoutLines')
  if (!lines.some((line) => recurringLine(line, invoice, dataset.conventions)))
    facts.push('invoicesWithoutRecurringLine')
  if (!isTotalOfLines(invoice)) facts.push('unequalTotals')
  return facts
}

/** Returns a line of a subscription for each distinct end after which the next period starts within a day, but not immediately. */
const inclusiveEndsIn = (lines: readonly ValuedLine[]): ValuedLine[] => {
  const starts = lines.map(({ start }) => start).sort((a, b) => a - b)
  const byEnd = new Map(lines.map((line) => [line.end, line]))
  const ends = [...byEnd.values()].sort((a, b) => a.end - b.end)
  let next = 0
  return ends.filter(({ end }) => {
    while (next < starts.length && starts[next]! < end) next += 1
    const gap = (starts[next] ?? end) - end
    return gap > 0 && gap <= DAY
  })
}

/** Returns the cases that the figures cannot take into account, each with its invoice. */
export const findingsIn = (dataset: Dataset): Finding[] => {
  const findings: Finding[] = []
  const addFinding = (fact: Fact, { id }: Invoice): void => {
    findings.push({ fact, invoice_id: id })
  }
  for (const invoice of dataset.invoices)
    for (const fact of factsOfInvoice(invoice, dataset)) addFinding(fact, invoice)
  for (const lines of dataset.subscriptions) {
    for (const { invoice } of inclusiveEndsIn(lines)) addFinding('inclusiveEnds', invoice)
    for (const { invoice } of overlapsIn(lines)) addFinding('overlappingLines', invoice)
  }
  return findings
}
