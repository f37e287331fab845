import { resourceNamed } from '../catalogue.ts'
import type { Call, CallWithoutBody, WithIncludes } from '../contract/call.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { descriptiveFieldNames, erasurePlaceholders, storedContent } from '../contract/field.ts'
import { parentField } from '../contract/identifiers.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import type { Values } from '../contract/schema.ts'
import { ApiError } from '../errors.ts'
import { serverIdFor } from '../ids.ts'
import type { Page } from '../pagination/page.ts'
import {
  type Creation,
  createEntity,
  findItem,
  idConflictError,
  isAnonymised,
  itemOf,
  NOT_ERASED,
  otherValuesOf,
  putOrFind,
  readEntity,
  refuseErased,
  resolveExisting,
} from './entities.ts'
import { readIncludes } from './includes.ts'
import { differences, entityOf, type Item } from './items.ts'
import { secondOf } from './keys.ts'
import { listEntities } from './lists.ts'
import { type Resolved, resolveReferences, unknownIdDetail } from './references.ts'
import { unavailableError } from './send.ts'
import { updateItem } from './updates.ts'

/** The work of endpoints that only list, retrieve or create, or bring an entity up to date. */

/** The entity that a list is filtered by, if any. Throws ApiError `invalid` for an unknown id. */
const findParent = async ({ app, endpoint, filter }: CallWithoutBody): Promise<Entity | undefined> => {
  if (filter === undefined) return undefined
  const path = endpoint.filter!
  const { target } = endpoint.resource.fields[path]!.reference!
  const resource = resourceNamed(target)
  const item = await findItem(app, resource, filter)
  if (!item) throw new ApiError('invalid', unknownIdDetail({ path, resource, id: filter }))
  return entityOf(resource, item)
}

/** One page of a list or of a feed with its includes, filtered by a parent if the request names one. */
export const list = async <R extends Resource>(
  call: Call<Endpoint<R, 'list'>>,
): Promise<Page<WithIncludes<R>>> => {
  const { app, spread, endpoint, page: request } = call
  const parent = await findParent(call)
  const page = await listEntities(
    { app, shards: spread.shards, resource: endpoint.resource, parent },
    request,
  )
  const { items, ...rest } = await readIncludes(call, page)
  const rows: readonly WithIncludes[] = request.feed
    ? items.map((row) => ({ ...row, changed: secondOf(row.entity.changed ?? row.entity.order) }))
    : items
  return { ...rest, items: rows as WithIncludes<R>[] }
}

/** Finds the entity by either id. Throws ApiError `entity_not_found`. */
export const retrieve = async <R extends Resource>(
  call: Call<Endpoint<R, 'retrieve'>>,
): Promise<WithIncludes<R>> => {
  const entity = await readEntity(call.app, call.endpoint.resource, call.id)
  const { items } = await readIncludes(call, { items: [entity], hasPrevious: false, hasNext: false })
  return items[0] as WithIncludes<R>
}

/**
 * The input of a create and the entities that its body refers to. Throws the errors of `resolveReferences`.
 */
export const creationOf = async <R extends Resource>(
  call: Call<Endpoint<R, 'create'>>,
): Promise<Creation<R> & Pick<Resolved, 'referenced'>> => {
  const { app, spread, endpoint, body } = call
  const { resource } = endpoint
  const { id: externalId } = body as { id: string | number }
  const { body: resolved, referenced } = await resolveReferences({ app, endpoint, body })
  const id = serverIdFor(app, resource.prefix, externalId)
  const content = storedContent(resource.fields, resolved, id)
  const parent = referenced.get(parentField(resource.fields) ?? '')
  return { app, spread, resource, id, externalId: String(externalId), content, parent, referenced }
}

/** Records an entity idempotently. Throws ApiError `invalid` or `conflict`. */
export const create = async <R extends Resource>(
  call: Call<Endpoint<R, 'create'>>,
): Promise<WithIncludes<R>> => createEntity(await creationOf(call))

/**
 * Records an entity that is erased from the start, idempotently. Throws ApiError `conflict` if the id is that
 * of an entity that is not erased, or was recorded with other values in fields that an erasure keeps.
 */
export const createErased = async <R extends Resource>(
  call: Call<Endpoint<R, 'create'>>,
): Promise<WithIncludes<R>> => {
  const sentCreation = await creationOf(call)
  const { resource } = sentCreation
  const content = { ...sentCreation.content, ...erasurePlaceholders(resource.fields) }
  const creation = { ...sentCreation, content, erased: true }
  const item = itemOf(creation)
  const existing = await putOrFind(item)
  if (!existing) return { entity: entityOf(resource, item) }
  const entity = entityOf(resource, existing)
  // A create that recorded it as erased is replayed after later updates, like every create.
  if (existing.erased !== existing.order && !isAnonymised(entity, existing))
    throw idConflictError(creation, entity, 'unused', NOT_ERASED)
  return resolveExisting(creation, item, existing)
}

/**
 * The content to give to an existing entity with other values in the fields `differing`: all of it or, in a
 * resource with descriptive fields, only those. Throws ApiError `conflict` if another field differs.
 */
const changeableContent = (
  creation: Creation<Resource>,
  existing: Entity,
  differing: readonly string[],
): Values => {
  const { resource, content } = creation
  const changeable = descriptiveFieldNames(resource.fields)
  if (changeable.length === 0) return content
  const fixed = differing.filter((name) => !changeable.includes(name))
  if (fixed.length > 0) {
    const rule = `unused, or sent with the recorded values of all fields but ${changeable.join(', ')}`
    throw idConflictError(creation, existing, rule, otherValuesOf(fixed))
  }
  return Object.fromEntries(changeable.map((name) => [name, content[name]]))
}

/**
 * Records an entity, or changes the existing one with its id to what this create would have recorded. Writes
 * nothing for equal values. Throws ApiError `invalid`, or `conflict` if a field differs that never changes,
 * or if the entity is erased: no attempt undoes an erasure.
 */
export const createOrUpdate = async <R extends Resource>(
  call: Call<Endpoint<R, 'create'>>,
): Promise<WithIncludes<R>> => {
  const creation = await creationOf(call)
  const { resource, id, content } = creation
  const item = itemOf(creation)
  const existing = await putOrFind(item)
  if (!existing) return { entity: entityOf(resource, item), outcome: 'created' }
  const entity = entityOf(resource, existing)
  if (existing.order === item.order) return { entity, outcome: 'created' }
  refuseErased(creation, existing)
  const differing = differences(resource, content, existing)
  if (differing.length === 0) return { entity, outcome: 'unchanged' }
  const changes = changeableContent(creation, entity, differing)
  const requireApplicable = (latest: Item) => refuseErased(creation, latest)
  const updated = await updateItem({ resource, content: changes, requireApplicable }, existing)
  if (!updated) throw unavailableError(new Error(`${id} was removed while it was updated`))
  return { entity: entityOf(resource, updated), outcome: 'updated' }
}
