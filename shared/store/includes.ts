import { resourceNamed, resourcesByName } from '../catalogue.ts'
import type { CallWithoutBody, WithIncludes } from '../contract/call.ts'
import { type FieldPath, idsAt } from '../contract/identifiers.ts'
import type { Include, ReadEntities } from '../contract/include.ts'
import { DEFAULT_LIMIT } from '../contract/query.ts'
import type { Entity } from '../contract/resource.ts'
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

/** The children of a page's entities, by their parents' orders. */
type ChildrenByOrder = ReadonlyMap<string, readonly Entity[]>

/** Whether an entity with this id never changes after its create. */
const isFinal = (id: string): boolean => {
  const resource = [...resourcesByName.values()].find(({ prefix }) => id.startsWith(`${prefix}_`))
  return resource !== undefined && resource.isMutable !== true
}

/**
 * Whether the entities to embed may be of any replica instead of their latest versions. It applies to a list,
 * since its index may lag behind as well: in a change feed by less than its hold-back.
 */
const mayLag = ({ endpoint, page: { feed } }: CallWithoutBody): boolean =>
  endpoint.returnsPage && (!feed || currentService().settings().holdBackSeconds > 0)

/**
 * Reads the entities that a page embeds by id. Each is read and unpacked once, however often it is embedded.
 */
class EntityReader implements ReadEntities {
  /** The sizes of all items that were read: a lower bound of what they add to a response. */
  bytes = 0
  readonly #call: CallWithoutBody
  /** The fields that are embedded of the page's own entities. */
  readonly #ownFields: readonly string[]
  readonly #children: ChildrenByOrder
  readonly #items = new Map<string, Item>()
  readonly #entities = new Map<string, Entity>()

