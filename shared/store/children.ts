import { budget } from '../budget.ts'
import type { Entity, Resource } from '../contract/resource.ts'
import { ApiError } from '../errors.ts'
import { MAX_PAYLOAD_BYTES } from '../pagination/page.ts'
import { entityOf } from './items.ts'
import { boundsUnder, justAfter, justBefore, ordersIn } from './keys.ts'
import { queryInOrder, type Range } from './query.ts'
import { remainingMillis } from './service.ts'
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

/** A lower bound of an entity's bytes in the payload, where its id is added and quotes are escaped. */
const minBytes = ({ content }: Entity): number => Buffer.byteLength(JSON.stringify(JSON.stringify(content)))

/** Whether half of a request's time is over. The other half is for the rest of the request. */
const isLate = (): boolean => remainingMillis() < budget.request / 2

const after = (range: Range, sortKey: string): Range =>
  range.ascending ? { ...range, lower: justAfter(sortKey) } : { ...range, upper: justBefore(sortKey) }

interface Child<R extends Resource> {
  readonly parentOrder: string
  readonly entity: Entity<R>
}

/**
 * Reads the children in a range of the index in batches, until they are more than a response can contain, it
 * has taken too long, or the database is too busy, but at least all children of the `first` parent that a
 * response can contain. `end` is then the order of the last parent, whose children may not all have been
 * read.
 */
const readChildren = async <R extends Resource>(
  child: R,
  range: Range,
  first: string,
): Promise<{ children: Child<R>[]; end?: string | undefined }> => {
  const children: Child<R>[] = []
  let bytes = 0
  let rest = range
  let size = MAX_BATCH
  let end: string | undefined
  for (;;) {
    const isFirstComplete = end !== undefined && end !== first
    if (bytes > MAX_PAYLOAD_BYTES || (isFirstComplete && isLate())) return { children, end }
    const batch = await queryInOrder(size, rest).catch((error) => {
      if (!(isFirstComplete && error instanceof ApiError && error.kind === 'unavailable')) throw error
    })
    if (!batch) return { children, end }
    for (const item of batch.items) {
      const { parentOrder, order } = ordersIn(item.under!)
      const entity = entityOf(child, { ...item, order })
      children.push({ parentOrder, entity })
      bytes += minBytes(entity)
    }
    if (batch.items.length < size) return { children }
    const { under: sortKey = '' } = batch.items.at(-1)!
    end = ordersIn(sortKey).parentOrder
    rest = after(rest, sortKey)
    // As many as still fit if they are as large as those before, and one more.
    const stillFit = Math.ceil(((MAX_PAYLOAD_BYTES - bytes) / bytes) * children.length)
    size = Math.min(MAX_BATCH, stillFit + 1)
  }
}

/**
 * All children of each parent, newest first, by the parent's order. The index sorts children by their
 * parents, so one query after another reads the children of a whole page. The result lacks the parents whose
 * children were not all read, except the first, since a page has at least one entity.
 */
export const childrenOf = async <R extends Resource>({
  child,
  parents,
  ...list
}: ChildrenRequest<R>): Promise<ReadonlyMap<string, readonly Entity<R>[]>> => {
  const orders = parents.map(({ order }) => order)
  const [first, last] = [orders[0], orders.at(-1)]
  if (first === undefined || last === undefined) return new Map()
  const ascending = first < last
  const [lower, upper] = ascending ? boundsUnder(first, last) : boundsUnder(last, first)
  const range = { ...list, plural: child.plural, indexes: [CHILD_INDEX], lower, upper, ascending } as const
  const { children, end } = await readChildren(child, range, first)
  const byParent = Map.groupBy(children, ({ parentOrder }) => parentOrder)
  const isComplete = (order: string) => end === undefined || (ascending ? order < end : order > end)
  const complete = orders.filter((order) => order === first || isComplete(order))
  return new Map(
    complete.map((order) => {
      const entities = (byParent.get(order) ?? []).map(({ entity }) => entity)
      return [order, ascending ? entities.reverse() : entities]
    }),
  )
}
