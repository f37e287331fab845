import {
  BatchGetCommand,
  type BatchGetCommandOutput,
  GetCommand,
  type GetCommandOutput,
} from '@aws-sdk/lib-dynamodb'
import type { Item } from './items.ts'
import { entityKey, idOf } from './keys.ts'
import { pauseToRetry, send, unavailable } from './send.ts'
import { tableName } from './service.ts'

/** Reads of items by their keys. All are strongly consistent. */

/** Returns the item with a key; undefined if there is none. */
export const getItem = async <Item>(Key: {
  readonly pk: string
  readonly sk: string
}): Promise<Item | undefined> => {
  const command = new GetCommand({ TableName: tableName(), Key, ConsistentRead: true })
  return (await send<GetCommandOutput>(command)).Item as Item | undefined
}

const MAX_KEYS = 100

const chunks = <T>(values: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  )

const readChunk = async (keys: Record<string, unknown>[]): Promise<Item[]> => {
  const table = tableName()
  const found: Item[] = []
  let wanted = keys
  // A throttled table returns 200 with unprocessed keys. They are requested again until the budget is spent.
  for (let number = 1; ; number += 1) {
    const { Responses, UnprocessedKeys } = await send<BatchGetCommandOutput>(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: wanted, ConsistentRead: true } } }),
    )
    found.push(...((Responses?.[table] ?? []) as Item[]))
    wanted = UnprocessedKeys?.[table]?.Keys ?? []
    if (wanted.length === 0) return found
    if (!(await pauseToRetry(number))) throw unavailable(new Error('DynamoDB left keys unprocessed'))
  }
}

/** Returns the items of entities by their server ids, without those that do not exist. Each is read once. */
export const readItems = async (app: string, ids: readonly string[]): Promise<Map<string, Item>> => {
  const keys = [...new Set(ids)].map((id) => entityKey(app, id))
  const read = await Promise.all(chunks(keys, MAX_KEYS).map(readChunk))
  return new Map(read.flat().map((item) => [idOf(item), item]))
}
