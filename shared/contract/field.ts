import type { About } from './about.ts'
import { nullable, type Schema } from './schema.ts'

/** That a field holds an id of another entity, the server's or the client's (I3), stored as the server's. */
export interface Reference<Target extends string = string> {
  /** The name of the resource that is referred to. */
  readonly target: Target
  /** Whether the field holds a list of ids. */
  readonly many: boolean
  /** Whether the entity is listed under the one that it refers to, as prices are under their product. */
  readonly isParent: boolean
  /** Whether an id of the client that names nothing yet is accepted, since the create derives its entity. */
  readonly mayBegin: boolean
  /** A field in which the entity that is referred to must agree with the body: a subscription's customer. */
  readonly sharing?: string
}

/**
 * One property of a resource, stated once: what a request sends, what is stored and shown, and how the one becomes the
 * other. Validation, types, storage, erasure, look-ups, permissions and documents follow from it.
 */
export interface Field<
  Sent = unknown,
  Stored = unknown,
  Required extends boolean = boolean,
  Visible extends boolean = boolean,
  Target extends string = string,
> {
  /** Validates what is sent. */
  readonly request: Schema
  /** Describes what is shown, or would be. */
  readonly response: Schema
  /** The stored form of what was sent; `own` is the server's id of the object that the field belongs to. */
  read(sent: Sent, own: string): Stored
  /** Whether a create must send it. */
  readonly required: Required
  /** Hidden fields are stored and never shown (S1). */
  readonly visible: Visible
  /** What erasure puts in place of a personal value; absent where the field is not personal (R11). */
  readonly personal?: { readonly placeholder: Stored }
  readonly reference?: Reference<Target>
  /** What is wrong with a value of the right type that JSON Schema cannot say, or undefined: "must be …". */
  readonly problem?: (sent: unknown) => string | undefined
  /** Of a list of objects: what each is called, and its fields. */
  readonly items?: { readonly name: string; readonly fields: Fields }
  readonly about: About | undefined
}

/** Fields by name, in the order of answers. */
export type Fields = Readonly<Record<string, Field>>

type SentOf<F> = F extends { read(sent: infer Sent, own: string): unknown } ? Sent : never
type StoredOf<F> = F extends { read(sent: never, own: string): infer Stored } ? Stored : never
type NamesOf<Fs, Mark> = { [K in keyof Fs]: Fs[K] extends Mark ? K : never }[keyof Fs]
type RequiredNames<Fs> = NamesOf<Fs, { readonly required: true }>

/** What a create's body sends of these fields. */
export type Request<Fs> = { -readonly [K in RequiredNames<Fs>]: SentOf<Fs[K]> } & {
  -readonly [K in Exclude<keyof Fs, RequiredNames<Fs>>]?: SentOf<Fs[K]> | undefined
}

/** What is stored of these fields. */
export type Stored<Fs> = { -readonly [K in keyof Fs]: StoredOf<Fs[K]> }

/** What is shown of these fields. */
export type Shown<Fs> = Pick<Stored<Fs>, NamesOf<Fs, { readonly visible: true }>>

/** The names of the resources that these fields refer to. */
export type TargetsOf<Fs> = {
  [K in keyof Fs]: Fs[K] extends Field<infer _, infer __, boolean, boolean, infer Target> ? Target : never
}[keyof Fs]

/** The same field, which may be absent or null; null or, if given, `otherwise` is stored then (R8). */
export function optional<Sent, Stored, V extends boolean, T extends string>(
  field: Field<Sent, Stored, true, V, T>,
): Field<Sent | null, Stored | null, false, V, T>
export function optional<Sent, Stored, V extends boolean, T extends string>(
  field: Field<Sent, Stored, true, V, T>,
  otherwise: Stored,
): Field<Sent | null, Stored, false, V, T>
export function optional<Sent, Stored>(
  field: Field<Sent, Stored, true>,
  otherwise: Stored | null = null,
): Field<Sent | null, Stored | null, false> {
  return {
    ...field,
    required: false,
    request: nullable(field.request),
    response: otherwise === null ? nullable(field.response) : field.response,
    read: (sent, own) => (sent == null ? otherwise : field.read(sent, own)),
  }
}

/** The same field, which is stored and never shown (S1). */
export const hidden = <Sent, Stored, R extends boolean, T extends string>(
  field: Field<Sent, Stored, R, boolean, T>,
): Field<Sent, Stored, R, false, T> => ({ ...field, visible: false })

/** The same field, of a person: erasure puts `placeholder` in its place, the same for everyone (R11). */
export const personal = <Sent, Stored, R extends boolean, V extends boolean>(
  field: Field<Sent, Stored, R, V, never>,
  placeholder: Stored,
): Field<Sent, Stored, R, V, never> => ({ ...field, personal: { placeholder } })

/** The stored form of a create's body, in one loop for all resources; `own` as in `Field.read`. */
export const contentOf = <Fs extends Fields>(fields: Fs, request: object, own: string): Stored<Fs> => {
  const sent = request as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.read(sent[name], own)]),
  ) as Stored<Fs>
}

/** The stored form of the fields that an update's body names; null clears one (R10). */
export const changesOf = <Fs extends Fields>(
  fields: Fs,
  request: object,
  own: string,
): Partial<Stored<Fs>> => {
  const named = Object.entries(fields).filter(([name]) => Object.hasOwn(request, name))
  return contentOf(Object.fromEntries(named), request, own) as Partial<Stored<Fs>>
}

/** What erasure leaves of personal fields: their placeholders, the same for everyone (R11). */
export const placeholdersOf = <Fs extends Fields>(fields: Fs): Partial<Stored<Fs>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { personal }]) =>
      personal ? [[name, personal.placeholder]] : [],
    ),
  ) as Partial<Stored<Fs>>