  constructor(call: CallWithoutBody, includes: readonly Include[], children: ChildrenByOrder) {
    this.#call = call
    this.#ownFields = includes.flatMap(({ path, embedsEntities }) =>
      path && !embedsEntities ? [path.field] : [],
    )
    this.#children = children
  }

  #sizeOf(item: Item): number {
    const isOwn = serverIdOf(item).startsWith(`${this.#call.endpoint.resource.prefix}_`)
    const hidden = isOwn ? this.#ownFields.map((name) => item.extra?.[name]) : []
    return Buffer.byteLength(JSON.stringify([item.data, ...hidden]))
  }

  /** Reads what was not read yet, in order, until it exceeds `maxBytes`. Returns the ids that are left. */
  async read(ids: readonly string[], maxBytes: number): Promise<ReadonlySet<string>> {
    const missing = [...new Set(ids)].filter((id) => !this.#items.has(id))
    const lags = mayLag(this.#call)
    const { items, bytes, unread } = await readInRounds(
      this.#call.app,
      missing,
      (id) => !lags && !isFinal(id),
      { maxBytes, sizeOf: (item) => this.#sizeOf(item) },
    )
    for (const [id, item] of items) this.#items.set(id, item)
    this.bytes += bytes
    return new Set(unread)
  }

  find(resource: string, id: string): Entity | undefined {
    const item = this.#items.get(id)
    if (item && !this.#entities.has(id)) this.#entities.set(id, entityOf(resourceNamed(resource), item))
    return this.#entities.get(id)
  }

  childrenOf({ order }: Entity): readonly Entity[] {
    return this.#children.get(order)!
  }
}

/** Whether includes need hidden fields, which a list's index does not contain. */
const lackFields = (
  includes: readonly Include[],
  { endpoint: { returnsPage, resource } }: CallWithoutBody,
): boolean =>
  returnsPage && includes.some(({ path }) => path && !resource.fields[path.within ?? path.field]!.visible)

/**
 * The first entities whose listed objects refer to at most `MAX_LISTED` entities together with the objects of
 * the page's earlier entities, but at least the page's first entity. `listedIds` has the ids that the earlier
 * entities refer to; the ids of these entities are added.
 */
const withinListed = (
  paths: readonly FieldPath[],
  entities: readonly Entity[],
  listedIds: Set<string>,
): readonly Entity[] => {
  const isFirstStep = listedIds.size === 0
  const over = entities.findIndex(({ content }, index) => {
    for (const path of paths) for (const id of idsAt(path, content)) listedIds.add(id)
    return listedIds.size > MAX_LISTED && !(isFirstStep && index === 0)
  })
  return over === -1 ? entities : entities.slice(0, over)
}

/**
 * A function that reads what the next entities of a page embed, while a response has room for it. It returns
 * these entities with their hidden fields, without the last ones if they would exceed the maximum of listed
 * entities or a response. The first one always remains.
 */
const stepReader = (call: CallWithoutBody, includes: readonly Include[], reader: EntityReader) => {
  const lacksFields = lackFields(includes, call)
  const listedPaths = includes.flatMap(({ path }) => (path?.within === undefined ? [] : [path]))
  const listedIds = new Set<string>()
  const knownIds = (entity: Entity) =>
    includes.flatMap((include) => include.idsToRead?.(entity, reader) ?? [])
  const ownAndKnownIds = (entity: Entity) => [...(lacksFields ? [entity.id] : []), ...knownIds(entity)]
  // The item may have a later position than the index entry. Only the entry's belongs to this page.
  const whole = (entity: Entity): Entity => {
    const readEntity = reader.find(entity.resource.name, entity.id)
    return readEntity ? { ...readEntity, changed: entity.changed } : entity
  }
  return async (step: readonly Entity[]): Promise<readonly Entity[]> => {
    const maxBytes = MAX_PAYLOAD_BYTES - reader.bytes
    let isFirstTooLarge = false
    const readFor = async (wanted: readonly Entity[], idsOf: (entity: Entity) => readonly string[]) => {
      if (isFirstTooLarge) return wanted
      const unread = await reader.read(wanted.flatMap(idsOf), maxBytes)
      if (unread.size === 0) return wanted
      const end = wanted.findIndex((entity) => idsOf(entity).some((id) => unread.has(id)))
      isFirstTooLarge = end === 0
      return wanted.slice(0, Math.max(1, end))
    }
    const entities = (await readFor(step, ownAndKnownIds)).map(whole)
    // Their hidden fields have further ids, and the entities that were read have the ids of their parents.
    const referring = await readFor(withinListed(listedPaths, entities, listedIds), knownIds)
    return readFor(referring, knownIds)
  }
}

/** The children of a page's entities by their parents' orders; undefined if no include embeds children. */
const childrenOfPage = async (
  { app, spread }: CallWithoutBody,
  includes: readonly Include[],
  parents: readonly Entity[],
): Promise<ChildrenByOrder | undefined> => {
  const children = includes.find((include) => include.children)?.children
  return (
    children && childrenOf({ app, shards: spread.shards, parents, child: resourceNamed(children.resource) })
  )
}

/**
 * The entities of a page with their includes by name. The page is cut where it would embed more than 1,000
 * entities into listed objects, or more children than a response can contain, and somewhere after it has
 * become larger than a response. Sends queries for children until then. Entities are read by id in steps: for
 * 20 of the page first, then for as many as still fit if they are as large.
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

  const reader = new EntityReader(call, includes, children ?? new Map())
  const readStep = stepReader(call, includes, reader)
  const rowOf = (entity: Entity): WithIncludes => {
    const embedded: Record<string, unknown> = {}
    for (const [index, include] of includes.entries()) embedded[names[index]!] = include.embed(entity, reader)
    return { entity, embedded }
  }
  const rows: WithIncludes[] = []
  let step = FIRST_STEP
  while (rows.length < entities.length && reader.bytes <= MAX_PAYLOAD_BYTES) {
    const wanted = entities.slice(rows.length, rows.length + step)
    const complete = await readStep(wanted)
    rows.push(...complete.map(rowOf))
    if (complete.length < wanted.length) break
    step = Math.ceil(((MAX_PAYLOAD_BYTES - reader.bytes) / reader.bytes) * rows.length)
  }
  return pageOfFirstItems(request, page, rows)
}
