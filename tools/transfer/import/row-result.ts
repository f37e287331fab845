import type { Origin } from '../draft.ts'

/**
 * The outcomes of a row:
 *
 * - `created`: its entity was recorded.
 * - `updated`: its recorded entity was updated to the row.
 * - `reversed`: it reversed a recorded invoice.
 * - `unchanged`: its entity was already recorded with the same content.
 * - `conflict`: its id is recorded with other content.
 * - `invalid`: the service refuses it, or it cannot be sent.
 * - `failed`: the service could not process it.
 * - `unknown`: a dry run cannot predict the outcome.
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

const recorded: ReadonlySet<Outcome> = new Set(['created', 'updated', 'reversed', 'unchanged'])
const refused: ReadonlySet<Outcome> = new Set(['conflict', 'invalid', 'failed'])

/** Returns whether a row with this outcome is recorded. */
export const isRecorded = (outcome: Outcome): boolean => recorded.has(outcome)

/** Returns whether a row with this outcome is certainly not recorded. */
export const isRefused = (outcome: Outcome): boolean => refused.has(outcome)

/** The result of sending a row. */
export interface RowResult {
  readonly outcome: Outcome
  /** The service's id of the entity, if it has one. */
  readonly server_id: string | null
  /** The errors, each a sentence. */
  readonly errors: readonly string[]
}

/** The result of a row, and the row's place and entity. */
export interface ReportedRow extends RowResult, Origin {
  /** The resource, if the row contains the name of one that can be created. */
  readonly type: string | null
  /** The client's id, if the row has one. */
  readonly id: string | number | null
}
