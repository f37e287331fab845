import { isDeepStrictEqual } from 'node:util'
import type { Field, Fields } from '../../../shared/contract/field.ts'
import { dateSchema } from '../../../shared/contract/fields.ts'
import type { Values } from '../../../shared/contract/schema.ts'
import { lineItemIdFor } from '../../../shared/ids.ts'

/** The client's ids of entities by the service's ids. */
export type ClientIds = ReadonlyMap<string, string>

/** The first second that RFC 3339 can express in UTC, in the year 0. */
const FIRST_IN_UTC = -62_167_219_200
/** The last second that RFC 3339 can express in UTC, in the year 9999. */
const LAST_IN_UTC = 253_402_300_799
/** The maximum offset from UTC, 23:59. With an offset, a date can be outside those years in UTC. */
const MAX_OFFSET_SECONDS = 23 * 3_600 + 59 * 60

const isoText = (seconds: number, zone: string): string =>
  new Date(seconds * 1_000).toISOString().replace('.000Z', zone)

/** Returns seconds since the epoch as RFC 3339: in UTC, unless the year would not have four digits there. */
export const dateText = (seconds: number): string => {
  if (seconds < FIRST_IN_UTC) return isoText(seconds + MAX_OFFSET_SECONDS, '+23:59')
  if (seconds > LAST_IN_UTC) return isoText(seconds - MAX_OFFSET_SECONDS, '-23:59')
  return isoText(seconds, 'Z')
}

/** The entity, or the line item in it, whose fields are converted. */
interface Owner {
  /** The service's id. */
  readonly id: string
  /** The ids of the entities that it refers to. */
  readonly clientIds: ClientIds
}

/** Returns a stored value as the body of a create contains it, the inverse of `toStored`. */
const toSent = (field: Field, stored: unknown, { id, clientIds }: Owner): unknown => {
  if (stored === null) return null
  if (field.reference)
    return Array.isArray(stored)
      ? stored.map((serverId: string) => clientIds.get(serverId))
      : clientIds.get(stored as string)
  const { items } = field
  if (items)
    return (stored as Values[]).map((item, index) =>
      createBody(items.fields, item, { id: lineItemIdFor(id, index), clientIds }),
    )
  return field.request.format === dateSchema.format ? dateText(stored as number) : stored
}

/**
 * Returns the body of a create that stores `content`, the inverse of `storedContent`. Leaves out default values, including the ids that
 * the service generates for line items, which differ between applications.
 */
export const createBody = (fields: Fields, content: Values, owner: Owner): Values => {
  const body: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const stored = content[name]
    const isDefault = !field.required && isDeepStrictEqual(field.toStored(null, owner.id), stored)
    if (!isDefault) body[name] = toSent(field, stored, owner)
  }
  return body
}
