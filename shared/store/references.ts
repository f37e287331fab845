import { resourceNamed } from '../catalogue.ts'
import type { Call } from '../contract/call.ts'
import { isPadded, mapIds, type ReferenceField, referencesOf } from '../contract/identifiers.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import type { Values } from '../contract/schema.ts'
import { ApiError } from '../errors.ts'
import { candidateIds, isServerId, serverIdFor } from '../ids.ts'
import { entityOf, type Item } from './items.ts'
import { readInRounds } from './read.ts'

/** An id in a request that refers to an entity of another resource. */
interface ReferringId {
  /** Its path, such as `customer_id` or `discounts[1]`. */
  readonly path: string
  readonly resource: Resource
  readonly id: string | number
}

/** An id in a body, with its field and the server ids that it can stand for. */
interface FieldReference extends ReferringId {
  readonly field: ReferenceField
  readonly candidates: readonly string[]
}

/**
 * Reads an application's items by the server's ids; the latest versions of those that `isConsistent` accepts.
 * The result lacks items that do not exist.
 */
export type ReadItems = (
  app: string,
  ids: readonly string[],
  isConsistent: (id: string) => boolean,
) => Promise<ReadonlyMap<string, Item>>

const readReferences: ReadItems = async (app, ids, isConsistent) =>
  (await readInRounds(app, ids, isConsistent)).items

const collectReferences = (
  app: string,
  fields: readonly ReferenceField[],
  body: Values,
): FieldReference[] => {
  const references: FieldReference[] = []
  for (const field of fields) {
    const resource = resourceNamed(field.reference.target)
    mapIds(field, body, (id, path) => {
      const candidates = candidateIds(app, resource.prefix, id)
      return references.push({ path, field, resource, id, candidates })
    })
  }
  return references
}

/** Whether an unknown id may be that of a new entity. An id in our form must be mistyped. */
const willStart = ({ field, resource, id }: FieldReference): boolean =>
  field.reference.startsEntity === true && !isServerId(resource.prefix, String(id))

const paddedIdDetail = (path: string, id: string): string =>
  `${path} must not begin or end with white space (got ${JSON.stringify(id)}).`

export const unknownIdDetail = ({ path, resource, id }: ReferringId): string =>
  `${path} must be the id of an existing ${resource.name}; none has ${JSON.stringify(String(id))}.`

/**
 * The detail of a listed object's reference to an unknown id, with the number of objects that refer to the
 * same id. Only the first of these references has a detail; for the others, returns an empty list.
 */
const unknownInList = (reference: FieldReference, all: readonly FieldReference[]): string[] => {
  const same = all.filter(({ field, id }) => field === reference.field && String(id) === String(reference.id))
  const detail = unknownIdDetail(reference).replace(/\.$/, '')
  return same[0] === reference ? [`${detail} (in ${same.length} of the ${reference.field.within}).`] : []
}

/** The detail of a reference to an entity that belongs to another `owner`. */
export const wrongOwnerDetail = ({ path, resource, id }: ReferringId, owner: Resource) =>
  `${path} must be a ${resource.name} of the same ${owner.name}; ${JSON.stringify(String(id))} belongs to another.`

/** A reference with the entity that it resolved to; undefined if there is none. */
interface ResolvedReference extends FieldReference {
  readonly entity: Entity | undefined
}

/** The details of the errors of an unresolved reference; an empty list if the create starts its entity. */
const problemsOfUnknown = (reference: FieldReference, all: readonly FieldReference[]): string[] => {
  const { field, path } = reference
  const id = String(reference.id)
  if (field.within !== undefined) return unknownInList(reference, all)
  if (!willStart(reference)) return [unknownIdDetail(reference)]
  return isPadded(id) ? [paddedIdDetail(path, id)] : []
}

/** The details of the errors of a reference; an empty list if it is right. */
const problemsOf = (reference: ResolvedReference, all: readonly ResolvedReference[]): string[] => {
  const { entity, field } = reference
  if (!entity) return problemsOfUnknown(reference, all)
  const { matching } = field.reference
  if (matching === undefined) return []
  const owner = all.find(({ path }) => path === matching)?.entity
  const content = entity.content as Values
  return owner && content[matching] !== owner.id ? [wrongOwnerDetail(reference, owner.resource)] : []
}

