import type { About } from './about.ts'
import { isRecord, nullableSchema, type Schema, type Values } from './schema.ts'

/** A reference to another entity: the field accepts its server id or its client id, and stores the server id. */
export interface Reference {
  /** The name of the entity's resource. */
  readonly target: string
  /** Whether the field is a list of ids. */
  readonly many?: true
  /** Whether the entity with the field is a child of the entity that it refers to, as a price is a child of its product. */
  readonly isParent?: true
  /** Whether an unknown client id is accepted, because the create then starts the entity (a subscription). */
  readonly startsEntity?: true
  /** The name of a field that must be equal in the body and in the referenced entity: a subscription's customer. */
  readonly matching?: string
}

/**
 * A field of a resource, declared once: its form in requests, its stored form, and the conversion. Validation, types, storage,
 * erasure, look-ups, permissions and documents are derived from it.
 */
export interface Field<
  Sent = unknown,
  Stored = unknown,
  Required extends boolean = boolean,
  Visible extends boolean = boolean,
> {
  readonly request: Schema
  readonly response: Schema
  /** Converts a sent value to its stored form. `id` is the server's id of the entity, or the id of the listed object. */
  toStored(sent: Sent, id: string): Stored
  readonly required: Required
  /** The value stored if a create omits the field, and read from entities that are older than the field. */
  readonly fallback?: Stored
  /** Hidden fields are stored and never returned. */
  readonly visible: Visible
  /** The placeholder that replaces the value at erasure; absent if the field is not personal. */
  readonly personal?: { readonly placeholder: Stored }
  /** Whether a create with `on_conflict=update` can change the field in an entity that otherwise never changes. */
  readonly isDescriptive?: true
  readonly reference?: Reference
  /** The value that clients in some languages send for an absent one: `''` or an empty list. An optional field reads it as null. */
  readonly filler?: '' | readonly never[]
  /** Returns the problem ("must be …") of a value of the right type, if JSON Schema cannot express the rule; undefined if valid. */
  readonly problem?: (sent: unknown, isRequired: boolean) => string | undefined
  /** For a list of objects: the name and the fields of an object. */
  readonly items?: { readonly name: string; readonly fields: Fields }
  readonly about: About | undefined
}

/** Fields by name, in the order of responses. */
export type Fields = Readonly<Record<string, Field>>

type SentOf<F> = F extends { toStored(sent: infer Sent, id: string): unknown } ? Sent : never
type StoredOf<F> = F extends { toStored(sent: never, id: string): infer Stored } ? Stored : never
type NamesOf<Fs, Mark> = { [K in keyof Fs]: Fs[K] extends Mark ? K : never }[keyof Fs]
type RequiredNames<Fs> = NamesOf<Fs, { readonly required: true }>

/** The values of these fields in the body of a create. */
export type RequestValues<Fs> = { -readonly [K in RequiredNames<Fs>]: SentOf<Fs[K]> } & {
  -readonly [K in Exclude<keyof Fs, RequiredNames<Fs>>]?: SentOf<Fs[K]> | undefined
}

/** The stored values of these fields. */
export type StoredValues<Fs> = { -readonly [K in keyof Fs]: StoredOf<Fs[K]> }

/** The visible values of an entity or a listed object. No other stored value leaves the service. */
export const visibleContent = (fields: Fields, content: Values, shown: Record<string, unknown> = {}) => {
  for (const name in fields) if (fields[name]!.visible) shown[name] = content[name]
  return shown
}

/** The marks of a field that no function has wrapped. */
export const requiredAndVisible = { required: true, visible: true } as const

/** Makes a field optional: if it is absent or null, `fallback` is stored, by default null. */
export function optional<Sent, Stored, V extends boolean>(
  field: Field<Sent, Stored, true, V>,
): Field<Sent | null, Stored | null, false, V>
export function optional<Sent, Stored, V extends boolean>(
  field: Field<Sent, Stored, true, V>,
  fallback: Stored,
): Field<Sent | null, Stored, false, V>
export function optional<Sent, Stored>(
  field: Field<Sent, Stored, true>,
  fallback: Stored | null = null,
): Field<Sent | null, Stored | null, false> {
  return {
    ...field,
    required: false,
    fallback,
    request: nullableSchema(field.request),
    response: fallback === null ? nullableSchema(field.response) : field.response,
    toStored: (sent, id) => (sent === null || sent === undefined ? fallback : field.toStored(sent, id)),
  }
}

/** Hides a field: it is stored and never returned. */
export const hidden = <Sent, Stored, R extends boolean>(
  field: Field<Sent, Stored, R, boolean>,
): Field<Sent, Stored, R, false> => ({ ...field, visible: false })

/** Marks a field as personal: erasure replaces its value with `placeholder`, the same for everyone. */
export const personal = <Sent, Stored, R extends boolean, V extends boolean>(
  field: Field<Sent, Stored, R, V>,
  placeholder: Stored,
): Field<Sent, Stored, R, V> => ({ ...field, personal: { placeholder } })

/**
 * Marks a field as descriptive: it contains a name, and no amount or period depends on it. A create with `on_conflict=update`
 * can change the descriptive fields of an existing entity, and no others.
 */
export const descriptive = <Sent, Stored, R extends boolean, V extends boolean>(
  field: Field<Sent, Stored, R, V>,
): Field<Sent, Stored, R, V> => ({ ...field, isDescriptive: true })

/** Returns the names of the descriptive fields. */
export const descriptiveFieldNames = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => fields[name]!.isDescriptive)

/** Returns whether a value is the filler of an optional field. */
const isFiller = ({ required, filler }: Field, sent: unknown): boolean => {
  if (required) return false
  if (Array.isArray(filler)) return Array.isArray(sent) && sent.length === 0
  return sent === filler
}

/** Returns a body with null instead of the fillers in its optional fields and in the optional fields of its listed objects. */
export const nullForFillers = (fields: Fields, body: Values): Values => {
  const changed: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const sent = Object.hasOwn(body, name) ? body[name] : undefined
    if (sent === undefined) continue
    const { items } = field
    if (isFiller(field, sent)) changed[name] = null
    else if (items && Array.isArray(sent))
      changed[name] = sent.map((item) => (isRecord(item) ? nullForFillers(items.fields, item) : item))
  }
  return { ...body, ...changed }
}

/** Returns the stored form of the body of a create. `id` is the server's id of the entity, or the id of the listed object. */
export const storedContent = <Fs extends Fields>(
  fields: Fs,
  request: object,
  id: string,
): StoredValues<Fs> => {
  const sent = request as Values
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.toStored(sent[name], id)]),
  ) as StoredValues<Fs>
}

/** Returns the stored form of the fields that the body of an update contains. Null clears a field. */
export const storedChanges = <Fs extends Fields>(
  fields: Fs,
  request: object,
  id: string,
): Partial<StoredValues<Fs>> => {
  const sentFields = Object.fromEntries(
    Object.entries(fields).filter(([name]) => Object.hasOwn(request, name)),
  )
  return storedContent(sentFields, request, id) as Partial<StoredValues<Fs>>
}

/** Returns the placeholders of the personal fields, which an erasure stores. */
export const erasurePlaceholders = <Fs extends Fields>(fields: Fs): Partial<StoredValues<Fs>> => {
  const placeholders: Record<string, unknown> = {}
  for (const [name, { personal }] of Object.entries(fields)) {
    if (personal) placeholders[name] = personal.placeholder
  }
  return placeholders as Partial<StoredValues<Fs>>
}
