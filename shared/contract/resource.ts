import type { Properties, Values } from './schema.ts'

/** One noun of the API: what it is called, which fields it shows (§2) and which it keeps without showing them. */
export interface Resource<
  Name extends string = string,
  Plural extends string = string,
  Fields extends Properties = Properties,
  Kept extends Properties = Properties,
> {
  /** The key of a single entity in `data`. */
  readonly name: Name
  /** The key of a list in `data`, the path segment and the folder of the handlers. */
  readonly plural: Plural
  /** What its ids begin with (I1). */
  readonly prefix: string
  /** All fields of a response besides `id`, always present (S1). */
  readonly fields: Fields
  /** Fields that are stored and never leave the service. */
  readonly kept: Kept
}

/** The content of an entity, before it has an id: the shown and the kept fields. */
export interface Content<R extends Resource = Resource> {
  readonly fields: Values<R['fields']>
  readonly kept: Values<R['kept']>
}

/** An entity as stored: its content, its id, and its place in the order in which we recorded things (L1). */
export interface Entity<R extends Resource = Resource> extends Content<R> {
  readonly id: string
  readonly order: string
  /** Of a derived entity: how often it has changed, so that two changes at once cannot overwrite each other. */
  readonly version?: number
}

/** States a resource; a function only so that its literal types are inferred. */
export const resource = <
  const Name extends string,
  const Plural extends string,
  const Fields extends Properties,
  const Kept extends Properties,
>(
  definition: Resource<Name, Plural, Fields, Kept>,
): Resource<Name, Plural, Fields, Kept> => definition
