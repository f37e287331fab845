import { resourceNamed, resourcesByName } from '../catalogue.ts'
import type { CallWithoutBody, WithIncludes } from '../contract/call.ts'
import { fieldPathOf, idsAt, parentField, referenceAt } from '../contract/identifiers.ts'
import type { Include, ListedInclude } from '../contract/include.ts'
import { DEFAULT_LIMIT } from '../contract/query.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import type { Values } from '../contract/schema.ts'
import { inReadingOrder, MAX_PAYLOAD_BYTES, type Page, pageOfFirstItems } from '../pagination/page.ts'
import { childrenOf } from './children.ts'
import { entityOf, type Item } from './items.ts'
import { serverIdOf } from './keys.ts'
import { readInRounds } from './read.ts'
import { currentService } from './service.ts'

/** The maximum number of entities that the listed objects of a page refer to. */
export const MAX_LISTED = 1_000

/** The number of entities whose includes are read first: a page of the default size. */
const FIRST_STEP = DEFAULT_LIMIT

type Children = Extract<Include, { from: 'children' }>
type ById = Extract<Include, { from: 'reference' | 'listed' }>

const idsIn = (includes: readonly ById[], entities: readonly Entity[]): string[] =>
  includes.flatMap((include) => entities.flatMap(({ content }) => idsAt(fieldPathOf(include), content)))

/** The entities that a page embeds: those read by id, and the children of the page's entities by their parents' orders. */
interface EmbeddedEntities {
  readonly read: ReadEntities
  readonly children: ReadonlyMap<string, readonly Entity[]>
}

/** Returns whether an entity with this id never changes after its create. */
const isFinal = (id: string): boolean => {
  const resource = [...resourcesByName.values()].find(({ prefix }) => id.startsWith(`${prefix}_`))
  return resource !== undefined && resource.isMutable !== true
}

/**
 * Reads the entities to embed. A retrieve embeds their latest versions. A list embeds them as any replica has them, since its
 * index may lag behind as well: in a change feed by less than its hold-back.
 */
const entityReader = ({ app, endpoint, page: { feed } }: CallWithoutBody, includes: readonly Include[]) => {
  const items = new Map<string, Item>()
  const entities = new Map<string, Entity>()
  const isHeldBack = currentService().settings().holdBackSeconds > 0
  const mayLag = endpoint.operation === 'list' && (!feed || isHeldBack)
  const isConsistent = (id: string) => !mayLag && !isFinal(id)
  const ownPrefix = `${endpoint.resource.prefix}_`
  const ownFields = includes.flatMap((include) => (include.from === 'field' ? [include.field] : []))
  /** A lower bound of the bytes that an item adds to a response, however often it is embedded. */
  const sizeOf = (item: Item): number => {
    const hidden = serverIdOf(item).startsWith(ownPrefix) ? ownFields.map((name) => item.extra?.[name]) : []
    return Buffer.byteLength(JSON.stringify([item.data, ...hidden]))
  }
  const reader = {
    /** The sizes of all items that were read. */
    bytes: 0,
    /** Reads the entities that have not been read yet, in order, until they are larger than `maxBytes`. Returns the ids of the others. */
    read: async (ids: readonly string[], maxBytes: number): Promise<ReadonlySet<string>> => {
      const missing = [...new Set(ids)].filter((id) => !items.has(id))
      const read = await readInRounds(app, missing, isConsistent, { maxBytes, sizeOf })
      for (const [id, item] of read.items) items.set(id, item)
      reader.bytes += read.bytes
      return new Set(read.unread)
    },
    /** Each entity is unpacked once, however often it is embedded. */
    find: (resource: Resource, id: string): Entity | undefined => {
      const item = items.get(id)
      if (item && !entities.has(id)) entities.set(id, entityOf(resource, item))
      return entities.get(id)
    },
  }
  return reader
}
type ReadEntities = ReturnType<typeof entityReader>

const parentIdOf = ({ resource: { fields }, content }: Entity): string =>
  (content as Values)[parentField(fields)!] as string

/** Returns the entity that each object of a list refers to, with its parent; null for an object that refers to none. */
const embedListed = (
  { list, field, parent }: ListedInclude,
  { resource, content }: Entity,
  found: EmbeddedEntities,
) => {
  const { read } = found
  const { target } = referenceAt(resource.fields, { field, within: list })
  const embeddedIn = (id: unknown): WithIncludes | null => {
    const entity = read.find(resourceNamed(target), String(id))
    const parentEntity = entity && read.find(resourceNamed(parent), parentIdOf(entity))
    return entity ? { entity, embedded: { [parent]: parentEntity ? { entity: parentEntity } : null } } : null
  }
  return ((content as Values)[list] as Values[]).map(({ [field]: id }) => (id ? embeddedIn(id) : null))
}

const embed = (include: Include, entity: Entity, found: EmbeddedEntities): unknown => {
  const content = entity.content as Values
  if (include.from === 'external_id') return entity.externalId
  if (include.from === 'field') return content[include.field]
  if (include.from === 'children')
    return found.children.get(entity.order)!.map((child) => ({ entity: child }))
  if (include.from === 'listed') return embedListed(include, entity, found)
  const { target, many } = referenceAt(entity.resource.fields, include)
  const embedded: WithIncludes[] = []
  for (const id of idsAt(include, content)) {
    const referredTo = found.read.find(resourceNamed(target), id)
    if (referredTo) embedded.push({ entity: referredTo })
  }
  return many ? embedded : (embedded[0] ?? null)
}

