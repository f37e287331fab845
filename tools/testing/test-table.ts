import { isDeepStrictEqual } from 'node:util'
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DeleteTableCommand,
  paginateScan,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { apiKeyOf } from '../../shared/store/credentials.ts'
import { table } from '../../shared/store/table.ts'
import { addApiKey } from '../applications/api-keys.ts'
import { createApplication } from '../applications/applications.ts'
import type { Identity } from '../applications/items.ts'
import { localClient, prepareTable } from '../local/database.ts'

/** The application of every test service. It is constant, so that ids and cursors are the same in every run. */
const identity: Identity = {
  app_id: 'app_TestTestTestTest',
  api_key: apiKeyOf('Test'.repeat(8)),
  cursor_secret: Buffer.alloc(32).toString('base64'),
}

/** The id and the keys of the application, as a test service prints them. */
export const credentials = {
  app_id: identity.app_id,
  api_key: identity.api_key,
  read_only_api_key: apiKeyOf('Test'.repeat(8), { isReadOnly: true }),
}

type Item = Record<string, AttributeValue>

/** The maximum number of changes in one request to DynamoDB. */
const BATCH = 25

const { partitionKey, sortKey } = table
const keyOf = (item: Item): Item => ({ [partitionKey]: item[partitionKey]!, [sortKey]: item[sortKey]! })
const byKey = (items: readonly Item[]): Map<string, Item> =>
  new Map(items.map((item) => [JSON.stringify(keyOf(item)), item]))

/** Returns the changes from the items `present` to the items `wanted`. */
const changesBetween = (present: readonly Item[], wanted: readonly Item[]): WriteRequest[] => {
  const [presentByKey, wantedByKey] = [byKey(present), byKey(wanted)]
  const unwanted = [...presentByKey].filter(([key]) => !wantedByKey.has(key))
  // The engine returns the attributes of an item in any order.
  const different = [...wantedByKey].filter(([key, item]) => !isDeepStrictEqual(presentByKey.get(key), item))
  return [
    ...unwanted.map(([, item]) => ({ DeleteRequest: { Key: keyOf(item) } })),
    ...different.map(([, Item]) => ({ PutRequest: { Item } })),
  ]
}

/** The table of a test service on the engine at `endpoint`. */
export const testTable = (endpoint: string) => {
  const client = localClient(endpoint)
  let number = 0
  const name = () => `test-${number}`
  const replace = async (): Promise<void> => {
    number += 1
    await prepareTable(endpoint, name())
    if (number > 1) await client.send(new DeleteTableCommand({ TableName: `test-${number - 1}` }))
  }
  const write = async (changes: readonly WriteRequest[]): Promise<void> => {
    for (let from = 0; from < changes.length; from += BATCH) {
      let RequestItems: Record<string, WriteRequest[]> = { [name()]: changes.slice(from, from + BATCH) }
      while (Object.keys(RequestItems).length > 0)
        RequestItems = (await client.send(new BatchWriteItemCommand({ RequestItems }))).UnprocessedItems ?? {}
    }
  }
  /** Reads all items. */
  const items = async (): Promise<Item[]> => {
    const found: Item[] = []
    for await (const { Items = [] } of paginateScan({ client }, { TableName: name() })) found.push(...Items)
    return found
  }
  return {
    /** Replaces the table with one that contains only the application. */
    recreate: async (): Promise<void> => {
      await replace()
      await createApplication('Test', { identity })
      await addApiKey(identity.app_id, { apiKey: credentials.read_only_api_key })
    },
    items,
    /** Makes these the only items: in a new table if they are few, else by writing and deleting what differs. */
    restore: async (wanted: readonly Item[]): Promise<void> => {
      if (wanted.length <= BATCH) await replace()
      await write(changesBetween(wanted.length <= BATCH ? [] : await items(), wanted))
    },
    close: () => client.destroy(),
  }
}
