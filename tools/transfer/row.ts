import { createHash } from 'node:crypto'
import type { Amount } from '../../console/text/csv.ts'
import type { Outcome } from './counts.ts'
import { creates } from './creates.ts'

export interface RowResult {
  readonly outcome: Outcome
  /** The service's id of the entity, if it has one. */
  readonly server_id: string | null
  /** The errors, each a sentence. */
  readonly errors: readonly string[]
}

/** The result of one row, and where the row comes from. */
export interface ReportedRow extends RowResult {
  /** The file as named in the arguments; `-` for standard input. */
  readonly file: string
  /** The 1-based number of the line (NDJSON, CSV) or of the object (Stripe). */
  readonly row: number
  /** The resource, if the row names one that can be created. */
  readonly type: string | null
  /** The client's id, if the row has one. */
  readonly id: string | number | null
}

export type Origin = Pick<ReportedRow, 'file' | 'row'>

/** How the cells of a row of CSV were read. */
export interface Reading {
  /** Advice for the user if the service refuses the row, in sentences. */
  readonly hints?: readonly string[]
  /** What was read from its cells, where they are the first of their columns: `total 19,00 € → 1900`, with the line. */
  readonly read?: readonly string[]
  /** The options that concern its cells, given or not. */
  readonly readWith?: readonly string[]
}

/** A row of a file: an entity to create. */
export interface Row extends Reading, Omit<ReportedRow, keyof RowResult> {
  /** The body of the create, exactly as in the file. */
  readonly body: string
  /** Rows with the same key are sent sequentially. */
  readonly keys: readonly string[]
  /** Whether to record the customer as erased. */
  readonly isErased?: true
  /** Whether to update a recorded customer to the row's values. */
  readonly updates?: true
  /** Whether an invoice that is already recorded keeps the prices of its lines. */
  readonly keepsPrices?: true
  /** Where the objects of its list come from if it is another file: `line 7 of line_items.csv`. */
  readonly partOrigins?: readonly string[]
  /** The reason if the row cannot be sent. */
  readonly problem?: string
  /** The reason if the row is skipped deliberately. */
  readonly skip?: string
  /** The amount that a skipped object credits. */
  readonly skippedSum?: Amount
  /** The kinds of content that are omitted from the entity. */
  readonly leftOut?: readonly string[]
}

/** Returns a row that cannot be sent. `problem` is a sentence that says what it must be. */
export const unusable = (origin: Origin, body: string, problem: string): Row => ({
  ...origin,
  type: null,
  id: null,
  body,
  keys: [],
  problem,
})

/** Returns the value of a JSON text; undefined for any other text. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the row of a create's body, which only the service validates; undefined if the body is not JSON. */
export const rowOf = (origin: Origin, type: string, body: string): Row | undefined => {
  const endpoint = creates.get(type)
  if (!endpoint) {
    const known = [...creates.keys()].map((name) => `"${name}"`).join(', ')
    return unusable(origin, body, `type must be one of ${known} (got "${type}").`)
  }
  const value = jsonIn(body)
  if (value === undefined) return undefined
  const data: Readonly<Record<string, unknown>> = Object(value)
  const id =
    typeof data.id === 'string' || Number.isSafeInteger(data.id) ? (data.id as string | number) : null
  // Concurrent invoices of one subscription would conflict, and be retried.
  const derived = Object.entries(endpoint.resource.fields).flatMap(([name, { reference }]) =>
    reference?.startsEntity ? [`${reference.target} ${data[name]}`] : [],
  )
  return { ...origin, type, id, body, keys: [`${type} ${id}`, ...derived] }
}

/** Returns a hash, of 22 characters, of a row's content and of how it is sent. */
export const rowHash = ({ type, body, isErased, updates }: Row): string =>
  createHash('sha256')
    .update(`${type}${isErased ? ', erased' : ''}${updates ? ', updates' : ''}\n${body}`)
    .digest('base64url')
    .slice(0, 22)
