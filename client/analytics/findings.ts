import type { Dataset } from './dataset.ts'
import { isTotalOfLines } from './lines/billing-conventions.ts'
import { DAY } from './lines/calendar.ts'
import { groupsOf } from './lines/groups.ts'
import type { Invoice, Line } from './lines/invoice.ts'
import { afterDiscount, hasPeriod, linesOf } from './lines/line-properties.ts'
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
  else if (recurring && hasDifferingPeriod(recurring, calendar)) facts.push('differingPeriods')
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

/** The line with the latest end so far, and the one with the latest end of all other invoices. */
interface Latest {
  readonly line: ValuedLine | undefined
  readonly ofOtherInvoices: ValuedLine | undefined
}

const endingLater = (one: ValuedLine | undefined, other: ValuedLine): ValuedLine =>
  one && one.end >= other.end ? one : other

/** Returns the latest lines after one more line was read. */
const withLine = ({ line, ofOtherInvoices }: Latest, added: ValuedLine): Latest => {
  if (!line || line.invoice === added.invoice) return { line: endingLater(line, added), ofOtherInvoices }
  if (added.end > line.end) return { line: added, ofOtherInvoices: line }
  return { line, ofOtherInvoices: endingLater(ofOtherInvoices, added) }
}

const byStart = (a: ValuedLine, b: ValuedLine): number =>
  a.start - b.start || a.end - b.end || (a.invoice.id < b.invoice.id ? -1 : 1)

/**
 * Returns the lines above 0 of a plan of a subscription that begin more than a day before an earlier one of another invoice ends,
 * with no credit for the time that both cover.
 */
const overlapsIn = (lines: readonly ValuedLine[]): ValuedLine[] => {
  const charges = lines.filter(({ monthly }) => monthly > 0).sort(byStart)
  const credits = lines.filter(({ monthly }) => monthly < 0).sort(byStart)
  let latest: Latest = { line: undefined, ofOtherInvoices: undefined }
  let creditsBegun = 0
  let creditedUntil = Number.NEGATIVE_INFINITY
  return charges.filter((charge) => {
    // Only the earlier line with the latest end is compared. A credit for the time that it shares with this line also covers the
    // time that any other earlier line shares with it.
    const earlier = latest.line?.invoice === charge.invoice ? latest.ofOtherInvoices : latest.line
    latest = withLine(latest, charge)
    while (creditsBegun < credits.length && credits[creditsBegun]!.start <= charge.start) {
      creditedUntil = Math.max(creditedUntil, credits[creditsBegun]!.end)
      creditsBegun += 1
    }
    return (
      earlier !== undefined &&
      earlier.end - charge.start > DAY &&
      creditedUntil < Math.min(charge.end, earlier.end)
    )
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
    for (const group of groupsOf(lines, ({ currency, plan }) => `${currency} ${plan.key}`))
      for (const { invoice } of overlapsIn(group)) addFinding('overlappingLines', invoice)
  }
  return findings
}