/** Returns whether includes need hidden fields, which a list's index does not contain. */
const needHidden = (
  includes: readonly Include[],
  { endpoint: { operation, resource } }: CallWithoutBody,
): boolean =>
  operation === 'list' &&
  includes.some((include) => {
    if (include.from === 'external_id' || include.from === 'children') return false
    const field = include.from === 'listed' ? include.list : include.field
    return !resource.fields[field]!.visible
  })

/**
 * Returns the first entities whose listed objects refer to at most `MAX_LISTED` entities together with the objects of the page's
 * earlier entities, but at least the page's first entity. `listedIds` has the ids that the earlier entities refer to; the ids of
 * these entities are added.
 */
const withinListed = (
  include: ListedInclude,
  entities: readonly Entity[],
  listedIds: Set<string>,
): readonly Entity[] => {
  const isFirstStep = listedIds.size === 0
  const over = entities.findIndex((entity, index) => {
    for (const id of idsIn([include], [entity])) listedIds.add(id)
    return listedIds.size > MAX_LISTED && !(isFirstStep && index === 0)
  })
  return over === -1 ? entities : entities.slice(0, over)
}

/**
 * Returns a function that reads what the next entities of a page need, while a response has room for it: in a first pass their
 * hidden fields and the entities to embed, in a second one the entities whose ids are in hidden fields, and in a last one the
 * parents of listed entities. It returns the entities with their hidden fields, without the last ones if they would exceed the
 * maximum of listed entities or a response. The first one always remains.
 */
const stepReader = (call: CallWithoutBody, includes: readonly Include[], entities: ReadEntities) => {
  const byId = includes.filter((include) => include.from === 'reference' || include.from === 'listed')
  const listed = byId.find((include) => include.from === 'listed')
  const lacksFields = needHidden(includes, call)
  const listedIds = new Set<string>()
  return async (step: readonly Entity[]): Promise<readonly Entity[]> => {
    const maxBytes = MAX_PAYLOAD_BYTES - entities.bytes
    let isFirstTooLarge = false
    const readFor = async (wanted: readonly Entity[], idsOf: (entity: Entity) => readonly string[]) => {
      if (isFirstTooLarge) return wanted
      const unread = await entities.read(wanted.flatMap(idsOf), maxBytes)
      if (unread.size === 0) return wanted
      const end = wanted.findIndex((entity) => idsOf(entity).some((id) => unread.has(id)))
      isFirstTooLarge = end === 0
      return wanted.slice(0, Math.max(1, end))
    }
    const ownIds = ({ id }: Entity) => (lacksFields ? [id] : [])
    const read = await readFor(step, (entity) => [...ownIds(entity), ...idsIn(byId, [entity])])
    // The item may have a later position than the index entry. Only the entry's belongs to this page.
    const whole = read.map((entity) => {
      const found = entities.find(entity.resource, entity.id)
      return found ? { ...found, changed: entity.changed } : entity
    })
    const kept = listed ? withinListed(listed, whole, listedIds) : whole
    const readable = await readFor(kept, (entity) => idsIn(byId, [entity]))
    if (!listed) return readable
    const { target } = referenceAt(call.endpoint.resource.fields, fieldPathOf(listed))
    return readFor(readable, (entity) => {
      const embedded = idsIn([listed], [entity]).map((id) => entities.find(resourceNamed(target), id))
      return embedded.filter((found) => found !== undefined).map(parentIdOf)
    })
  }
}

/** Returns the children of a page's entities by their parents' orders; undefined if no include embeds children. */
const childrenOfPage = async (
  { app, spread }: CallWithoutBody,
  includes: readonly Include[],
  parents: readonly Entity[],
): Promise<ReadonlyMap<string, readonly Entity[]> | undefined> => {
  const include = includes.find(({ from }) => from === 'children') as Children | undefined
  return include && childrenOf({ app, shards: spread.shards, parents, child: resourceNamed(include.target) })
}

/**
 * Returns the entities of a page with their includes by name. The page is cut where it would embed more than 1,000 entities
 * into listed objects, or more children than a response can contain, and somewhere after it has become larger than a response.
 * Sends queries for children until then. Entities are read by id in steps: for 20 of the page first, then for as many as still fit
 * if they are as large.
 */
export const readIncludes = async (
  call: CallWithoutBody,
  page: Page<Entity>,
): Promise<Page<WithIncludes>> => {
  const { endpoint, include: names, page: request } = call
  if (names.length === 0) return { ...page, items: page.items.map((entity) => ({ entity })) }
  const includes = names.map((name) => endpoint.include[name]!)
  const inOrder = inReadingOrder(request, page)
  const children = await childrenOfPage(call, includes, inOrder)
  // The page is cut before the first entity whose children were not all read.
  const unread = inOrder.findIndex(({ order }) => children && !children.has(order))
  const entities = unread === -1 ? inOrder : inOrder.slice(0, unread)

  const read = entityReader(call, includes)
  const found: EmbeddedEntities = { read, children: children ?? new Map() }
  const readStep = stepReader(call, includes, read)
  const rowOf = (entity: Entity): WithIncludes => {
    const embedded: Record<string, unknown> = {}
    for (const [index, include] of includes.entries()) embedded[names[index]!] = embed(include, entity, found)
    return { entity, embedded }
  }
  const rows: WithIncludes[] = []
  let step = FIRST_STEP
  while (rows.length < entities.length && read.bytes <= MAX_PAYLOAD_BYTES) {
    const wanted = entities.slice(rows.length, rows.length + step)
    const complete = await readStep(wanted)
    rows.push(...complete.map(rowOf))
    if (complete.length < wanted.length) break
    step = Math.ceil(((MAX_PAYLOAD_BYTES - read.bytes) / read.bytes) * rows.length)
  }
  return pageOfFirstItems(request, page, rows)
}
