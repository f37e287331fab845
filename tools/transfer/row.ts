import { createHash } from 'node:crypto'
import { isRecord } from '../../shared/contract/schema.ts'
import type { Outcome } from './counts.ts'
import { creates } from './creates.ts'
import { plainNumber } from './exact-json.ts'

export interface RowResult {
  readonly outcome: Outcome
  /** The service's id of the entity, if it has one. */
  readonly server_id: string | null
  /** The errors, each a sentence. */
  readonly errors: readonly string[]
}

/** Where a row comes from. */
export interface Origin {
  /** The file as named in the arguments; `-` for standard input. */
  readonly file: string
  /** The 1-based number of the line (NDJSON, CSV) or of the object (Stripe). */
  readonly row: number
}

/** The result of one row, and where the row comes from. */
export interface ReportedRow extends RowResult, Origin {
  /** The resource, if the row names one that can be created. */
  readonly type: string | null
  /** The client's id, if the row has one. */
  readonly id: string | number | null
}

/** How the cells of a row of CSV were read. */
export interface Reading {
  /** Advice for the user if the service refuses the row, in sentences. */
  readonly hints?: readonly string[]
  /** What was read from its cells, where they are the first of their columns: `total 19,00 € → 1900`, with the line. */
  readonly read?: readonly string[]
  /** The options that concern its cells, given or not. */
  readonly readWith?: readonly string[]
}

/** What must or must not be recorded for a row to be sent, and what becomes of the row otherwise. */
export interface Precondition {
  readonly type: string
  /** The client's id. */
  readonly id: string
  readonly isRecorded: boolean
  readonly otherwise: { readonly skip: string } | { readonly problem: string }
}

/** How a row is sent, and what is told about it. */
interface RowOptions extends Reading {
  /** Whether to record the customer as erased. */
  readonly isErased?: true
  /** Whether to update a recorded entity to the row's values. */
  readonly updates?: true
  /** Whether an invoice that is already recorded keeps the prices of its lines. */
  readonly keepsPrices?: true
  /** Such as that the invoice is recorded which the row credits. */
  readonly precondition?: Precondition
  /** The client's id of an invoice that the user records if this row is refused, and that makes it unchanged. */
  readonly settledBy?: string
  /** Whether the row takes back an invoice that is recorded. */
  readonly isReversal?: true
  /** Where the objects of its list come from if it is another file: `line 7 of line_items.csv`. */
  readonly partOrigins?: readonly string[]
  /** The fields that a sheet has no column for and that were taken from the lines of the invoice. */
  readonly fromLines?: readonly string[]
  /** The reason if the row cannot be sent. */
  readonly problem?: string
  /** The reason if the row is skipped deliberately. */
  readonly skip?: string
  /** The kinds of content that are omitted from the entity. */
  readonly leftOut?: readonly string[]
}

/** A row as a format reads it. */
export interface Draft extends Origin, RowOptions {
  readonly type: string | null
  /** The body of the create, which only the service validates; the row as it is in the file if it has a problem. */
  readonly data: unknown
}

/** A row of a file: an entity to create. */
export interface Row extends Origin, RowOptions {
  readonly type: string | null
  readonly id: string | number | null
  /** The body of the create as JSON. */
  readonly body: string
  /** Rows with the same key are sent sequentially. */
  readonly keys: readonly string[]
}

/** Returns a row that cannot be sent. `problem` is a sentence that says what it must be. */
export const unusable = (origin: Origin, content: unknown, problem: string): Draft => ({
  ...origin,
  type: null,
  data: content,
  problem,
})

const idIn = (data: unknown): string | number | null => {
  const id = isRecord(data) ? plainNumber(data.id) : undefined
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null
}

/** Returns the keys of a row: its own id, and that of what it may start, such as a subscription. */
const keysOf = ({ type, data }: Draft, id: string | number | null): string[] => {
  const keys = [`${type} ${id}`]
  if (!isRecord(data)) return keys
  // Concurrent invoices of one subscription would conflict, and be retried.
  for (const [name, { reference }] of Object.entries(creates.get(type ?? '')?.resource.fields ?? {}))
    if (reference?.startsEntity) keys.push(`${reference.target} ${data[name]}`)
  return keys
}

/** Returns the row of a draft. */
export const rowOf = (draft: Draft): Row => {
  const { data, ...rest } = draft
  const id = idIn(data)
  const row = { ...rest, id, body: JSON.stringify(data), keys: keysOf(draft, id) }
  if (row.type === null || row.skip !== undefined || creates.has(row.type)) return row
  const known = [...creates.keys()].map((name) => `"${name}"`).join(', ')
  return { ...row, type: null, id: null, problem: `type must be one of ${known} (got "${draft.type}").` }
}

/** Returns a hash, of 22 characters, of a row's content and of how it is sent. */
export const rowHash = ({ type, body, isErased, updates }: Row): string =>
  createHash('sha256')
    .update(`${type}${isErased ? ', erased' : ''}${updates ? ', updates' : ''}\n${body}`)
    .digest('base64url')
    .slice(0, 22)
