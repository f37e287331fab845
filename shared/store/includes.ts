import type { Include, Includes } from '../contract/endpoint.ts'
import type { Field, Reference } from '../contract/field.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import { readItems } from './batch.ts'
import { entityOf, type Item } from './items.ts'
import { childrenOf } from './lists.ts'

/** The includes of a request and what is needed to read them (S4). */
export interface Wanted {
  readonly app: string
  /** See `List.shards`. */
  readonly shards: number
  readonly include: Includes
  /** The requested include names. */
  readonly names: readonly string[]
  /** The resources that may be embedded, by name. */
  readonly related: Readonly<Record<string, Resource>>
  /** Whether the entities carry their hidden fields. Those read from an index do not. */
  readonly complete: boolean
}

/** The embedded values of one entity, by include name. */
export type Embedded = Readonly<Record<string, unknown>>

const isHidden = ({ resource }: Entity, field: string): boolean => !resource.fields[field]?.visible

/** Whether an include needs hidden fields. */
const needsHidden = (include: Include, entity: Entity): boolean =>
  'field' in include && isHidden(entity, include.field)

/** The ids in a field that refers to entities; none where the field is hidden and was not read. */
const idsIn = ({ content }: Entity, field: string): string[] => [content[field] ?? []].flat() as string[]

interface Found {
  readonly items: ReadonlyMap<string, Item>
  readonly children: ReadonlyMap<string, readonly Entity[]>
}

const embed = (
  include: Include,
  entity: Entity,
  { related }: Wanted,
  { items, children }: Found,
): unknown => {
  if (include.from === 'external_id') return entity.externalId
  if (include.from === 'field') return entity.content[include.field]
  if (include.from === 'children') return children.get(entity.order)
  const field = entity.resource.fields[include.field] as Field & { reference: Reference }
  const { target, many } = field.reference
  const entities = idsIn(entity, include.field).map((id) => {
    const item = items.get(id)
    return item ? entityOf(related[target] as Resource, item) : null
  })
  return many ? entities.filter((each) => each !== null) : (entities[0] ?? null)
}

/** Reads the entities whose hidden fields are needed and the entities that `includes` refer to, in one or two batches. */
const readByIds = async (app: string, includes: readonly Include[], { entities, complete }: Entities) => {
  const named = (from: readonly Entity[]): string[] =>
    includes.flatMap((include) =>
      include.from === 'reference' ? from.flatMap((entity) => idsIn(entity, include.field)) : [],
    )
  const partial = complete
    ? []
    : entities.filter((entity) => includes.some((include) => needsHidden(include, entity)))
  const ids = [...partial.map(({ id }) => id), ...named(entities)]
  const items = ids.length > 0 ? await readItems(app, ids) : new Map<string, Item>()
  const whole = entities.map((entity) => {
    const item = partial.includes(entity) ? items.get(entity.id) : undefined
    return item ? entityOf(entity.resource, item) : entity
  })
  const missing = named(whole).filter((id) => !items.has(id))
  const more = missing.length > 0 ? await readItems(app, missing) : []
  return { whole, items: new Map([...items, ...more]) }
}

interface Entities {
  readonly entities: readonly Entity[]
  readonly complete: boolean
}

/**
 * Returns the embedded values of each entity, in order. Sends one query for children and one batch for everything read
 * by id (two if the ids are in hidden fields), however many entities there are.
 */
export const readIncludes = async (wanted: Wanted, entities: readonly Entity[]): Promise<Embedded[]> => {
  const { app, shards, related, complete } = wanted
  const includes = wanted.names.map((name) => [name, wanted.include[name] as Include] as const)
  const family = includes.map(([, include]) => include).find((include) => include.from === 'children')
  const [{ whole, items }, children] = await Promise.all([
    readByIds(
      app,
      includes.map(([, include]) => include),
      { entities, complete },
    ),
    family
      ? childrenOf({
          app,
          shards,
          child: related[family.target] as Resource,
          parents: entities,
          max: family.max,
        })
      : new Map<string, Entity[]>(),
  ])
  return whole.map((entity) =>
    Object.fromEntries(
      includes.map(([name, include]) => [name, embed(include, entity, wanted, { items, children })]),
    ),
  )
}
