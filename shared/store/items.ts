import { isDeepStrictEqual } from 'node:util'
import type { Field, Fields } from '../contract/field.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import { allowsType, isComposite } from '../contract/schema.ts'
import { serverIdOf } from './keys.ts'
import type { Stamps } from './stamps.ts'

/** Pure conversions between entities and table items. */

type Attributes = Record<string, unknown>

/** `data` has the visible fields and is projected into the indexes, `extra` the hidden ones. */
export interface Item extends Stamps {
  readonly pk: string
  readonly sk: string
  readonly list: string
  readonly order: string
  readonly under?: string
  /** See Entity. */
  readonly changed?: string
  readonly external_id: string
  readonly data: Attributes
  readonly extra?: Attributes | undefined
  /** The content of the create, stored by the first update so that a retry of the create is recognised. */
  readonly first_data?: Attributes
  readonly first_extra?: Attributes | undefined
  /** The last erasure's stamp, or the order of an entity that was recorded as erased; absent without one. */
  readonly erased?: string
  /** See Entity. */
  readonly version?: number
}

/** The value that is read if nothing is stored. */
const valueIfAbsent = ({ response, fallback }: Field): unknown => {
  if (fallback !== undefined) return fallback
  if (allowsType(response, 'array')) return []
  return allowsType(response, 'object') ? {} : null
}

/** A row of names and a row of values for each, in half the bytes. Names without any value are left out. */
const asRows = (fields: Fields, objects: readonly Attributes[]): unknown[][] => {
  const names = Object.keys(fields).filter((name) =>
    objects.some((object) => (object[name] ?? null) !== null),
  )
  return [names, ...objects.map((object) => names.map((name) => object[name] ?? null))]
}

/**
 * The stored form of a value; undefined if nothing is stored, which applies to null, and to `{}` and `[]` if
 * they are what is read from an absent attribute.
 */
const toAttribute = (field: Field, value: unknown): unknown => {
  const { response, items } = field
  if (value === null || value === undefined) return undefined
  if (!isComposite(response)) return value
  if (Object.keys(value).length === 0 && isDeepStrictEqual(value, valueIfAbsent(field))) return undefined
  // As text, so that any key, number and nesting is stored exactly, at the cost of its length.
  return JSON.stringify(items ? asRows(items.fields, value as readonly Attributes[]) : value)
}

const fromAttribute = (field: Field, stored: unknown): unknown => {
  if (stored === undefined) return valueIfAbsent(field)
  if (!isComposite(field.response)) return stored
  const value = JSON.parse(stored as string)
  const { items } = field
  return items ? listedObjects(value).map((sparse) => completed(items.fields, sparse)) : value
}

/** The objects of a stored list: of rows, or as releases before 0.6.0 stored them, each without its nulls. */
const listedObjects = (stored: readonly (Attributes | unknown[])[]): Attributes[] => {
  const [names, ...rows] = stored
  if (!Array.isArray(names)) return stored as Attributes[]
  return (rows as unknown[][]).map((row) =>
    Object.fromEntries(names.map((name, index) => [String(name), row[index]])),
  )
}

/** A listed object with all fields: the fields that are not stored have their fallback or null. */
const completed = (fields: Fields, sparse: Attributes): Attributes => {
  const whole: Attributes = {}
  for (const name in fields) whole[name] = sparse[name] ?? fields[name]!.fallback ?? null
  return whole
}

type Packed = Pick<Item, 'data' | 'extra'>

const unpackContent = (fields: Fields, data: Attributes, extra: Attributes = {}): Attributes => {
  const content: Attributes = {}
  for (const name in fields) {
    const field = fields[name] as Field
    content[name] = fromAttribute(field, (field.visible ? data : extra)[name])
  }
  return content
}

/**
 * The attributes of content with new values of some fields. Keeps attributes that this version does not know.
 */
export const packFields = ({ fields }: Resource, { data, extra }: Packed, values: Attributes): Packed => {
  const after = { data: { ...data }, extra: { ...extra } }
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name] as Field
    const part: Attributes = field.visible ? after.data : after.extra
    const stored = toAttribute(field, value)
    if (stored === undefined) delete part[name]
    else part[name] = stored
  }
  return after
}

/** The attributes with the content of a new entity: `extra` only if its resource has hidden fields. */
export const packedContent = (resource: Resource, content: Attributes): Packed => {
  const { data, extra } = packFields(resource, { data: {} }, content)
  return Object.values(resource.fields).some(({ visible }) => !visible) ? { data, extra } : { data }
}

/** The entity of a table item or, without its hidden fields, of an index entry. */
export const entityOf = <R extends Resource>(resource: R, item: Item): Entity<R> =>
  ({
    resource,
    id: serverIdOf(item),
    externalId: item.external_id,
    order: item.order,
    changed: item.changed,
    list: item.list,
    version: item.version,
    content: unpackContent(resource.fields, item.data, item.extra),
  }) as Entity<R>

export const contentAtCreation = ({ data, extra, first_data = data, first_extra = extra }: Item): Packed => ({
  data: first_data,
  extra: first_extra,
})

/** The fields in which the body of a create differs from stored content. */
export const differences = ({ fields }: Resource, sent: Attributes, { data, extra }: Packed): string[] => {
  const stored = unpackContent(fields, data, extra)
  // Values are compared as JSON stores them, in which -0 is 0.
  const asWritten = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
  return Object.keys(fields).filter((name) => !isDeepStrictEqual(asWritten(sent[name]), stored[name]))
}
