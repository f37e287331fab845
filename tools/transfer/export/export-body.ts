import { isDeepStrictEqual } from 'node:util'
import type { Field, Fields } from '../../../shared/contract/field.ts'
import { dateSchema } from '../../../shared/contract/fields.ts'
import { lineItemIdFor } from '../../../shared/ids.ts'

/** The client's ids of entities, by the service's. */
export type ClientIds = ReadonlyMap<string, string>

/** The first second that RFC 3339 can express in UTC, in the year 0. */
const FIRST = -62_167_219_200
/** The last second that RFC 3339 can express in UTC, in the year 9999. */
const LAST = 253_402_300_799
/** The maximum offset from UTC, 23:59. With an offset, a date may be outside those years in UTC. */
const OFFSET = 23 * 3_600 + 59 * 60

const isoOf = (seconds: number, zone: string): string =>
  new Date(seconds * 1_000).toISOString().replace('.000Z', zone)

/** Returns seconds since the epoch as RFC 3339, in UTC if the year has four digits there. */
export const dateText = (seconds: number): string => {
  if (seconds < FIRST) return isoOf(seconds + OFFSET, '+23:59')
  if (seconds > LAST) return isoOf(seconds - OFFSET, '-23:59')
  return isoOf(seconds, 'Z')
}

/** The object whose fields are converted. */
interface Subject {
  /** The service's id of the entity or of the line item. */
  readonly id: string
  readonly ids: ClientIds
}

const sentOf = (field: Field, value: unknown, { id, ids }: Subject): unknown => {
  if (value === null) return null
  if (field.reference) {
    if (Array.isArray(value)) return value.map((id: string) => ids.get(id))
    return ids.get(value as string)
  }
  const { items } = field
  if (items)
    return (value as object[]).map((item, index) =>
      createBodyOf(items.fields, item, { id: lineItemIdFor(id, index), ids }),
    )
  return field.request.format === dateSchema.format ? dateText(value as number) : value
}

/**
 * Returns the body of a create that stores `content`, the inverse of `storedContent`. Omits default values, including the ids that
 * the service generates for lines, which differ between applications.
 */
export const createBodyOf = (fields: Fields, content: object, subject: Subject): Record<string, unknown> => {
  const body: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const value = (content as Record<string, unknown>)[name]
    const isDefault = !field.required && isDeepStrictEqual(field.toStored(null, subject.id), value)
    if (!isDefault) body[name] = sentOf(field, value, subject)
  }
  return body
}
