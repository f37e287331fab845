import { printable } from '../cli/printable.ts'

/**
 * The outcome of a row. `updated`: a recorded entity was updated to the row. `reversed`: an invoice that was recorded was taken
 * back. `unchanged`: it was already recorded with the same content. `conflict`: its id is recorded with other content. `invalid`:
 * the service refuses it. `failed`: the service could not process it. `unknown`: a dry run cannot know it.
 */
export const outcomes = [
  'created',
  'updated',
  'reversed',
  'unchanged',
  'conflict',
  'invalid',
  'failed',
  'unknown',
] as const
export type Outcome = (typeof outcomes)[number]

/** Returns the counts of an import that begins. */
export const newCounts = () => ({
  /** All rows to import, without those that are skipped. */
  rows: 0,
  /** Rows that, according to the report, an earlier run recorded. They have no outcome. */
  resumed: 0,
  ...(Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>),
  /** The number of Stripe's objects that are skipped deliberately, by reason. */
  skipped: {} as Record<string, number>,
  /** The number of rows that cannot be sent, by reason. Their outcome is `invalid`. */
  unusable: {} as Record<string, number>,
  /** The number of rows that are sent without some of their content, by the kind of content. */
  left_out: {} as Record<string, number>,
  /** The number of invoices whose lines say a field for which their sheet has no column, by the field. */
  from_lines: {} as Record<string, number>,
  /** The seconds since the first row was sent, rounded to tenths; 0 while the rows are being counted. */
  seconds: 0,
})

/** The counts of an import, so far or at its end. */
export type ImportCounts = ReturnType<typeof newCounts>

const MAX_REASONS = 50

/** Counts a reason. It is made printable, since it may quote a file. */
export const countReason = (reasons: Record<string, number>, reason: string): void => {
  const text = printable(reason)
  const isNew = !Object.hasOwn(reasons, text)
  const name = isNew && Object.keys(reasons).length >= MAX_REASONS ? 'other reasons' : text
  reasons[name] = (reasons[name] ?? 0) + 1
}

/** Returns the number of rows with an outcome. */
export const sentRows = (counts: ImportCounts): number =>
  outcomes.reduce((sum, outcome) => sum + counts[outcome], 0)

const recorded: ReadonlySet<Outcome> = new Set(['created', 'updated', 'reversed', 'unchanged'])

/** Returns whether a row with this outcome is recorded. */
export const isRecorded = (outcome: Outcome): boolean => recorded.has(outcome)

const refused: ReadonlySet<Outcome> = new Set(['conflict', 'invalid', 'failed'])

/** Returns the number of rows that were not recorded. */
export const refusedRows = (counts: ImportCounts): number =>
  [...refused].reduce((sum, outcome) => sum + counts[outcome], 0)
