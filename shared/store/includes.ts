import type { Include, Includes } from '../contract/endpoint.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import { readItems } from './batch.ts'
import { entityOf, type Item } from './items.ts'
import { childrenOf } from './lists.ts'

/** What a request asks to embed into entities of one application (S4). */
export interface Wanted {
  readonly app: string
  readonly include: Includes
  /** The names asked for. */
  readonly names: readonly string[]
  /** The resources that may be embedded, by name. */
  readonly related: Readonly<Record<string, Resource>>
  /** Whether the entities carry their hidden fields, which those read from an index do not. */
  readonly complete: boolean
}

/** What is embedded into one entity, by the names asked for. */
export type Embedded = Readonly<Record<string, unknown>>

const idIn = ({ content }: Entity, field: string): string => String(content[field])

/** The ids that one inclusion needs to be read: of what entities name, or of entities whose hidden fields are missing. */
const idsFor = (include: Include, entities: readonly Entity[], complete: boolean): string[] => {
  if (include.from === 'reference') return entities.map((entity) => idIn(entity, include.field))
  return include.from === 'field' && !complete ? entities.map(({ id }) => id) : []
}

interface Read {
  readonly items: ReadonlyMap<string, Item>
  readonly children: ReadonlyMap<string, readonly Entity[]>
}

const embed = (include: Include, entity: Entity, { related }: Wanted, { items, children }: Read): unknown => {
  if (include.from === 'children') return children.get(entity.order)
  if (include.from === 'reference') {
    const target = entity.resource.fields[include.field]?.reference?.target as string
    const item = items.get(idIn(entity, include.field))
    return item ? entityOf(related[target] as Resource, item) : null
  }
  const item = items.get(entity.id)
  return (item ? entityOf(entity.resource, item) : entity).content[include.field]
}

/**
 * What is to be embedded into each of `entities`, in their order: one batch for everything that is read by id and one
 * query for children, however many entities there are.
 */
export const readIncludes = async (wanted: Wanted, entities: readonly Entity[]): Promise<Embedded[]> => {
  const { app, related, complete } = wanted
  const includes = wanted.names.map((name) => [name, wanted.include[name] as Include] as const)
  const ids = includes.flatMap(([, include]) => idsFor(include, entities, complete))
  const family = includes.map(([, include]) => include).find((include) => include.from === 'children')
  const [items, children] = await Promise.all([
    ids.length > 0 ? readItems(app, ids) : new Map<string, Item>(),
    family
      ? childrenOf({ app, child: related[family.target] as Resource, parents: entities, max: family.max })
      : new Map<string, Entity[]>(),
  ])
  return entities.map((entity) =>
    Object.fromEntries(
      includes.map(([name, include]) => [name, embed(include, entity, wanted, { items, children })]),
    ),
  )
}
