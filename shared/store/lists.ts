import { config } from '../config.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import { type Page, type PageRequest, pageOf } from '../pagination/page.ts'
import { entityOf, type Item } from './items.ts'
import { boundsUnder, justAfter, justBefore, placesIn, startOfSecond } from './keys.ts'
import { queryInOrder, type Range } from './query.ts'
import { callsEnded } from './send.ts'
import { CHANGE_INDEX, CHILD_INDEX, LIST_INDEX } from './table.ts'

/** A list: an application's entities of one resource, or only those under one parent. */
export interface List<R extends Resource> {
  readonly app: string
  /** The number of shards of the application's lists. */
  readonly shards: number
  readonly resource: R
  readonly under?: Entity | undefined
}

/**
 * Returns the bounds of the sort keys of a page, which are those of the whole list or of one side of a position, and the
 * reading direction.
 */
const rangeOf = ({ under }: List<Resource>, { position, walk }: PageRequest) => {
  const ascending = (walk !== undefined) !== (position?.direction === 'previous')
  const [first, end] = walk ? [startOfSecond(walk.since), startOfSecond(walk.until)] : ['!', '~']
  const lower = position && ascending ? justAfter(position.order) : first
  const upper = position && !ascending ? justBefore(position.order) : end
  const prefix = under ? `${under.order}/` : ''
  return { lower: prefix + lower, upper: prefix + upper, ascending }
}

/** Returns the indexes of a list. Under a parent, only entities that never change are listed in the order of changes. */
const indexesOf = ({ resource, under }: List<Resource>, { walk }: PageRequest): Range['indexes'] => {
  if (under) return [CHILD_INDEX]
  return walk && resource.changes ? [LIST_INDEX, CHANGE_INDEX] : [LIST_INDEX]
}

/**
 * Returns one page of a list: newest first or, in a walk, oldest change first (see changes.ts). Every page costs as much
 * as the first, but a page of a walk ends early after many entities in a row that changed later.
 */
export const listEntities = async <R extends Resource>(
  list: List<R>,
  request: PageRequest,
): Promise<Page<Entity<R>>> => {
  const { app, shards, resource } = list
  const { limit, walk } = request
  if (walk && walk.since >= walk.until) return pageOf(request, [])
  // Without a hold-back, a call under way could still write below the end of the walk.
  if (walk && config().holdBack === 0) await callsEnded()
  const { items, isCutShort } = await queryInOrder(limit + 1, {
    app,
    shards,
    plural: resource.plural,
    ...rangeOf(list, request),
    indexes: indexesOf(list, request),
    skipsChanged: walk !== undefined,
  })
  const entities = items.map((item) => entityOf(resource, placed(item)))
  return pageOf(request, entities, isCutShort)
}

/** Adds its own order to an item of the child index, which has it only as a part of its sort key. */
const placed = (item: Item): Item =>
  item.order === undefined ? { ...item, order: placesIn(item.under!).order } : item

/** A request for the children of the parents on a page, which are neighbours in creation order. */
export interface ChildrenRequest<R extends Resource> {
  readonly app: string
  /** See `List.shards`. */
  readonly shards: number
  readonly child: R
  readonly parents: readonly Entity[]
  /** The maximum for one parent. */
  readonly max: number
}

const MOST_AT_ONCE = 1_000

/**
 * Returns the newest children of each parent, by the parent's order. The index sorts children by their parents, so one
 * query reads those of a whole page. If a parent has more than `max`, reading continues after its last child.
 */
export const childrenOf = async <R extends Resource>({
  child,
  parents,
  max,
  ...list
}: ChildrenRequest<R>): Promise<Map<string, Entity<R>[]>> => {
  const children = new Map(parents.map(({ order }) => [order, [] as Entity<R>[]]))
  const orders = [...children.keys()].sort()
  if (orders.length === 0) return children
  const [lower, upper] = boundsUnder(orders[0]!, orders.at(-1)!)
  let below: string | undefined = upper
  while (below !== undefined) {
    const wanted = Math.min(MOST_AT_ONCE, max * orders.length)
    const { items } = await queryInOrder(wanted, {
      ...list,
      plural: child.plural,
      indexes: [CHILD_INDEX],
      lower,
      upper: below,
      ascending: false,
    })
    for (const item of items) {
      const { parentOrder, order } = placesIn(item.under!)
      const siblings = children.get(parentOrder)
      if (siblings && siblings.length < max && siblings.at(-1)?.order !== order)
        siblings.push(entityOf(child, placed(item)))
    }
    below = items.length < wanted ? undefined : nextBelow(items.at(-1)!, children, max)
    if (below !== undefined && below <= lower) below = undefined
  }
  return children
}

/** Returns where reading continues: after all children of a parent that has `max`, otherwise at the last one read. */
const nextBelow = (last: Item, children: Map<string, readonly unknown[]>, max: number): string => {
  const { parentOrder } = placesIn(last.under!)
  const full = (children.get(parentOrder)?.length ?? max) >= max
  return full ? `${parentOrder}/` : last.under!
}
