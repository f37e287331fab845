import { createHash } from 'node:crypto'
import { isRecord } from '../../shared/contract/schema.ts'
import { createEndpoints } from './create-endpoints.ts'
import { toDouble } from './lossless-json.ts'

/** The outcomes of rows that are counted, which docs/data.md describes. */
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

const recorded: ReadonlySet<string> = new Set<Outcome>(['created', 'updated', 'reversed', 'unchanged'])
const refused: ReadonlySet<string> = new Set<Outcome>(['conflict', 'invalid', 'failed'])

export const isRecorded = (outcome: string): boolean => recorded.has(outcome)
/** Whether a row with this outcome is certainly not recorded. An `unknown` one is neither. */
export const isRefused = (outcome: string): boolean => refused.has(outcome)

/** What became of a row. */
export interface Result {
  /** `skipped` for a row that is left out deliberately, for a reason. */
  readonly outcome: Outcome | 'skipped'
  /** The service's id of the entity, if it has one. */
  readonly server_id: string | null
  /** Sentences; of a skipped row, the reason. */
  readonly errors: readonly string[]
}

export const invalid = (problem: string): Result => ({
  outcome: 'invalid',
  server_id: null,
  errors: [problem],
})
export const skipped = (reason: string): Result => ({ outcome: 'skipped', server_id: null, errors: [reason] })

/** How the cells of a CSV row were read. */
export interface Reading {
  /** Advice for the user in case the service refuses the row, in sentences. */
  readonly hints?: readonly string[]
  /** The conversion of each cell that is the first of its column, with its line: `line 2 of …: total 19,00 € → 1900`. */
  readonly conversions?: readonly string[]
  /** The options that determine how the cells are read: `--decimal ,` or, if the option was not given, `no --decimal`. */
  readonly notationOptions?: readonly string[]
}

/** A condition for sending a row: that the entity with this client id is recorded, or that it is not. */
interface Precondition {
  readonly type: string
  readonly id: string
  readonly isRecorded: boolean
  readonly otherwise: Result
}

/** A row of a file, from its reader to its line in the report: where it is, the entity to create, and what became of it. */
export interface Row extends Reading {
  /** The file as named in the arguments; `-` for standard input. */
  readonly file: string
  /** The 1-based number of the line (NDJSON, CSV) or of the object (Stripe); 0 for a problem of a whole list of objects. */
  readonly row: number
  /** The name of a resource that can be created; null if the row does not contain one. */
  readonly type: string | null
  /** The body of the create, which only the service validates. If the row cannot be sent: its content in the file. */
  readonly data: unknown
  /** Whether to record the customer as erased. */
  readonly isErased?: true
  /** Whether to update a recorded entity to the values of the row. */
  readonly isUpdate?: true
  /** Whether an invoice that is already recorded keeps the prices of its line items. */
  readonly keepsPrices?: true
  readonly precondition?: Precondition
  /** The client's id of an invoice. If the user has recorded it, an invalid row counts as unchanged. */
  readonly settlementId?: string
  /** Whether the row reverses a recorded invoice. */
  readonly isReversal?: true
  /** The places of the objects in the row's list, if they are other rows: `line 7 of line_items.csv`. */
  readonly partPlaces?: readonly string[]
  /** The fields that have no column in the file and were derived from the line items of the invoice. */
  readonly derivedFields?: readonly string[]
  /** The kinds of content that are left out of the entity. */
  readonly leftOut?: readonly string[]
  /** From its reader: the result of a row that is not sent. */
  readonly result?: Result
}

/** A row that cannot be sent. `content` is the row as it is in the file. */
export const unusableRow = (
  { file, row }: Pick<Row, 'file' | 'row'>,
  content: unknown,
  problem: string,
): Row => ({ file, row, type: null, data: content, result: invalid(problem) })

/** The client's id, if the row has one. */
export const idOf = ({ data }: Pick<Row, 'data'>): string | number | null => {
  const id = isRecord(data) ? toDouble(data.id) : undefined
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null
}

export const bodyOf = ({ data }: Row): string => JSON.stringify(data)

/**
 * The entities that a row may create or change, such as `customer 42`: its own, and those that it may start, such as a subscription.
 * Rows with a common entity are sent one after another: concurrent invoices of one subscription would conflict.
 */
export const keysOf = (row: Row): string[] => {
  const { type, data } = row
  const keys = [`${type} ${idOf(row)}`]
  if (!isRecord(data)) return keys
  const fields = createEndpoints.get(type ?? '')?.resource.fields ?? {}
  for (const [name, { reference }] of Object.entries(fields))
    if (reference?.startsEntity) keys.push(`${reference.target} ${data[name]}`)
  return keys
}

/** A hash of a row's content and of how it is sent, in 22 characters. */
export const rowHash = (row: Row): string => {
  const { type, isErased, isUpdate } = row
  // Reports contain these hashes, so a change of this text would make every row of an earlier report be sent again.
  const text = `${type}${isErased ? ', erased' : ''}${isUpdate ? ', updates' : ''}\n${bodyOf(row)}`
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