/**
 * The id of a create and the server id to look up for it, if the id has the form of a server id or white
 * space at an end. Otherwise returns an empty list.
 */
const bodyIdsToCheck = (app: string, { prefix }: Resource, id: string) => {
  if (isServerId(prefix, id)) return [{ id, serverId: id }]
  return isPadded(id) ? [{ id, serverId: serverIdFor(app, prefix, id) }] : []
}

/** We assigned the id to an existing entity, or it is new and padded with white space. */
const bodyIdProblems = ({ name }: Resource, id: string, item: Item | undefined): string[] => {
  if (isPadded(id)) return item ? [] : [paddedIdDetail('id', id)]
  if (!item) return []
  return [
    `id must be an id of your own: ${JSON.stringify(id)} is the one that we assigned to ${name} ${JSON.stringify(item.external_id)}.`,
  ]
}

/** A body with its references resolved. */
export interface Resolved {
  /** The body, with every reference replaced by the server's id. */
  readonly body: Values
  /** The entities by the path of their reference, except entities that the create starts. */
  readonly referenced: ReadonlyMap<string, Entity>
}

/** Server ids of which the first that exists is wanted. */
interface Wanted {
  readonly candidates: readonly string[]
  /** Whether the latest writes matter: the create may start the entity, or its id should be unused. */
  readonly isConsistent: boolean
}

/** Existence, owner and parent never change, and a create needs only those of most: any replica has them. */
const readWanted = async (
  app: string,
  wanted: readonly Wanted[],
  read: ReadItems,
): Promise<Map<string, Item>> => {
  const latest = new Set(wanted.flatMap(({ candidates, isConsistent }) => (isConsistent ? candidates : [])))
  const items = new Map<string, Item>()
  // An id in our form can be one of the client's own, which is read only if it is none of ours.
  for (const position of [0, 1]) {
    const missing = wanted.filter(({ candidates }) => !candidates.some((id) => items.has(id)))
    const ids = new Set(missing.flatMap(({ candidates }) => candidates.slice(position, position + 1)))
    if (ids.size === 0) break
    for (const [id, item] of await read(app, [...ids], (readId) => latest.has(readId))) items.set(id, item)
  }
  return items
}

/**
 * Looks up all entities that a create's body refers to. An unknown reference that may start an entity becomes the id of that
 * entity, unless it has the form of a server id and must be mistyped. Throws ApiError `invalid` with a detail for each of these:
 *
 * - a reference to an entity that does not exist or belongs to another owner, listed objects with the same id together
 * - an id that we assigned to another entity, since no request could reach an entity created under it
 * - a new id with white space at an end
 */
export const resolveReferences = async (
  { app, endpoint, body }: Pick<Call, 'app' | 'endpoint'> & { readonly body: Values },
  read: ReadItems = readReferences,
): Promise<Resolved> => {
  const fields = referencesOf(endpoint.resource.fields)
  const all = collectReferences(app, fields, body)
  const { resource } = endpoint
  const bodyIds = bodyIdsToCheck(app, resource, String(body.id))
  const wanted = [
    ...all.map(({ candidates, field }) => ({
      candidates,
      isConsistent: field.reference.startsEntity === true,
    })),
    ...bodyIds.map(({ serverId }) => ({ candidates: [serverId], isConsistent: true })),
  ]
  const items = await readWanted(app, wanted, read)
  const resolved = all.map((reference) => {
    const id = reference.candidates.find((candidate) => items.has(candidate))
    const entity = id === undefined ? undefined : entityOf(reference.resource, items.get(id)!)
    return { ...reference, entity, serverId: id ?? serverIdFor(app, reference.resource.prefix, reference.id) }
  })
  const problems = [
    ...bodyIds.flatMap((bodyId) => bodyIdProblems(resource, bodyId.id, items.get(bodyId.serverId))),
    ...resolved.flatMap((reference) => problemsOf(reference, resolved)),
  ]
  if (problems.length > 0) throw new ApiError('invalid', problems)
  const ids = new Map(resolved.map(({ path, serverId }) => [path, serverId]))
  const referenced = new Map<string, Entity>()
  for (const { path, entity } of resolved) if (entity) referenced.set(path, entity)
  let resolvedBody = body
  for (const field of fields) resolvedBody = mapIds(field, resolvedBody, (_, path) => ids.get(path))
  return { body: resolvedBody, referenced }
}
