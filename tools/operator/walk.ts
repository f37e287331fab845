import type { Entity, Resource } from '../../shared/contract/resource.ts'
import { type List, listEntities } from '../../shared/store/lists.ts'
import { patiently } from './patience.ts'

/** A place before every entity's in the order in which entities are recorded. */
const BEGINNING = '!'

/**
 * Goes through a list, oldest first, in pages; what is recorded meanwhile comes at the end. The entities are those of an
 * index: without hidden fields, and some milliseconds late.
 */
export const walk = async function* <R extends Resource>(
  list: List<R>,
  limit = 100,
): AsyncGenerator<readonly Entity<R>[]> {
  for (let order = BEGINNING; ; ) {
    const position = { direction: 'newer', order } as const
    const { items, hasNewer } = await patiently(() => listEntities(list, { limit, position }))
    if (items.length > 0) yield items.toReversed()
    if (!hasNewer) return
    order = items[0]!.order
  }
}
