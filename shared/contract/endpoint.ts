import type { Resource } from './resource.ts'
import type { Rule } from './rules.ts'
import type { ObjectSchema, Schema } from './schema.ts'

/** How an embedded entity is found (S4): kept with the entity, named by one of its fields, or naming it. */
export type Include =
  | { readonly from: 'kept'; readonly schema: Schema }
  | { readonly from: 'reference'; readonly field: string; readonly resource: Resource }
  | { readonly from: 'children'; readonly resource: Resource; readonly max: number }

export type Includes = Readonly<Record<string, Include>>
type NoIncludes = Readonly<Record<never, Include>>
export type Operation = 'list' | 'create' | 'retrieve' | 'update'
export type Method = 'GET' | 'POST' | 'PUT'

/** One operation of the API, from which its route, validation, answer, permissions and documents are derived. */
export interface Endpoint<
  R extends Resource = Resource,
  B extends ObjectSchema | undefined = ObjectSchema | undefined,
  I extends Includes = Includes,
> {
  /** `<plural>.<operation>`; the handler's file is `functions/<plural>/<operation>.ts`. */
  readonly id: string
  readonly operation: Operation
  readonly method: Method
  /** The path below the base URL, with `{id}` where an id is taken (§4). */
  readonly path: string
  readonly summary: string
  readonly resource: R
  readonly include: I
  readonly body: B
  /** Whether a request without a body means something of its own (R10). */
  readonly bodyMayBeAbsent: boolean
  readonly rules: readonly Rule[]
}

/** A noun with its article. */
const one = ({ name }: Resource) => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`
const collection = (r: Resource) => `/api/${r.plural}`
const member = (r: Resource) => `/api/${r.plural}/{id}`
const common = { include: {}, body: undefined, bodyMayBeAbsent: false, rules: [] } as const

/** GET of a collection, newest first (L1). */
export const list = <R extends Resource, const I extends Includes = NoIncludes>(
  r: R,
  include: I = {} as I,
): Endpoint<R, undefined, I> => ({
  ...common,
  id: `${r.plural}.list`,
  operation: 'list',
  method: 'GET',
  path: collection(r),
  summary: `List ${r.plural}, newest first`,
  resource: r,
  include,
})

/** POST to a collection: idempotent by the client's id (I4). */
export const create = <R extends Resource, B extends ObjectSchema>(
  r: R,
  body: B,
  rules: readonly Rule[] = [],
): Endpoint<R, B, NoIncludes> => ({
  ...common,
  id: `${r.plural}.create`,
  operation: 'create',
  method: 'POST',
  path: collection(r),
  summary: `Create ${one(r)}`,
  resource: r,
  body,
  rules,
})

/** GET of one entity by the server's or the client's id (I3). */
export const retrieve = <R extends Resource, const I extends Includes = NoIncludes>(
  r: R,
  include: I = {} as I,
): Endpoint<R, undefined, I> => ({
  ...common,
  id: `${r.plural}.retrieve`,
  operation: 'retrieve',
  method: 'GET',
  path: member(r),
  summary: `Retrieve ${one(r)}`,
  resource: r,
  include,
})

/** PUT of one entity: update with a body, anonymise without (R10). */
export const updateOrAnonymise = <R extends Resource, B extends ObjectSchema>(
  r: R,
  body: B,
  rules: readonly Rule[] = [],
): Endpoint<R, B, NoIncludes> => ({
  ...common,
  id: `${r.plural}.update`,
  operation: 'update',
  method: 'PUT',
  path: member(r),
  summary: `Update ${one(r)}, or anonymise it when no body is sent`,
  resource: r,
  body,
  bodyMayBeAbsent: true,
  rules,
})
