import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb'
import { config } from '../config.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import { type Page, type PageRequest, pageOf } from '../pagination/page.ts'
import { entityOf, type Item } from './items.ts'
import { boundsUnder, justAfter, justBefore, listOf, placesIn } from './keys.ts'
import { send } from './send.ts'
import { CHILD_INDEX, LIST_INDEX } from './table.ts'

/** Reads up to `wanted` items of an index; one answer stops at 1 MB, so it goes on until there are enough. */
const queryUpTo = async (wanted: number, query: Omit<QueryCommandInput, 'TableName'>): Promise<Item[]> => {
  const items: Item[] = []
  let from: QueryCommandInput['ExclusiveStartKey']
  do {
    const answer = await send<QueryCommandOutput>(
      new QueryCommand({
        ...query,
        TableName: config().table,
        Limit: wanted - items.length,
        ExclusiveStartKey: from,
      }),
    )
    items.push(...((answer.Items ?? []) as Item[]))
    from = answer.LastEvaluatedKey
  } while (from && items.length < wanted)
  return items
}

/** A list: an application's entities of a kind, or those of them under one parent. */
export interface List<R extends Resource> {
  readonly app: string
  readonly resource: R
  readonly under?: Entity | undefined
}

/** The places in an index that a page may hold: all, or those on one side of a position. */
const rangeOf = ({ under }: List<Resource>, { position }: PageRequest) => {
  const prefix = under ? `${under.order}/` : ''
  const newer = position?.direction === 'newer'
  const from = newer ? justAfter(position.order) : '!'
  const to = position && !newer ? justBefore(position.order) : '~'
  return [prefix + from, prefix + to] as const
}

/** One page of a list, newest first; any page costs what the first one costs (L1, L3). */
export const listEntities = async <R extends Resource>(
  list: List<R>,
  request: PageRequest,
): Promise<Page<Entity<R>>> => {
  const { app, resource, under } = list
  const [lower, upper] = rangeOf(list, request)
  const items = await queryUpTo(request.limit + 1, {
    IndexName: under ? CHILD_INDEX : LIST_INDEX,
    KeyConditionExpression: '#list = :list AND #place BETWEEN :lower AND :upper',
    ExpressionAttributeNames: { '#list': 'list', '#place': under ? 'under' : 'order' },
    ExpressionAttributeValues: { ':list': listOf(app, resource.plural), ':lower': lower, ':upper': upper },
    ScanIndexForward: request.position?.direction === 'newer',
  })
  return pageOf(
    request,
    items.map((item) => entityOf(resource, placed(item))),
  )
}

/** An item of the index of children, which carries its own place only within its key. */
const placed = (item: Item): Item =>
  item.order === undefined ? { ...item, order: placesIn(item.under!).order } : item

/** Children wanted of each parent of a page, which are neighbours in creation order. */
export interface ChildrenRequest<R extends Resource> {
  readonly app: string
  readonly child: R
  readonly parents: readonly Entity[]
  /** The most children of one parent. */
  readonly max: number
}

const MOST_AT_ONCE = 1_000

/**
 * The newest children of each parent, by the parent's order. The index holds children in the order of their parents,
 * so those of a whole page lie side by side and one query reads them; where one parent has more than `max`, the
 * reading goes on behind its last child.
 */
export const childrenOf = async <R extends Resource>({
  app,
  child,
  parents,
  max,
}: ChildrenRequest<R>): Promise<Map<string, Entity<R>[]>> => {
  const children = new Map(parents.map(({ order }) => [order, [] as Entity<R>[]]))
  const orders = [...children.keys()].sort()
  if (orders.length === 0) return children
  const [lower, upper] = boundsUnder(orders[0]!, orders.at(-1)!)
  let below: string | undefined = upper
  while (below !== undefined) {
    const wanted = Math.min(MOST_AT_ONCE, max * orders.length)
    const items = await queryUpTo(wanted, {
      IndexName: CHILD_INDEX,
      KeyConditionExpression: '#list = :list AND #under BETWEEN :lower AND :upper',
      ExpressionAttributeNames: { '#list': 'list', '#under': 'under' },
      ExpressionAttributeValues: { ':list': listOf(app, child.plural), ':lower': lower, ':upper': below },
      ScanIndexForward: false,
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

/** Where reading goes on: behind all children of a parent that is full, else behind (and again at) the last one read. */
const nextBelow = (last: Item, children: Map<string, readonly unknown[]>, max: number): string => {
  const { parentOrder } = placesIn(last.under!)
  const full = (children.get(parentOrder)?.length ?? max) >= max
  return full ? `${parentOrder}/` : last.under!
}
