import { elapsedSince, moment } from '../../shared/clock.ts'
import type { Entity, Resource } from '../../shared/contract/resource.ts'
import { unspread } from '../../shared/spread.ts'
import { readApplication } from '../../shared/store/application-records.ts'
import { CACHE_MILLIS } from '../../shared/store/authorisation.ts'
import { type List, listEntities } from '../../shared/store/lists.ts'
import { patiently } from './patience.ts'

/** Sorts before the order of every entity. */
const BEGINNING = '!'

/** Returns a function that tells the number of shards to read, at most as old as a request may know it. */
const shardsOf = (app: string) => {
  let [shards, asked] = [0, moment()]
  return async (): Promise<number> => {
    if (shards > 0 && elapsedSince(asked) < CACHE_MILLIS) return shards
    asked = moment()
    shards = ((await readApplication(app)).data.spread ?? unspread).shards
    return shards
  }
}

/**
 * Walks through a list, oldest first, in pages. Entities recorded meanwhile come at the end. The entities are those of an
 * index: without hidden fields, and some milliseconds late.
 */
export const walk = async function* <R extends Resource>(
  list: Omit<List<R>, 'shards'>,
  limit = 100,
): AsyncGenerator<readonly Entity<R>[]> {
  const shards = shardsOf(list.app)
  for (let order = BEGINNING; ; ) {
    const position = { direction: 'newer', order } as const
    const { items, hasNewer } = await patiently(async () =>
      listEntities({ ...list, shards: await shards() }, { limit, position }),
    )
    if (items.length > 0) yield items.toReversed()
    if (!hasNewer) return
    order = items[0]!.order
  }
}
