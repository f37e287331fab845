import { resourceNamed, resourcesByName } from '../catalogue.ts'
import type { CallWithoutBody, WithIncludes } from '../contract/call.ts'
import type { Include, ListedInclude } from '../contract/include.ts'
import { present } from '../contract/present.ts'
import { DEFAULT_LIMIT } from '../contract/query.ts'
import { fieldPathOf, idsAt, parentField, referenceAt } from '../contract/references.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import type { Values } from '../contract/schema.ts'
import { inReadingOrder, MAX_PAYLOAD_BYTES, type Page, pageOfFirstItems } from '../pagination/page.ts'
import { childrenOf } from './children.ts'
import { entityOf, type Item } from './items.ts'
import { readFinalItems, readItems } from './read.ts'

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

const entityReader = (app: string) => {
  const items = new Map<string, Item>()
  const entities = new Map<string, Entity>()
  return {
    /** Reads the entities that have not been read yet: in one batch the entities that never change, in another the others. */
    batch: async (ids: readonly string[]): Promise<void> => {
      const missing = Object.groupBy(
        ids.filter((id) => !items.has(id)),
        (id) => (isFinal(id) ? 'final' : 'changing'),
      )
      const batches = [readFinalItems(app, missing.final ?? []), readItems(app, missing.changing ?? [])]
      for (const batch of await Promise.all(batches)) for (const [id, item] of batch) items.set(id, item)
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
 * Returns a function that reads what the next entities of a page need: their hidden fields and the entities to embed, in one
 * batch, in a second one if the ids are in hidden fields, and in a last one for the parents of listed entities. It returns the
 * entities with their hidden fields, without the last ones if they would exceed the maximum of listed entities.
 */
const stepReader = (call: CallWithoutBody, includes: readonly Include[], read: ReadEntities) => {
  const byId = includes.filter((include) => include.from === 'reference' || include.from === 'listed')
  const listed = byId.find((include) => include.from === 'listed')
  const lacksFields = needHidden(includes, call)
  const listedIds = new Set<string>()
  return async (entities: readonly Entity[]): Promise<readonly Entity[]> => {
    const incomplete = lacksFields ? entities.map(({ id }) => id) : []
    await read.batch([...incomplete, ...idsIn(byId, entities)])
    // The item may have a later position than the index entry. Only the entry's belongs to this page.
    const whole = entities.map((entity) => {
      const found = read.find(entity.resource, entity.id)
      return found ? { ...found, changed: entity.changed } : entity
    })
    const kept = listed ? withinListed(listed, whole, listedIds) : whole
    await read.batch(idsIn(byId, kept))
    if (!listed) return kept
    const { target } = referenceAt(call.endpoint.resource.fields, fieldPathOf(listed))
    const embedded = idsIn([listed], kept).map((id) => read.find(resourceNamed(target), id))
    await read.batch(embedded.filter((entity) => entity !== undefined).map(parentIdOf))
    return kept
  }
}

/** Returns the bytes of a row in the payload, in which its JSON is a string with escaped quotes. */
const payloadBytes = ({ endpoint }: CallWithoutBody, row: WithIncludes): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(present(endpoint, row))))

/**
 * Returns how many entities to read next: at most twice as many as were read, and no more than still fit if they are as large
 * as those. So a page reads at most about twice what it returns.
 */
const nextStep = (rows: readonly WithIncludes[], bytes: number): number => {
  const stillFit = Math.ceil(((MAX_PAYLOAD_BYTES - bytes) / bytes) * rows.length)
  return Math.max(1, Math.min(2 * rows.length, stillFit))
}

/**
 * Reads the rows of entities step by step, at first `firstStep` of them, until all are read, `readStep` returns fewer than it was
 * given, or a page is full.
 */
const readRows = async (
  entities: readonly Entity[],
  firstStep: number,
  readStep: (entities: readonly Entity[]) => Promise<readonly WithIncludes[]>,
  sizeOf: (row: WithIncludes) => number,
): Promise<WithIncludes[]> => {
  const rows: WithIncludes[] = []
  let step = firstStep
  let bytes = 0
  for (;;) {
    const wanted = entities.slice(rows.length, rows.length + step)
    const read = await readStep(wanted)
    rows.push(...read)
    // The size of a row is the size of its JSON, which is made only if the size decides anything.
    if (read.length < wanted.length || rows.length === entities.length) return rows
    for (const row of read) bytes += sizeOf(row)
    if (bytes > MAX_PAYLOAD_BYTES) return rows
    step = nextStep(rows, bytes)
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
 * Sends queries for children until then, and for each step up to three times the batches for entities read by id.
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
  const readable = unread === -1 ? page : pageOfFirstItems(request, page, inOrder.slice(0, unread))

  const found: EmbeddedEntities = { read: entityReader(call.app), children: children ?? new Map() }
  const complete = stepReader(call, includes, found.read)
  const rowOf = (entity: Entity): WithIncludes => {
    const embedded: Record<string, unknown> = {}
    for (const [index, include] of includes.entries()) embedded[names[index]!] = embed(include, entity, found)
    return { entity, embedded }
  }
  // If there is nothing more to read, the rows are made in one step.
  const isRead = ({ from }: Include): boolean => from === 'external_id' || from === 'children'
  const rows = await readRows(
    inReadingOrder(request, readable),
    includes.every(isRead) ? page.items.length : FIRST_STEP,
    async (entities) => (await complete(entities)).map(rowOf),
    (row) => payloadBytes(call, row),
  )
  return pageOfFirstItems(request, readable, rows)
}
