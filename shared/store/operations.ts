import type { Call, WithIncludes } from '../contract/call.ts'
import type { Endpoint, Includes } from '../contract/endpoint.ts'
import { contentOf, type Field, type Reference } from '../contract/field.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import { serverIdFor } from '../ids.ts'
import type { Page } from '../pagination/page.ts'
import { readItems } from './batch.ts'
import { type Creation, createEntity, readEntity } from './entities.ts'
import { readIncludes, type Wanted } from './includes.ts'
import { listEntities } from './lists.ts'
import { type Resolved, requireReference, resolveReferences } from './references.ts'

/** The work of endpoints that only list, retrieve or create. */

type Resources = Readonly<Record<string, Resource>>

type Filtering = Pick<Call, 'app' | 'endpoint' | 'filter'> & { readonly related: object }

const wanted = (
  call: Omit<Call, 'body' | 'related'> & { readonly related: object },
  complete: boolean,
): Wanted => ({
  app: call.app,
  shards: call.spread.shards,
  include: call.endpoint.include,
  names: call.include,
  related: call.related as Resources,
  complete,
})

/** Returns the entity that a list is filtered by. Throws ApiError `invalid` for an unknown id (E3). */
const parentOf = ({ app, endpoint, filter, related }: Filtering): Promise<Entity> | undefined => {
  if (filter === undefined) return undefined
  const field = endpoint.filter as string
  const { target } = (endpoint.resource.fields[field] as Field & { reference: Reference }).reference
  return requireReference(
    app,
    {
      path: field,
      resource: (related as Resources)[target] as Resource,
      id: filter,
    },
    readItems,
  )
}

/** Returns one page of a list with its includes (L1, S4), filtered by a parent if the request says so (E3). */
export const list = async <R extends Resource, I extends Includes, F extends string>(
  call: Call<Endpoint<R, 'list', I, F>>,
): Promise<Page<WithIncludes<R>>> => {
  const { app, spread, endpoint, page: request } = call
  const under = await parentOf(call)
  const page = await listEntities({ app, shards: spread.shards, resource: endpoint.resource, under }, request)
  const embedded = await readIncludes(wanted(call, false), page.items)
  return { ...page, items: page.items.map((entity, index) => ({ entity, embedded: embedded[index]! })) }
}

/** Returns an entity with its includes, by either id. Throws ApiError `entity_not_found` (I3, S4). */
export const retrieve = async <R extends Resource, I extends Includes>(
  call: Call<Endpoint<R, 'retrieve', I, never>>,
): Promise<WithIncludes<R>> => {
  const entity = await readEntity(call.app, call.endpoint.resource, call.id)
  const [embedded = {}] = await readIncludes(wanted(call, true), [entity])
  return { entity, embedded }
}

/** Returns the input of a create and the entities that its body refers to. Throws what `resolveReferences` throws. */
export const creationOf = async <R extends Resource>(
  call: Call<Endpoint<R, 'create'>>,
): Promise<Creation<R> & Pick<Resolved, 'found'>> => {
  const { app, spread, endpoint, body } = call
  const { resource } = endpoint
  const { id: clientId } = body as { id: string | number }
  const resolved = await resolveReferences(
    { app, endpoint, body, related: call.related as Resources },
    readItems,
  )
  const content = contentOf(resource.fields, resolved.body, serverIdFor(app, resource.prefix, clientId))
  const parentField = Object.keys(resource.fields).find((name) => resource.fields[name]?.reference?.isParent)
  const parent = parentField === undefined ? undefined : resolved.found.get(parentField)
  return { app, spread, resource, clientId, content, found: resolved.found, ...(parent ? { parent } : {}) }
}

/** Records an entity idempotently. Throws ApiError `invalid` or `conflict` (I4, I5). */
export const create = async <R extends Resource>(
  call: Call<Endpoint<R, 'create'>>,
): Promise<WithIncludes<R>> => createEntity(await creationOf(call))
