import type { About } from './about.ts'
import type { Fields, Stored } from './field.ts'
import type { Rule } from './rules.ts'
import type { Schema } from './schema.ts'

/** One noun of the API: what it is called and which fields it has (§2). */
export interface Resource<Name extends string = string, Fs extends Fields = Fields> {
  /** The key of a single entity in `data`, and the name by which fields refer to it. */
  readonly name: Name
  /** The key of a list in `data`, the path segment and the folder of the handlers. */
  readonly plural: string
  /** What its ids begin with (I1). */
  readonly prefix: string
  /** What it is, and a client's own id of one. */
  readonly about: About | undefined
  /** Every field besides `id`. */
  readonly fields: Fs
  /** Rules between the fields of a body, as JSON Schema made by `when` (R7). */
  readonly conditions?: readonly Schema[]
  /** Rules between the fields of a body that JSON Schema cannot say. */
  readonly rules?: readonly Rule[]
}

/** An entity as stored: its id, its place in the order in which we recorded things (L1), and its fields. */
export interface Entity<R extends Resource = Resource> {
  readonly resource: R
  readonly id: string
  /** The client's own id, as text (E1). */
  readonly externalId: string
  readonly order: string
  /** The index partition that lists it. */
  readonly list: string
  readonly content: Stored<R['fields']>
  /** Of a derived entity: how often it has changed, so that two changes at once cannot overwrite each other. */
  readonly version?: number
}

/** States a resource; a function only so that its literal types are inferred. */
export const resource = <const Name extends string, const Fs extends Fields>(
  definition: Resource<Name, Fs>,
): Resource<Name, Fs> => definition
