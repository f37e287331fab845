import { isDeepStrictEqual } from 'node:util'
import type { Field, Fields } from '../../shared/contract/field.ts'
import { date } from '../../shared/contract/fields.ts'
import { lineItemIdFor } from '../../shared/ids.ts'

/** The client's own ids of entities, by ours. */
export type ClientIds = ReadonlyMap<string, string>

/** The instants of the years 0 to 9999, which four digits can say, in seconds. */
const [FIRST, LAST] = [-62_167_219_200, 253_402_300_799]
/** The largest offset from UTC, by which a date may lie outside of those years. */
const OFFSET = 23 * 3_600 + 59 * 60

/** The RFC 3339 text of seconds since the epoch, in UTC wherever UTC can say it (R6). */
export const dateText = (seconds: number): string => {
  const [offset, zone] =
    seconds < FIRST ? [OFFSET, '+23:59'] : seconds > LAST ? [-OFFSET, '-23:59'] : [0, 'Z']
  return new Date((seconds + offset) * 1_000).toISOString().replace('.000Z', zone)
}

/** An object whose fields were stored: our id of it, or of its place in a list, and the ids that it may refer to. */
interface Owner {
  readonly id: string
  readonly ids: ClientIds
}

const sentOf = (field: Field, value: unknown, { id, ids }: Owner): unknown => {
  if (value === null) return null
  if (field.reference) {
    const named = [value].flat().map((each) => ids.get(each as string))
    return field.reference.many ? named : named[0]
  }
  const { items } = field
  if (items)
    return (value as object[]).map((item, index) =>
      bodyOf(items.fields, item, { id: lineItemIdFor(id, index), ids }),
    )
  return field.request.format === date.format ? dateText(value as number) : value
}

/**
 * What a create sends to have `content` stored: the inverse of `contentOf`. Values that are stored anyway where nothing
 * is sent are left out, ids of lines that we made from their place too, since they are others in another application.
 */
export const bodyOf = (fields: Fields, content: object, owner: Owner): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = (content as Record<string, unknown>)[name]
      if (!field.required && isDeepStrictEqual(field.read(null, owner.id), value)) return []
      return [[name, sentOf(field, value, owner)]]
    }),
  )
