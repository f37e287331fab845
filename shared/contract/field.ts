import type { About } from './about.ts'
import { isRecord, nullableSchema, type Schema, type Values } from './schema.ts'

/**
 * A reference to another entity: the field accepts its server id or its client id, and stores the server id.
 */
export interface Reference {
  /** The name of the entity's resource. */
  readonly target: string
  /** Whether the field is a list of ids. */
  readonly many?: true
  /** Whether the entity is a child of the one that the field refers to, as a price is of its product. */
  readonly isParent?: true
  /** Whether an unknown client id is accepted, because the create then starts the entity (a subscription). */
  readonly startsEntity?: true
  /** A field that must be equal in the body and in the referenced entity: a subscription's customer. */
  readonly matching?: string
}

/**
 * A field of a resource, declared once: its form in requests, its stored form, and the conversion.
 * Validation, types, storage, erasure, look-ups, permissions and documents are derived from it.
 */
export interface Field<
  Sent = unknown,
  Stored = unknown,
  Required extends boolean = boolean,
  Visible extends boolean = boolean,
> {
  readonly request: Schema
  readonly response: Schema
  /** `id` is the server's id of the entity, or the id of the listed object. */
  toStored(sent: Sent, id: string): Stored
  readonly required: Required
  /** The value stored if a create omits the field, and read from entities that are older than the field. */
  readonly fallback?: Stored
  /** Hidden fields are stored and never returned. */
  readonly visible: Visible
  /** The placeholder that replaces the value at erasure; absent if the field is not personal. */
  readonly personal?: { readonly placeholder: Stored }
  /** Whether `on_conflict=update` can change the field of an entity that otherwise never changes. */
  readonly isDescriptive?: true
  readonly reference?: Reference
  /** What clients in some languages send for an absent value. An optional field reads it as null. */
  readonly filler?: '' | readonly never[]
  /** The problem ("must be …") of a value of the right type that JSON Schema cannot express. */
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
 * Marks a field as descriptive: it contains a name, and no amount or period depends on it. A create with
 * `on_conflict=update` can change the descriptive fields of an existing entity, and no others.
 */
export const descriptive = <Sent, Stored, R extends boolean, V extends boolean>(
  field: Field<Sent, Stored, R, V>,
): Field<Sent, Stored, R, V> => ({ ...field, isDescriptive: true })

export const descriptiveFieldNames = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => fields[name]!.isDescriptive)

const isFiller = ({ required, filler }: Field, value: unknown): boolean => {
  if (required) return false
  if (Array.isArray(filler)) return Array.isArray(value) && value.length === 0
  return value === filler
}

/** A body with null instead of fillers in optional fields, also in those of listed objects. */
export const nullForFillers = (fields: Fields, body: Values): Values => {
  const changed: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    if (value === undefined) continue
    const { items } = field
    if (isFiller(field, value)) changed[name] = null
    else if (items && Array.isArray(value))
      changed[name] = value.map((item) => (isRecord(item) ? nullForFillers(items.fields, item) : item))
  }
  return { ...body, ...changed }
}

/** `id` is the server's id of the entity, or the id of the listed object. */
export const storedContent = <Fs extends Fields>(
  fields: Fs,
  request: object,
  id: string,
): StoredValues<Fs> => {
  const values = request as Values
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.toStored(values[name], id)]),
  ) as StoredValues<Fs>
}

/** The stored form of the fields that the body of an update contains. Null clears a field. */
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

/** The placeholders of the personal fields, which an erasure stores. */
export const erasurePlaceholders = <Fs extends Fields>(fields: Fs): Partial<StoredValues<Fs>> => {
  const placeholders: Record<string, unknown> = {}
  for (const [name, { personal }] of Object.entries(fields)) {
    if (personal) placeholders[name] = personal.placeholder
  }
  return placeholders as Partial<StoredValues<Fs>>
}
