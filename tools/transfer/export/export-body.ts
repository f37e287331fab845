import { isDeepStrictEqual } from 'node:util'
import type { Field, Fields } from '../../../shared/contract/field.ts'
import { date } from '../../../shared/contract/fields.ts'
import { lineItemIdFor } from '../../../shared/ids.ts'

/** The client's ids of entities, by the service's. */
export type ClientIds = ReadonlyMap<string, string>

/** The first and the last second that RFC 3339 can express in UTC, in the years 0 and 9999. */
const [FIRST, LAST] = [-62_167_219_200, 253_402_300_799]
/** The maximum offset from UTC, 23:59. With an offset, a date may be outside those years in UTC. */
const OFFSET = 23 * 3_600 + 59 * 60

/** Returns seconds since the epoch as RFC 3339, in UTC if the year has four digits there. */
export const dateText = (seconds: number): string => {
  const [offset, zone] =
    seconds < FIRST ? [OFFSET, '+23:59'] : seconds > LAST ? [-OFFSET, '-23:59'] : [0, 'Z']
  return new Date((seconds + offset) * 1_000).toISOString().replace('.000Z', zone)
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
    const named = [value].flat().map((each) => ids.get(each as string))
    return field.reference.many ? named : named[0]
  }
  const { items } = field
  if (items)
    return (value as object[]).map((item, index) =>
      createBodyOf(items.fields, item, { id: lineItemIdFor(id, index), ids }),
    )
  return field.request.format === date.format ? dateText(value as number) : value
}

/**
 * Returns the body of a create that stores `content`, the inverse of `contentOf`. Omits default values, including the ids that
 * the service generates for lines, which differ between applications.
 */
export const createBodyOf = (fields: Fields, content: object, subject: Subject): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = (content as Record<string, unknown>)[name]
      if (!field.required && isDeepStrictEqual(field.toStored(null, subject.id), value)) return []
      return [[name, sentOf(field, value, subject)]]
    }),
  )
