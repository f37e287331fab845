import type { Resource } from '../contract/resource.ts'
import type { Properties } from '../contract/schema.ts'
import { storedValue } from './items.ts'

/** New values of some fields, null clearing one; or an erasure, which forgets everything not shown (R10, R11). */
export interface Changes {
  readonly fields: object
  readonly kept: object
  /** Erases all kept fields and what the create said. */
  readonly erase?: boolean
}

const parts = (path: string, schemas: Properties, values: object) =>
  Object.entries(values).map(([name, value]) => {
    const stored = storedValue(schemas[name], value)
    const token = `${path}_${name}`
    return { clause: `#${path}.#${token}`, token, name, stored }
  })

/** Holds for an item that is there and has been erased as often as we know, never where `erasures` is undefined. */
const condition = (erasures: number | undefined): string =>
  erasures === undefined
    ? 'attribute_exists(pk) AND attribute_not_exists(#erasures)'
    : '#erasures = :erasures'

/**
 * The expressions of `changes` to an item that has been erased `erasures` times. The right-hand sides see the item as
 * it was, so `first_*` take what the create said at the first update and keep it from then on (I4). An update holds
 * only until the next erasure: however late an attempt of it arrives, it brings nothing back (R11).
 */
export const changeExpression = (
  resource: Resource,
  { fields, kept, erase = false }: Changes,
  erasures?: number,
) => {
  const all = [
    ...parts('data', resource.fields, fields),
    ...(erase ? [] : parts('extra', resource.kept, kept)),
  ]
  const set = all.filter(({ stored }) => stored !== undefined)
  const sets = [
    ...set.map(({ clause, token }) => `${clause} = :${token}`),
    ...(erase
      ? ['#erasures = if_not_exists(#erasures, :zero) + :one', '#extra = :nothing']
      : [
          '#first_data = if_not_exists(#first_data, #data)',
          '#first_extra = if_not_exists(#first_extra, #extra)',
        ]),
  ]
  const removes = [
    ...all.filter(({ stored }) => stored === undefined).map(({ clause }) => clause),
    ...(erase ? ['#first_data', '#first_extra'] : []),
  ]
  const names = ['data', 'extra', 'first_data', 'first_extra', 'erasures']
  const values = {
    ...Object.fromEntries(set.map(({ token, stored }) => [`:${token}`, stored])),
    ...(erase ? { ':zero': 0, ':one': 1, ':nothing': {} } : {}),
    ...(erase || erasures === undefined ? {} : { ':erasures': erasures }),
  }
  return {
    UpdateExpression: `SET ${sets.join(', ')}${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`,
    ConditionExpression: erase ? 'attribute_exists(pk)' : condition(erasures),
    ExpressionAttributeNames: Object.fromEntries([
      ...names.map((name) => [`#${name}`, name]),
      ...all.map(({ token, name }) => [`#${token}`, name]),
    ]),
    // DynamoDB refuses an empty map of values.
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
  }
}
