import {
  BatchGetCommand,
  type BatchGetCommandOutput,
  GetCommand,
  type GetCommandOutput,
} from '@aws-sdk/lib-dynamodb'
import type { Item } from './items.ts'
import { entityKey, serverIdOf } from './keys.ts'
import { pauseToRetry, send, unavailableError } from './send.ts'
import { tableName } from './service.ts'

/** All find the latest writes, except those of `readInRounds` that do not need them. */

export const getItem = async <Item>(Key: {
  readonly pk: string
  readonly sk: string
}): Promise<Item | undefined> => {
  const command = new GetCommand({ TableName: tableName(), Key, ConsistentRead: true })
  return (await send<GetCommandOutput>(command)).Item as Item | undefined
}

const MAX_KEYS = 100

/** Some commands take only so many values at once. The last group may be smaller. */
export const chunks = <T>(values: readonly T[], size: number): T[][] => {
  const groups: T[][] = []
  for (let from = 0; from < values.length; from += size) groups.push(values.slice(from, from + size))
  return groups
}

const readChunk = async (keys: Record<string, unknown>[], isConsistent: boolean): Promise<Item[]> => {
  const table = tableName()
  const items: Item[] = []
  let wanted = keys
  // A throttled table returns 200 with unprocessed keys. They are requested again until the budget is spent.
  for (let retry = 1; ; retry += 1) {
    const { Responses, UnprocessedKeys } = await send<BatchGetCommandOutput>(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: wanted, ConsistentRead: isConsistent } } }),
    )
    items.push(...((Responses?.[table] ?? []) as Item[]))
    wanted = UnprocessedKeys?.[table]?.Keys ?? []
    if (wanted.length === 0) return items
    if (!(await pauseToRetry(retry))) throw unavailableError(new Error('DynamoDB left keys unprocessed'))
  }
}

const readAll = async (
  app: string,
  ids: ReadonlySet<string>,
  isConsistent: boolean,
): Promise<Map<string, Item>> => {
  const keys = [...ids].map((id) => entityKey(app, id))
  const groups = await Promise.all(chunks(keys, MAX_KEYS).map((chunk) => readChunk(chunk, isConsistent)))
  return new Map(groups.flat().map((item) => [serverIdOf(item), item]))
}

/** The existing items of entities by their server ids. Each is read once. */
export const readItems = (app: string, ids: readonly string[]): Promise<Map<string, Item>> =>
  readAll(app, new Set(ids), true)

/**
 * The items as any replica has them, for half the read units: a version that the latest writes may have
 * replaced. The items that the replica lacks are read again, from the one with the latest writes.
 */
const readLenient = async (app: string, ids: readonly string[]): Promise<Map<string, Item>> => {
  const wanted = new Set(ids)
  const items = await readAll(app, wanted, false)
  const missing = wanted.difference(new Set(items.keys()))
  for (const [id, item] of await readAll(app, missing, true)) items.set(id, item)
  return items
}

/** A larger round of large items would take longer than an attempt, and be sent again. */
export const MAX_ROUND = 2 * MAX_KEYS

/** How many items are read. */
interface ReadLimits {
  /** Reading ends after the round in which the sizes add up to more than this. */
  readonly maxBytes: number
  readonly sizeOf: (item: Item) => number
}

const unlimited: ReadLimits = { maxBytes: Number.POSITIVE_INFINITY, sizeOf: () => 0 }

/**
 * Reads items in the order of different ids, in rounds of batches: first one batch, then as many ids as still
 * fit if their items are as large. Returns the items, the sum of their sizes, and the ids that were not read.
 * Items of entities that may have changed are the latest only if `isConsistent` says so of their ids.
 */
export const readInRounds = async (
  app: string,
  ids: readonly string[],
  isConsistent: (id: string) => boolean,
  { maxBytes, sizeOf }: ReadLimits = unlimited,
): Promise<{ items: Map<string, Item>; bytes: number; unread: readonly string[] }> => {
  const items = new Map<string, Item>()
  let bytes = 0
  let count = 0
  let size = MAX_KEYS
  while (count < ids.length && bytes <= maxBytes) {
    const round = Object.groupBy(ids.slice(count, count + size), (id) =>
      isConsistent(id) ? 'latest' : 'any',
    )
    const groups = await Promise.all([readLenient(app, round.any ?? []), readItems(app, round.latest ?? [])])
    count += size
    for (const [id, item] of groups.flatMap((group) => [...group])) {
      items.set(id, item)
      bytes += sizeOf(item)
    }
    size = Math.max(1, Math.min(MAX_ROUND, Math.ceil(((maxBytes - bytes) / bytes) * count)))
  }
  return { items, bytes, unread: ids.slice(count) }
}
