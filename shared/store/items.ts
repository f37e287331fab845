import { isDeepStrictEqual } from 'node:util'
import type { Content, Entity, Resource } from '../contract/resource.ts'
import { allows, isComposite, type Properties, type Schema } from '../contract/schema.ts'
import { idOf } from './keys.ts'
import type { Stamps } from './stamps.ts'

/** Conversions between entities and items of the table; pure. */

type Attributes = Record<string, unknown>

/** An item of an entity. `data` holds the shown fields and is projected into the indexes; `extra` is not. */
export interface Item extends Stamps {
  readonly pk: string
  readonly sk: string
  readonly list: string
  readonly order: string
  readonly parent_order?: string
  readonly data: Attributes
  readonly extra?: Attributes
  /** What the create said, kept from the first update on, so that a retry of the create can be told (I4). */
  readonly first_data?: Attributes
  readonly first_extra?: Attributes
  /** The stamp of the last erasure (R11); absent if it was never erased. */
  readonly erased?: string
  /** See Entity. */
  readonly version?: number
}

const emptyOf = (schema: Schema): unknown =>
  allows(schema, 'array') ? [] : allows(schema, 'object') ? {} : null

/** The stored form of a value, or undefined where nothing is stored for null, `{}` and `[]`. */
export const storedValue = (schema: Schema | undefined, value: unknown): unknown => {
  if (value === null || value === undefined) return undefined
  if (!schema || !isComposite(schema)) return value
  // As text, so that any key, number and nesting is kept exactly, and costs no more than it is long (R8).
  return Object.keys(value).length === 0 ? undefined : JSON.stringify(value)
}

const pack = (schemas: Properties, values: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const stored = storedValue(schemas[name], value)
      return stored === undefined ? [] : [[name, stored]]
    }),
  )

const unpack = (schemas: Properties, stored: Attributes = {}): Attributes => {
  const values: Attributes = {}
  for (const name in schemas) {
    const schema = schemas[name] as Schema
    const value = stored[name]
    values[name] =
      value === undefined ? emptyOf(schema) : isComposite(schema) ? JSON.parse(value as string) : value
  }
  return values
}

const keeps = (r: Resource): boolean => Object.keys(r.kept).length > 0

/** The content's attributes of an item. */
export const packContent = (r: Resource, { fields, kept }: Content): Pick<Item, 'data' | 'extra'> => ({
  data: pack(r.fields, fields),
  ...(keeps(r) ? { extra: pack(r.kept, kept) } : {}),
})

const unpackContent = (r: Resource, data: Attributes, extra: Attributes | undefined): Content =>
  ({ fields: unpack(r.fields, data), kept: unpack(r.kept, extra) }) as Content

/** The entity in an item of the table or, without its kept fields, of an index. */
export const entityOf = <R extends Resource>(r: R, item: Item): Entity<R> =>
  ({
    id: idOf(item),
    order: item.order,
    version: item.version,
    ...unpackContent(r, item.data, item.extra),
  }) as unknown as Entity<R>

/** The fields in which what a create says now differs from what the create of the stored item said (I4). */
export const differences = (r: Resource, said: Content, item: Item): string[] => {
  const first = unpackContent(r, item.first_data ?? item.data, item.first_extra ?? item.extra)
  // As JSON says it, so that -0 is 0 here as it is in storage.
  const asWritten = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
  const differing = (now: Attributes, then: Attributes) =>
    Object.keys(now).filter((name) => !isDeepStrictEqual(asWritten(now[name]), then[name]))
  return [...differing(said.fields, first.fields), ...differing(said.kept, first.kept)]
}
