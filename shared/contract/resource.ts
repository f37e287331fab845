import type { About } from './about.ts'
import { descriptiveFieldNames, type Fields, type StoredValues } from './field.ts'
import type { Rule } from './rules.ts'
import type { Schema } from './schema.ts'

/** A resource of the API: its names and its fields. */
export interface Resource<Fs extends Fields = Fields> {
  /** The key of a single entity in `data`, and the name that references use. */
  readonly name: string
  /** The key of a list in `data`, the path segment and the folder of the handlers. */
  readonly plural: string
  /** The prefix of its server ids. */
  readonly prefix: string
  /** Its description, and an example of a client id. */
  readonly about: About | undefined
  /** Every field besides `id`. */
  readonly fields: Fs
  /** Rules between the fields of a body, as JSON Schema that `when` returns. */
  readonly conditions?: readonly Schema[]
  /** Rules between the fields of a body that JSON Schema cannot express. */
  readonly rules?: readonly Rule[]
  /**
   * Whether an entity can change after its create: by an update, or because it is derived from others. It is
   * always true for a resource with descriptive fields.
   */
  readonly isMutable?: boolean
}

/** A stored entity: its id, its position in creation order, and its fields. */
export interface Entity<R extends Resource = Resource> {
  readonly resource: R
  readonly id: string
  readonly externalId: string
  /** Its position in the order of creation. */
  readonly order: string
  /** Its position in the order of changes; absent if it never changed, or the index that was read lacks it. */
  readonly changed?: string | undefined
  /** The partition of the index in which lists find it. */
  readonly list: string
  readonly content: StoredValues<R['fields']>
  /** The version of a derived entity, which keeps concurrent changes from overwriting each other. */
  readonly version?: number
}

/** Defines a resource. It is a function so that literal types are inferred. */
export const defineResource = <const Fs extends Fields>(definition: Resource<Fs>): Resource<Fs> => ({
  ...definition,
  isMutable: definition.isMutable === true || descriptiveFieldNames(definition.fields).length > 0,
})
