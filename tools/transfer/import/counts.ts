import { printable } from '../../cli/printable.ts'
import type { Row } from './row.ts'
import { isRecorded, isRefused, type Outcome, outcomes } from './row-result.ts'

/** Returns the counts of an import that has not read any row yet. */
export const newCounts = () => ({
  /** The rows to import, without skipped rows. */
  rows: 0,
  /** The rows that, according to the report, an earlier run recorded. They have no outcome. */
  resumed: 0,
  ...(Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>),
  /** The number of Stripe objects that are skipped deliberately, by reason. */
  skipped: {} as Record<string, number>,
  /** The number of rows that cannot be sent, by reason. Their outcome is `invalid`. */
  unusable: {} as Record<string, number>,
  /** The number of rows that are sent without some of their content, by the kind of content. */
  left_out: {} as Record<string, number>,
  /** The number of invoices with a field that was derived from their line items, by the field. */
  from_lines: {} as Record<string, number>,
  /** The time since the first row was sent, in seconds, rounded to tenths; 0 while files are being read. */
  seconds: 0,
})

/** The counts of an import, so far or at its end. */
export type ImportCounts = ReturnType<typeof newCounts>

const MAX_REASONS = 50

/** Adds 1 to the count of a reason, which is made printable because it may quote a file. */
export const countReason = (counts: Record<string, number>, reason: string): void => {
  const text = printable(reason)
  const isNew = !Object.hasOwn(counts, text)
  const name = isNew && Object.keys(counts).length >= MAX_REASONS ? 'other reasons' : text
  counts[name] = (counts[name] ?? 0) + 1
}

/** Counts a row that has been read. */
export const countRow = (counts: ImportCounts, row: Row): void => {
  if (row.skipReason !== undefined) {
    countReason(counts.skipped, row.skipReason)
    return
  }
  counts.rows += 1
  // Until the row is sent, it is not known whether its precondition holds.
  if (row.problem !== undefined && !row.precondition) countReason(counts.unusable, row.problem)
  for (const content of row.leftOut ?? []) countReason(counts.left_out, content)
  for (const field of row.derivedFields ?? []) countReason(counts.from_lines, field)
}

const rowsWith = (counts: ImportCounts, wanted: readonly Outcome[]): number =>
  wanted.reduce((sum, outcome) => sum + counts[outcome], 0)

/** Returns the number of rows that have an outcome. */
export const sentRows = (counts: ImportCounts): number => rowsWith(counts, outcomes)

/** Returns the number of rows that were certainly not recorded. */
export const refusedRows = (counts: ImportCounts): number => rowsWith(counts, outcomes.filter(isRefused))

/** Returns the number of rows that this run or an earlier one recorded. */
export const recordedRows = (counts: ImportCounts): number =>
  counts.resumed + rowsWith(counts, outcomes.filter(isRecorded))
