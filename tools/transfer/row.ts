import { createHash } from 'node:crypto'
import type { Outcome } from './counts.ts'
import { creates } from './creates.ts'

/** The result of one row. */
export interface RowResult {
  readonly outcome: Outcome
  /** The service's id of the entity, if it has one. */
  readonly server_id: string | null
  /** What is wrong, a sentence each. */
  readonly errors: readonly string[]
}

/** The result of one row and where the row came from. */
export interface ReportedRow extends RowResult {
  /** The file as it was named; `-` for standard input. */
  readonly file: string
  /** The 1-based number of the line (NDJSON), of the record after the header (CSV) or of the object (Stripe). */
  readonly row: number
  /** The resource, if the row names one that can be created. */
  readonly type: string | null
  /** The client's id, if the row has one. */
  readonly id: string | number | null
}

/** Where a row comes from. */
export type Place = Pick<ReportedRow, 'file' | 'row'>

/** One entity to create. */
export interface Row extends Omit<ReportedRow, keyof RowResult> {
  /** The create's body, exactly as the file has it. */
  readonly body: string
  /** Rows that share a key are sent one after the other. */
  readonly keys: readonly string[]
  /** Whether to record the customer as anonymised. */
  readonly isErased?: true
  /** Whether to make a recorded customer what the row says. */
  readonly updates?: true
  /** Whether an invoice that is recorded already keeps the prices of its lines. */
  readonly keepsPrices?: true
  /** Why the row cannot be sent at all. */
  readonly problem?: string
  /** Why the row is left out on purpose. */
  readonly skip?: string
  /** What of it is left out, although it is recorded. */
  readonly leftOut?: readonly string[]
}

/** A row that cannot be sent; `problem` says what it must be. */
export const unusable = (place: Place, body: string, problem: string): Row => ({
  ...place,
  ...{ type: null, id: null, body, keys: [], problem },
})

/** The value of a JSON text; undefined for any other text. */
export const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The row with a create's body, which only the service validates; undefined if the body is not JSON. */
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
    reference?.mayBegin ? [`${reference.target} ${data[name]}`] : [],
  )
  return { ...place, type, id, body, keys: [`${type} ${id}`, ...derived] }
}

/** The hash of what a row says and of how it is sent, 22 characters. */
export const hashOf = ({ type, body, isErased, updates }: Row): string =>
  createHash('sha256')
    .update(`${type}${isErased ? ', erased' : ''}${updates ? ', updates' : ''}\n${body}`)
    .digest('base64url')
    .slice(0, 22)
