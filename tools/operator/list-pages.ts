import type { Resource } from '../../shared/contract/resource.ts'
import { unspread } from '../../shared/store/keys.ts'
import { type List, listEntities } from '../../shared/store/lists.ts'
import { CACHE_MILLIS, currentService } from '../../shared/store/service.ts'
import { readApplication } from '../applications/application-records.ts'
import { retryWhileBusy } from '../applications/retry.ts'

const BEGINNING = '!'

/** For as long as a function of the API caches it. */
const cachedShards = (app: string) => {
  const { clock } = currentService()
  let shards = 0
  let readAt = clock.moment()
  return async (): Promise<number> => {
    if (shards > 0 && clock.elapsedSince(readAt) < CACHE_MILLIS) return shards
    const now = clock.moment()
    const { spread = unspread } = (await readApplication(app)).data
    shards = spread.shards
    readAt = now
    return shards
  }
}

/**
 * Oldest entities first; those that are recorded meanwhile come last. The list is an index, which contains
 * new entities some milliseconds late. `shards` is by default the number of the application.
 */
export const listPages = async function* (
  list: Omit<List<Resource>, 'shards'>,
  { limit = 100, shards = cachedShards(list.app) }: { limit?: number; shards?: () => Promise<number> } = {},
): AsyncGenerator<readonly string[]> {
  // Without fields, no content is read from entries, which another version may have written.
  const resource = { ...list.resource, fields: {} }
  const readPage = (order: string) =>
    retryWhileBusy(async () =>
      listEntities(
        { ...list, resource, shards: await shards() },
        { limit, position: { direction: 'previous', order } },
      ),
    )
  let order = BEGINNING
  for (;;) {
    // A page has its newest entity first.
    const { items, hasPrevious } = await readPage(order)
    if (items.length > 0) yield items.map(({ id }) => id).reverse()
    if (!hasPrevious) return
    order = items[0]!.order
  }
}
