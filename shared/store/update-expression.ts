import type { Fields } from '../contract/field.ts'
import type { Resource } from '../contract/resource.ts'
import { CHANGED_CONDITION, changedClauses, MARK } from './changes.ts'
import { storedValue } from './items.ts'
import { STAMP_CONDITION, stampClauses } from './stamps.ts'

/** New values of some fields. Null clears a field. */
export interface Changes {
  readonly content: Readonly<Record<string, unknown>>
  /** Whether this is an erasure, which also removes the content of the create. */
  readonly erase?: boolean
}

const parts = (fields: Fields, content: Changes['content']) =>
  Object.entries(content).map(([name, value]) => {
    const field = fields[name] as Fields[string]
    const path = field.visible ? 'data' : 'extra'
    const token = `${path}_${name}`
    return { clause: `#${path}.#${token}`, token, name, stored: storedValue(field, value) }
  })

/** An attempt of a write: its stamp, its place among the changes, and the stamp of the item's last erasure if any. */
export interface Attempt {
  readonly stamp: string
  readonly changed: string
  readonly erased: string | undefined
}

/**
 * Returns the condition of an attempt. An update requires that the item's last erasure is the one it has seen, so no
 * attempt sent before an erasure undoes it, even if clocks differ.
 */
const condition = (erase: boolean, erased: string | undefined): string => {
  const known = erased === undefined ? 'attribute_not_exists(erased)' : 'erased = :erased'
  return `${STAMP_CONDITION} AND ${CHANGED_CONDITION}${erase ? '' : ` AND ${known}`}`
}

/**
 * Returns the update expression of `changes`. Its right-hand sides see the item before the update. So the first update
 * copies the content of the create to `first_*`, and each stamp moves to the next attribute.
 */
export const changeExpression = (
  resource: Resource,
  { content, erase = false }: Changes,
  { stamp, changed, erased }: Attempt,
) => {
  const all = parts(resource.fields, content)
  const set = all.filter(({ stored }) => stored !== undefined)
  const sets = [
    ...set.map(({ clause, token }) => `${clause} = :${token}`),
    ...stampClauses,
    ...changedClauses,
    ...(erase
      ? ['erased = :stamp']
      : [
          'first_data = if_not_exists(first_data, #data)',
          'first_extra = if_not_exists(first_extra, #extra)',
        ]),
  ]
  const removes = [
    ...all.filter(({ stored }) => stored === undefined).map(({ clause }) => clause),
    ...(erase ? ['first_data', 'first_extra'] : []),
  ]
  return {
    UpdateExpression: `SET ${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`,
    ConditionExpression: condition(erase, erased),
    ExpressionAttributeNames: {
      '#data': 'data',
      '#extra': 'extra',
      '#order': 'order',
      '#mark': MARK,
      ...Object.fromEntries(all.map(({ token, name }) => [`#${token}`, name])),
    },
    ExpressionAttributeValues: {
      ':stamp': stamp,
      ':none': '',
      ':changed': changed,
      ':true': true,
      ...Object.fromEntries(set.map(({ token, stored }) => [`:${token}`, stored])),
      ...(erase || erased === undefined ? {} : { ':erased': erased }),
    },
  }
}
