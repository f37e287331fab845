import { createHash } from 'node:crypto'
import { isRecord } from '../../../shared/contract/schema.ts'
import { createEndpoints } from '../create-endpoints.ts'
import type { Draft, Origin, RowDetails } from '../draft.ts'
import { toDouble } from '../lossless-json.ts'

/** A row as it is stored until it is sent. */
export interface Row extends Origin, RowDetails {
  /** The resource, if the row contains the name of one that can be created. */
  readonly type: string | null
  /** The client's id, if the row has one. */
  readonly id: string | number | null
  /** The body of the create, as JSON. */
  readonly body: string
  /** The entities that the row may create or change, such as `customer 42`. Rows with a common key are sent one after another. */
  readonly keys: readonly string[]
  /** Whether to update a recorded entity to the values of the row. */
  readonly isUpdate?: true
}

const idIn = (data: unknown): string | number | null => {
  const id = isRecord(data) ? toDouble(data.id) : undefined
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null
}

/** Returns the keys of a row: its own entity, and the entities that it may start, such as a subscription. */
const keysOf = ({ type, data }: Draft, id: string | number | null): string[] => {
  const keys = [`${type} ${id}`]
  if (!isRecord(data)) return keys
  // Concurrent invoices of one subscription would be in conflict and have to be retried.
  const fields = createEndpoints.get(type ?? '')?.resource.fields ?? {}
  for (const [name, { reference }] of Object.entries(fields))
    if (reference?.startsEntity) keys.push(`${reference.target} ${data[name]}`)
  return keys
}

/** Returns the row of a draft. If the draft's resource cannot be created, the row has a problem. */
export const toRow = (draft: Draft): Row => {
  const { data, ...details } = draft
  const id = idIn(data)
  const row = { ...details, id, body: JSON.stringify(data), keys: keysOf(draft, id) }
  if (row.type === null || row.skipReason !== undefined || createEndpoints.has(row.type)) return row
  const types = [...createEndpoints.keys()].map((name) => `"${name}"`).join(', ')
  return { ...row, type: null, id: null, problem: `type must be one of ${types} (got "${draft.type}").` }
}

/** Returns a hash of a row's content and of how it is sent, in 22 characters. */
export const rowHash = ({ type, body, isErased, isUpdate }: Row): string => {
  // Reports contain these hashes, so a change of this text would make every row of an earlier report be sent again.
  const text = `${type}${isErased ? ', erased' : ''}${isUpdate ? ', updates' : ''}\n${body}`
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
