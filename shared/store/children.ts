import { budget, remainingMillis } from '../budget.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import { ApiError } from '../errors.ts'
import { MAX_PAYLOAD_BYTES } from '../pagination/page.ts'
import { entityOf, type Item } from './items.ts'
import { boundsUnder, justAfter, justBefore, ordersIn } from './keys.ts'
import { queryInOrder, type Range } from './query.ts'
import { CHILD_INDEX } from './table.ts'

interface ChildrenRequest<R extends Resource> {
  readonly app: string
  readonly shards: number
  readonly child: R
  /** The parents: consecutive entities of their list, in reading order. */
  readonly parents: readonly Entity[]
}

/** The maximum number of entries in a batch, which one query returns (1 MB) unless they are large. */
const MAX_BATCH = 1_000

/**
 * Reads the entries of a range of the child index in order, in batches. Before each batch, `sizeOfNext` returns its maximum number
 * of entries. `end` is the order of the parent of the batch's last entry; absent if no more entries follow.
 */
const batchesOf = async function* (
  range: Range,
  sizeOfNext: () => number,
): AsyncGenerator<{ items: Item[]; end?: string }> {
  let rest = range
  for (;;) {
    const size = sizeOfNext()
    const { items } = await queryInOrder(size, rest)
    if (items.length < size) {
      yield { items }
      return
    }
    const { under: sortKey = '' } = items.at(-1)!
    yield { items, end: ordersIn(sortKey).parentOrder }
    rest = range.ascending ? { ...rest, lower: justAfter(sortKey) } : { ...rest, upper: justBefore(sortKey) }
  }
}

/** Returns a lower bound of an entity's bytes in the payload, where its id is added and quotes are escaped. */
const minBytes = ({ content }: Entity): number => Buffer.byteLength(JSON.stringify(JSON.stringify(content)))

/** Returns whether half of a request's time is over. The other half is for the rest of the request. */
const isLate = (): boolean => remainingMillis() < budget.request / 2

/**
 * Returns all children of each parent, newest first, by the parent's order. The index sorts children by their parents, so
 * one query after another reads the children of a whole page. Reading ends once they are more than a response can contain, when it
 * has taken too long, or when the database is too busy. The result then lacks the parents whose children were not all read,
 * except the first, since a page has at least one entity: it has all children of that one, unless they alone are more than a
 * response can contain.
 */
export const childrenOf = async <R extends Resource>({
  child,
  parents,
  ...list
}: ChildrenRequest<R>): Promise<ReadonlyMap<string, readonly Entity<R>[]>> => {
  const orders = parents.map(({ order }) => order)
  const children = new Map(orders.map((order) => [order, [] as Entity<R>[]]))
  const first = orders[0]
  const last = orders.at(-1)
  if (first === undefined || last === undefined) return children
  const ascending = first < last
  const [lower, upper] = ascending ? boundsUnder(first, last) : boundsUnder(last, first)
  const range: Range = { ...list, plural: child.plural, indexes: [CHILD_INDEX], lower, upper, ascending }
  let count = 0
  let bytes = 0
  let end: string | undefined
  /** Returns how many entries to read next: the number that still fits if they are as large as those before, plus one, but at most a batch. */
  const sizeOfNext = (): number => {
    if (count === 0) return MAX_BATCH
    const stillFit = Math.ceil(((MAX_PAYLOAD_BYTES - bytes) / bytes) * count)
    return Math.min(MAX_BATCH, stillFit + 1)
  }
  /** Returns whether all children of the first parent have been read. */
  const hasFirst = () => end !== undefined && end !== first
  try {
    for await (const batch of batchesOf(range, sizeOfNext)) {
      for (const item of batch.items) {
        const { parentOrder, order } = ordersIn(item.under!)
        const entity = entityOf(child, { ...item, order })
        count += 1
        bytes += minBytes(entity)
        children.get(parentOrder)?.push(entity)
      }
      end = batch.end
      if (end === undefined || bytes > MAX_PAYLOAD_BYTES || (hasFirst() && isLate())) break
    }
  } catch (error) {
    if (!(hasFirst() && error instanceof ApiError && error.kind === 'unavailable')) throw error
  }
  if (end !== undefined)
    for (const order of orders.slice(1)) {
      const isIncomplete = ascending ? order >= end : order <= end
      if (isIncomplete) children.delete(order)
    }
  if (ascending) for (const siblings of children.values()) siblings.reverse()
  return children
}
