import type { AnyCall, WithIncludes } from '../contract/call.ts'
import type { Include } from '../contract/endpoint.ts'
import { idsAt, referenceAt } from '../contract/references.ts'
import type { Entity, Resource, Resources } from '../contract/resource.ts'
import { fitting, inReadingOrder, type Page } from '../pagination/page.ts'
import { readItems } from './batch.ts'
import { childrenOf } from './children.ts'
import { entityOf, type Item } from './items.ts'

/** The maximum number of entities that the listed objects of a page refer to. */
const MOST_IN_LISTS = 1_000

type ByReference = Extract<Include, { from: 'reference' }>
type Content = Readonly<Record<string, unknown>>

const idsIn = (includes: readonly ByReference[], entities: readonly Entity[]): string[] =>
  includes.flatMap((include) => entities.flatMap(({ content }) => idsAt(include, content)))

/** The entities read by id, and the children of the page's entities. */
interface Found {
  readonly related: Resources
  readonly read: ReadEntities
  readonly children: ReadonlyMap<string, readonly Entity[]>
}

/** Entities that are read by id. */
const entityReader = (app: string) => {
  const items = new Map<string, Item>()
  const entities = new Map<string, Entity>()
  return {
    /** Reads the entities that have not been read yet, in one batch. */
    batch: async (ids: readonly string[]): Promise<void> => {
      const missing = ids.filter((id) => !items.has(id))
      for (const [id, item] of await readItems(app, missing)) items.set(id, item)
    },
    /** Returns an entity if it was read and exists. Each is unpacked once, however often it is embedded. */
    find: (resource: Resource, id: string): Entity | undefined => {
      const item = items.get(id)
      if (item && !entities.has(id)) entities.set(id, entityOf(resource, item))
      return entities.get(id)
    },
  }
}
type ReadEntities = ReturnType<typeof entityReader>

/** Returns the ids that an embedded entity embeds, by name. */
const innerIds = ({ embeds = {} }: ByReference, { content }: Entity): [string, string][] =>
  Object.entries(embeds).map(([name, field]) => [name, (content as Content)[field] as string])

const embedOne = (resource: Resource, include: ByReference, id: string, { related, read }: Found) => {
  const entity = read.find(resource, id)
  if (!entity) return null
  const inner = innerIds(include, entity).map(([name, innerId]) => {
    const found = read.find(related[name]!, innerId)
    return [name, found ? { entity: found } : null]
  })
  return { entity, embedded: Object.fromEntries(inner) }
}

const embed = (include: Include, entity: Entity, found: Found): unknown => {
  const content = entity.content as Content
  if (include.from === 'external_id') return entity.externalId
  if (include.from === 'field') return content[include.field]
  if (include.from === 'children')
    return found.children.get(entity.order)!.map((child) => ({ entity: child }))
  const { target, many } = referenceAt(entity.resource.fields, include)
  const one = (id: string) => embedOne(found.related[target]!, include, id, found)
  if (include.within !== undefined)
    return (content[include.within] as Content[]).map((object) => {
      const [id] = idsAt({ field: include.field }, object)
      return id === undefined ? null : one(id)
    })
  const entities = idsAt(include, content).map(one)
  return many ? entities.filter((each) => each !== null) : (entities[0] ?? null)
}

/** Returns whether includes need hidden fields, which a list's index does not contain. */
const needHidden = (includes: readonly Include[], { endpoint: { operation, resource } }: AnyCall): boolean =>
  operation === 'list' &&
  includes.some((include) => {
    if (include.from === 'external_id' || include.from === 'children') return false
    const field = include.from === 'reference' ? (include.within ?? include.field) : include.field
    return !resource.fields[field]!.visible
  })

/** Returns the part of a page that refers to at most `MOST_IN_LISTS` entities in listed objects. */
const bounded = ({ page: request }: AnyCall, includes: readonly ByReference[], page: Page<Entity>) => {
  const inLists = includes.filter(({ within }) => within !== undefined)
  const known = new Set<string>()
  const countNew = (entity: Entity): number => {
    const before = known.size
    for (const id of idsIn(inLists, [entity])) known.add(id)
    return known.size - before
  }
  return inLists.length > 0 ? fitting(request, page, countNew, MOST_IN_LISTS) : page
}

/**
 * Reads the hidden fields and the entities that `includes` need: in one batch, in a second one if the ids are in hidden
 * fields, and in a last one for what embedded entities embed.
 */
const readByIds = async (call: AnyCall, includes: readonly Include[], page: Page<Entity>) => {
  const read = entityReader(call.app)
  const references = includes.filter((include) => include.from === 'reference')
  const own = needHidden(includes, call) ? page.items.map(({ id }) => id) : []
  await read.batch([...own, ...idsIn(references, page.items)])
  // The item may have a later position than the index entry. Only the entry's belongs to this page.
  const items = page.items.map((entity) => {
    const found = read.find(entity.resource, entity.id)
    return found ? { ...found, changed: entity.changed } : entity
  })
  const whole = bounded(call, references, { ...page, items })
  await read.batch(idsIn(references, whole.items))
  const inner = references.flatMap((include) => {
    if (!include.embeds) return []
    const { target } = referenceAt(call.endpoint.resource.fields, include)
    const embedded = idsIn([include], whole.items).flatMap(
      (id) => read.find((call.related as Resources)[target]!, id) ?? [],
    )
    return embedded.flatMap((entity) => innerIds(include, entity).map(([, id]) => id))
  })
  await read.batch(inner)
  return { whole, read }
}

/**
 * Returns the entities of a page with their includes by name. The page is cut where it would embed more than 1,000 entities
 * into listed objects, or more children than a response can contain. Sends queries for children until then, and up to three
 * batches for entities read by id.
 */
export const readIncludes = async (call: AnyCall, page: Page<Entity>): Promise<Page<WithIncludes>> => {
  const { app, spread, endpoint, include: names } = call
  if (names.length === 0) return { ...page, items: page.items.map((entity) => ({ entity })) }
  const includes = names.map((name) => endpoint.include[name]!)
  const related = call.related as Resources
  const family = includes.find((include) => include.from === 'children')
  const parents = inReadingOrder(call.page, page)
  const [{ whole, read }, children] = await Promise.all([
    readByIds(call, includes, page),
    family
      ? childrenOf({ app, shards: spread.shards, parents, child: related[family.target]! })
      : new Map<string, Entity[]>(),
  ])
  const isUnread = ({ order }: Entity): number => (family && !children.has(order) ? 1 : 0)
  const { items: shown, ...rest } = fitting(call.page, whole, isUnread, 0)
  const embeddedIn = (entity: Entity) =>
    includes.map((include, index) => [names[index], embed(include, entity, { related, read, children })])
  return {
    ...rest,
    items: shown.map((entity) => ({ entity, embedded: Object.fromEntries(embeddedIn(entity)) })),
  }
}
