import { createHash } from 'node:crypto'
import type { Money, Outcome } from './counts.ts'
import { creates } from './creates.ts'

/** The result of one row. */
export interface RowResult {
  readonly outcome: Outcome
  /** The service's id of the entity, if it has one. */
  readonly server_id: string | null
  /** The errors, one sentence each. */
  readonly errors: readonly string[]
}

/** The result of one row and where the row came from. */
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

/** The origin of a row. */
export type Place = Pick<ReportedRow, 'file' | 'row'>

/** One entity to create. */
export interface Row extends Omit<ReportedRow, keyof RowResult> {
  /** The create's body, exactly as the file has it. */
  readonly body: string
  /** Rows with the same key are sent sequentially. */
  readonly keys: readonly string[]
  /** Whether to record the customer as anonymised. */
  readonly isErased?: true
  /** Whether to change a recorded customer to the row's values. */
  readonly updates?: true
  /** Whether an invoice that is recorded already keeps the prices of its lines. */
  readonly keepsPrices?: true
  /** The places of the objects of its list if those come from another file: `line 7 of line_items.csv`. */
  readonly origins?: readonly string[]
  /** What may help if the service refuses the row. */
  readonly hint?: string
  /** The reason if the row cannot be sent. */
  readonly problem?: string
  /** The reason if the row is skipped deliberately. */
  readonly skip?: string
  /** What a skipped row credits. */
  readonly skippedSum?: Money
  /** The content that is omitted from the recorded entity. */
  readonly leftOut?: readonly string[]
}

/** Returns a row that cannot be sent; `problem` describes what it must be. */
export const unusable = (place: Place, body: string, problem: string): Row => ({
  ...place,
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

/** Returns the row with a create's body, which only the service validates; undefined if the body is not JSON. */
export const rowOf = (place: Place, type: string, body: string): Row | undefined => {
  const endpoint = creates.get(type)
  if (!endpoint) {
    const known = [...creates.keys()].map((name) => `"${name}"`).join(', ')
    return unusable(place, body, `type must be one of ${known} (got "${type}").`)
  }
  const value = jsonIn(body)
  if (value === undefined) return undefined
  const data: Readonly<Record<string, unknown>> = Object(value)
  const id =
    typeof data.id === 'string' || Number.isSafeInteger(data.id) ? (data.id as string | number) : null
  // Concurrent invoices of one subscription would conflict on its record and retry.
  const derived = Object.entries(endpoint.resource.fields).flatMap(([name, { reference }]) =>
    reference?.startsEntity ? [`${reference.target} ${data[name]}`] : [],
  )
  return { ...place, type, id, body, keys: [`${type} ${id}`, ...derived] }
}

/** Returns the hash of a row's content and of how it is sent, 22 characters. */
export const hashOf = ({ type, body, isErased, updates }: Row): string =>
  createHash('sha256')
    .update(`${type}${isErased ? ', erased' : ''}${updates ? ', updates' : ''}\n${body}`)
    .digest('base64url')
    .slice(0, 22)
