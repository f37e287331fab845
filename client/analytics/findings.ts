import { isTotalOfLines } from './billing-conventions.ts'
import { DAY } from './calendar.ts'
import type { Dataset } from './dataset.ts'
import { groupsOf } from './groups.ts'
import { afterDiscount, hasPeriod, linesOf } from './lines.ts'
import { recognitionPeriod } from './recognised-lines.ts'
import { recurringLine } from './recurring-lines.ts'
import type { Fact, Finding, Invoice, Line } from './types.ts'
import { hasDifferingPeriod, type ValuedLine } from './valued-lines.ts'

/** Returns whether a line may be a proration that does not name its plan. */
const isUnassigned = (line: Line): boolean =>
  line.type === 'one_time' && (hasPeriod(line) || (line.amount ?? 0) < 0) && !line.price?.interval

/** Returns the facts of one of the invoice's lines that no other line is needed for. */
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

/** Returns the facts of an invoice that no other invoice is needed for. */
const factsOfInvoice = (invoice: Invoice, dataset: Dataset): Fact[] => {
  const lines = linesOf(invoice)
  const facts = lines.flatMap((line) => factsOfLine(line, invoice, dataset))
  if (lines.length === 0) facts.push('invoicesWithoutLines')
  if (!lines.some((line) => recurringLine(line, invoice, dataset.conventions)))
    facts.push('invoicesWithoutRecurringLine')
  if (!isTotalOfLines(invoice)) facts.push('unequalTotals')
  return facts
}

/** Returns a line of a subscription for each distinct end that the next start follows within a day, but not immediately. */
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
  readonly ofOthers: ValuedLine | undefined
}

const later = (one: ValuedLine | undefined, other: ValuedLine): ValuedLine =>
  one && one.end >= other.end ? one : other

const withLine = ({ line, ofOthers }: Latest, added: ValuedLine): Latest => {
  if (!line || line.invoice === added.invoice) return { line: later(line, added), ofOthers }
  return added.end > line.end ? { line: added, ofOthers: line } : { line, ofOthers: later(ofOthers, added) }
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
  let latest: Latest = { line: undefined, ofOthers: undefined }
  let creditsBegun = 0
  let creditedUntil = Number.NEGATIVE_INFINITY
  return charges.filter((charge) => {
    // The longest earlier line is enough: a credit for the time that it shares with this one covers that of any other.
    const earlier = latest.line?.invoice === charge.invoice ? latest.ofOthers : latest.line
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

/** Returns what the figures cannot take into account, each fact with its invoice. */
export const findingsIn = (dataset: Dataset): Finding[] => {
  const findings: Finding[] = []
  const find = (fact: Fact, { id }: Invoice): void => {
    findings.push({ fact, invoice_id: id })
  }
  for (const invoice of dataset.invoices)
    for (const fact of factsOfInvoice(invoice, dataset)) find(fact, invoice)
  for (const lines of dataset.subscriptions) {
    for (const { invoice } of inclusiveEndsIn(lines)) find('inclusiveEnds', invoice)
    for (const group of groupsOf(lines, ({ currency, plan }) => `${currency} ${plan.key}`))
      for (const { invoice } of overlapsIn(group)) find('overlappingLines', invoice)
  }
  return findings
}
