import type { Include, Includes } from '../contract/endpoint.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import { readItems } from './batch.ts'
import { entityOf, type Item } from './items.ts'
import { childrenOf } from './lists.ts'

/** What a request asks to embed into entities of one kind (S4). */
export interface Embedding {
  readonly app: string
  readonly resource: Resource
  readonly include: Includes
  /** The names asked for. */
  readonly names: readonly string[]
}

/** What is embedded into one entity, by the names asked for. */
export type Embedded = Readonly<Record<string, unknown>>

type Values = Readonly<Record<string, unknown>>
const fieldsOf = (entity: Entity): Values => entity.fields
const keptOf = (entity: Entity): Values => entity.kept

/** The ids that one inclusion needs to be read: of what entities name, or of the entities whose kept fields are missing. */
const idsFor = (include: Include, entities: readonly Entity[], complete: boolean): string[] => {
  if (include.from === 'reference') return entities.map((entity) => String(fieldsOf(entity)[include.field]))
  return include.from === 'kept' && !complete ? entities.map(({ id }) => id) : []
}

const embed =
  (
    name: string,
    include: Include,
    context: {
      resource: Resource
      complete: boolean
      items: Map<string, Item>
      children: Map<string, Entity[]>
    },
  ) =>
  (entity: Entity): unknown => {
    if (include.from === 'children') return context.children.get(entity.order)
    if (include.from === 'reference') {
      const item = context.items.get(String(fieldsOf(entity)[include.field]))
      return item ? entityOf(include.resource, item) : null
    }
    const item = context.items.get(entity.id)
    return keptOf(context.complete || !item ? entity : entityOf(context.resource, item))[name]
  }

/**
 * What is to be embedded into each of `entities`, in their order: one batch for everything that is read by id and one
 * query for children, however many entities there are. `complete` says that they already carry their kept fields.
 */
export const readIncludes = async (
  { app, resource, include, names }: Embedding,
  entities: readonly Entity[],
  { complete }: { readonly complete: boolean },
): Promise<Embedded[]> => {
  const wanted = names.map((name) => [name, include[name] as Include] as const)
  const ids = wanted.flatMap(([, each]) => idsFor(each, entities, complete))
  const family = wanted.map(([, each]) => each).find((each) => each.from === 'children')
  const [items, children] = await Promise.all([
    ids.length > 0 ? readItems(app, ids) : new Map<string, Item>(),
    family
      ? childrenOf({ app, child: family.resource, parents: entities, max: family.max })
      : new Map<string, Entity[]>(),
  ])
  const embedders = wanted.map(
    ([name, each]) => [name, embed(name, each, { resource, complete, items, children })] as const,
  )
  return entities.map((entity) => Object.fromEntries(embedders.map(([name, of]) => [name, of(entity)])))
}
