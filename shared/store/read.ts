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

/** Reads of items by their keys. All find the latest writes, except the first attempt of `readFinalItems`. */

/** Returns the item with a key; undefined if there is none. */
export const getItem = async <Item>(Key: {
  readonly pk: string
  readonly sk: string
}): Promise<Item | undefined> => {
  const command = new GetCommand({ TableName: tableName(), Key, ConsistentRead: true })
  return (await send<GetCommandOutput>(command)).Item as Item | undefined
}

const MAX_KEYS = 100

/** Returns values in groups of `size`, for commands that take only so many at once. The last group may be smaller. */
export const chunks = <T>(values: readonly T[], size: number): T[][] => {
  const groups: T[][] = []
  for (let from = 0; from < values.length; from += size) groups.push(values.slice(from, from + size))
  return groups
}

const readChunk = async (keys: Record<string, unknown>[], isConsistent: boolean): Promise<Item[]> => {
  const table = tableName()
  const found: Item[] = []
  let wanted = keys
  // A throttled table returns 200 with unprocessed keys. They are requested again until the budget is spent.
  for (let retry = 1; ; retry += 1) {
    const { Responses, UnprocessedKeys } = await send<BatchGetCommandOutput>(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: wanted, ConsistentRead: isConsistent } } }),
    )
    found.push(...((Responses?.[table] ?? []) as Item[]))
    wanted = UnprocessedKeys?.[table]?.Keys ?? []
    if (wanted.length === 0) return found
    if (!(await pauseToRetry(retry))) throw unavailableError(new Error('DynamoDB left keys unprocessed'))
  }
}

const readAll = async (
  app: string,
  ids: ReadonlySet<string>,
  isConsistent: boolean,
): Promise<Map<string, Item>> => {
  const keys = [...ids].map((id) => entityKey(app, id))
  const read = await Promise.all(chunks(keys, MAX_KEYS).map((chunk) => readChunk(chunk, isConsistent)))
  return new Map(read.flat().map((item) => [serverIdOf(item), item]))
}

/** Returns the existing items of entities by their server ids. Each is read once. */
export const readItems = (app: string, ids: readonly string[]): Promise<Map<string, Item>> =>
  readAll(app, new Set(ids), true)

/**
 * Returns the items of entities that never change, as `readItems` does, for half the read units. Any replica that has such an
 * item has the only version of it. The items that it lacks are read again, from the replica with the latest writes.
 */
export const readFinalItems = async (app: string, ids: readonly string[]): Promise<Map<string, Item>> => {
  const wanted = new Set(ids)
  const found = await readAll(app, wanted, false)
  const missing = wanted.difference(new Set(found.keys()))
  for (const [id, item] of await readAll(app, missing, true)) found.set(id, item)
  return found
}
