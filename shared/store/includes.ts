import type { AnyCall } from '../contract/call.ts'
import type { Include } from '../contract/endpoint.ts'
import type { Entity, Resources } from '../contract/resource.ts'
import { readItems } from './batch.ts'
import { entityOf, type Item } from './items.ts'
import { childrenOf } from './lists.ts'

/** The ids in a field that refers to entities; none where the field is hidden and was not read. */
const idsIn = ({ content }: Entity, field: string): string[] => [content[field] ?? []].flat() as string[]

interface Found {
  readonly items: ReadonlyMap<string, Item>
  readonly children: ReadonlyMap<string, readonly Entity[]>
}

const embed = (include: Include, entity: Entity, related: Resources, { items, children }: Found): unknown => {
  if (include.from === 'external_id') return entity.externalId
  if (include.from === 'field') return entity.content[include.field]
  if (include.from === 'children') return children.get(entity.order)
  const { target, many } = entity.resource.fields[include.field]!.reference!
  const entities = idsIn(entity, include.field).map((id) => {
    const item = items.get(id)
    return item ? entityOf(related[target]!, item) : null
  })
  return many ? entities.filter((each) => each !== null) : (entities[0] ?? null)
}

/** Returns whether includes need hidden fields, which the entities of a list lack: they are read from an index. */
const needHidden = (includes: readonly Include[], { endpoint }: AnyCall): boolean =>
  endpoint.operation === 'list' &&
  includes.some((include) => 'field' in include && !endpoint.resource.fields[include.field]!.visible)

/** Reads the hidden fields and the entities that `includes` need, in one or two batches. */
const readByIds = async (call: AnyCall, includes: readonly Include[], entities: readonly Entity[]) => {
  const named = (from: readonly Entity[]): string[] =>
    includes.flatMap((include) =>
      include.from === 'reference' ? from.flatMap((entity) => idsIn(entity, include.field)) : [],
    )
  const own = needHidden(includes, call) ? entities.map(({ id }) => id) : []
  const items = await readItems(call.app, [...own, ...named(entities)])
  const whole = entities.map((entity) => {
    const item = items.get(entity.id)
    return item ? entityOf(entity.resource, item) : entity
  })
  const missing = named(whole).filter((id) => !items.has(id))
  const more = await readItems(call.app, missing)
  return { whole, items: new Map([...items, ...more]) }
}

/**
 * Returns the embedded values of each entity by include name, in order. Sends one query for children and one batch for
 * everything read by id (two if the ids are in hidden fields), however many entities there are.
 */
export const readIncludes = async (
  call: AnyCall,
  entities: readonly Entity[],
): Promise<Record<string, unknown>[]> => {
  const { app, spread, endpoint, include: names } = call
  if (names.length === 0) return entities.map(() => ({}))
  const related = call.related as Resources
  const includes = names.map((name) => endpoint.include[name]!)
  const family = includes.find((include) => include.from === 'children')
  const [{ whole, items }, children] = await Promise.all([
    readByIds(call, includes, entities),
    family
      ? childrenOf({
          ...{ app, shards: spread.shards, parents: entities, max: family.max },
          child: related[family.target]!,
        })
      : new Map<string, Entity[]>(),
  ])
  return whole.map((entity) =>
    Object.fromEntries(
      includes.map((include, index) => [names[index], embed(include, entity, related, { items, children })]),
    ),
  )
}
