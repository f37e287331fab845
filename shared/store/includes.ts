import { resourceNamed } from '../catalogue.ts'
import type { AnyCall, WithIncludes } from '../contract/call.ts'
import type { Include, Listed } from '../contract/endpoint.ts'
import { fieldPathOf, idsAt, parentField, referenceAt } from '../contract/references.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import type { Values } from '../contract/schema.ts'
import { fitting, inReadingOrder, type Page } from '../pagination/page.ts'
import { childrenOf } from './children.ts'
import { entityOf, type Item } from './items.ts'
import { readItems } from './read.ts'

/** The maximum number of entities that the listed objects of a page refer to. */
const MAX_LISTED = 1_000

type ById = Extract<Include, { from: 'reference' | 'listed' }>

const idsIn = (includes: readonly ById[], entities: readonly Entity[]): string[] =>
  includes.flatMap((include) => entities.flatMap(({ content }) => idsAt(fieldPathOf(include), content)))

/** The entities read by id, and the children of the page's entities. */
interface Found {
  readonly read: ReadEntities
  readonly children: ReadonlyMap<string, readonly Entity[]>
}

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

const parentIdOf = ({ resource: { fields }, content }: Entity): string =>
  (content as Values)[parentField(fields)!] as string

/** Returns what each object of a list embeds: the entity that it refers to, with its parent; null if it refers to none. */
const embedListed = ({ list, field, parent }: Listed, { resource, content }: Entity, found: Found) => {
  const { read } = found
  const { target } = referenceAt(resource.fields, { field, within: list })
  const embeddedIn = (id: unknown): WithIncludes | null => {
    const entity = read.find(resourceNamed(target), String(id))
    const parentEntity = entity && read.find(resourceNamed(parent), parentIdOf(entity))
    return entity ? { entity, embedded: { [parent]: parentEntity ? { entity: parentEntity } : null } } : null
  }
  return ((content as Values)[list] as Values[]).map(({ [field]: id }) => (id ? embeddedIn(id) : null))
}

const embed = (include: Include, entity: Entity, found: Found): unknown => {
  const content = entity.content as Values
  if (include.from === 'external_id') return entity.externalId
  if (include.from === 'field') return content[include.field]
  if (include.from === 'children')
    return found.children.get(entity.order)!.map((child) => ({ entity: child }))
  if (include.from === 'listed') return embedListed(include, entity, found)
  const { target, many } = referenceAt(entity.resource.fields, include)
  const entities = idsAt(include, content).flatMap((id) => found.read.find(resourceNamed(target), id) ?? [])
  const embedded = entities.map((each) => ({ entity: each }))
  return many ? embedded : (embedded[0] ?? null)
}

/** Returns whether includes need hidden fields, which a list's index does not contain. */
const needHidden = (includes: readonly Include[], { endpoint: { operation, resource } }: AnyCall): boolean =>
  operation === 'list' &&
  includes.some((include) => {
    if (include.from === 'external_id' || include.from === 'children') return false
    const field = include.from === 'listed' ? include.list : include.field
    return !resource.fields[field]!.visible
  })

/** Returns the part of a page whose listed objects refer to at most `MAX_LISTED` entities. */
const withinListed = ({ page: request }: AnyCall, include: Listed, page: Page<Entity>): Page<Entity> => {
  const known = new Set<string>()
  const countNew = (entity: Entity): number => {
    const before = known.size
    for (const id of idsIn([include], [entity])) known.add(id)
    return known.size - before
  }
  return fitting(request, page, countNew, MAX_LISTED)
}

/**
 * Reads the hidden fields and the entities that `includes` need: in one batch, in a second one if the ids are in hidden
 * fields, and in a last one for the parents of listed entities.
 */
const readByIds = async (call: AnyCall, includes: readonly Include[], page: Page<Entity>) => {
  const read = entityReader(call.app)
  const byId = includes.filter((include) => include.from === 'reference' || include.from === 'listed')
  const listed = byId.find((include) => include.from === 'listed')
  const incomplete = needHidden(includes, call) ? page.items.map(({ id }) => id) : []
  await read.batch([...incomplete, ...idsIn(byId, page.items)])
  // The item may have a later position than the index entry. Only the entry's belongs to this page.
  const items = page.items.map((entity) => {
    const found = read.find(entity.resource, entity.id)
    return found ? { ...found, changed: entity.changed } : entity
  })
  const whole = listed ? withinListed(call, listed, { ...page, items }) : { ...page, items }
  await read.batch(idsIn(byId, whole.items))
  if (!listed) return { whole, read }
  const { target } = referenceAt(call.endpoint.resource.fields, fieldPathOf(listed))
  const resource = resourceNamed(target)
  const entities = idsIn([listed], whole.items).flatMap((id) => read.find(resource, id) ?? [])
  await read.batch(entities.map(parentIdOf))
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
  const childInclude = includes.find((include) => include.from === 'children')
  const parents = inReadingOrder(call.page, page)
  const [{ whole, read }, children] = await Promise.all([
    readByIds(call, includes, page),
    childInclude
      ? childrenOf({ app, shards: spread.shards, parents, child: resourceNamed(childInclude.target) })
      : new Map<string, Entity[]>(),
  ])
  const isUnread = ({ order }: Entity): number => (childInclude && !children.has(order) ? 1 : 0)
  const { items: shown, ...rest } = fitting(call.page, whole, isUnread, 0)
  const embeddedIn = (entity: Entity) =>
    includes.map((include, index) => [names[index], embed(include, entity, { read, children })])
  return {
    ...rest,
    items: shown.map((entity) => ({ entity, embedded: Object.fromEntries(embeddedIn(entity)) })),
  }
}
