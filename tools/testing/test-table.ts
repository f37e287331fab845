import { isDeepStrictEqual } from 'node:util'
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  paginateScan,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { apiKeyOf } from '../../shared/store/credentials.ts'
import { chunks } from '../../shared/store/read.ts'
import { table } from '../../shared/store/table.ts'
import { addApiKey } from '../applications/api-keys.ts'
import { createApplication } from '../applications/applications.ts'
import type { Identity } from '../applications/items.ts'
import { createTableAt, localClient } from '../local/database.ts'
import type { Seed } from './options.ts'
import { createSeed } from './seed.ts'
import type { SettableClock } from './settable-clock.ts'

/** Constant, so that ids and cursors are the same in every run. */
const identity: Identity = {
  app_id: 'app_TestTestTestTest',
  api_key: apiKeyOf('Test'.repeat(8)),
  cursor_secret: Buffer.alloc(32).toString('base64'),
}

/** As a test service prints them. */
export const credentials = {
  app_id: identity.app_id,
  api_key: identity.api_key,
  read_only_api_key: apiKeyOf('Test'.repeat(8), { isReadOnly: true }),
}

type Item = Record<string, AttributeValue>

/** The limit of BatchWriteItem. */
const WRITES_PER_BATCH = 25

const { partitionKey, sortKey } = table
const keyOf = (item: Item): Item => ({ [partitionKey]: item[partitionKey]!, [sortKey]: item[sortKey]! })
const byKey = (items: readonly Item[]): Map<string, Item> =>
  new Map(items.map((item) => [JSON.stringify(keyOf(item)), item]))

const changesBetween = (present: readonly Item[], wanted: readonly Item[]): WriteRequest[] => {
  const presentByKey = byKey(present)
  const wantedByKey = byKey(wanted)
  const unwanted = [...presentByKey].filter(([key]) => !wantedByKey.has(key))
  // The engine returns the attributes of an item in any order.
  const different = [...wantedByKey].filter(([key, item]) => !isDeepStrictEqual(presentByKey.get(key), item))
  return [
    ...unwanted.map(([, item]) => ({ DeleteRequest: { Key: keyOf(item) } })),
    ...different.map(([, Item]) => ({ PutRequest: { Item } })),
  ]
}

/** A reset restores the state from it. */
interface SavedState {
  readonly state: string
  readonly items: readonly Item[]
  /** The instant of the last record. The instants of new records follow it. */
  readonly instant: number
}

export class TestTable {
  readonly #endpoint: string
  readonly #client: DynamoDBClient
  readonly #clock: SettableClock
  #number = 0
  #savedState: SavedState | undefined

  constructor(endpoint: string, clock: SettableClock) {
    this.#endpoint = endpoint
    this.#client = localClient(endpoint)
    this.#clock = clock
  }

  /**
   * Creates the entities through the API at `baseUrl`. If the previous reset had the same seed and time,
   * restores the stored items instead, which is some milliseconds faster per entity.
   */
  async reset(seed: Seed, time: number | undefined, baseUrl: string): Promise<void> {
    const state = JSON.stringify([seed, time])
    if (this.#savedState?.state === state) return this.#restore(this.#savedState)
    this.#clock.forgetInstants()
    await this.#createEmpty()
    const { app_id: appId, api_key: apiKey } = credentials
    await createApplication('Test', { identity })
    await addApiKey(appId, { apiKey: credentials.read_only_api_key })
    await createSeed(seed, { baseUrl, appId, apiKey })
    this.#savedState = { state, items: await this.#readItems(), instant: this.#clock.recordingInstant() }
  }

  close(): void {
    this.#client.destroy()
  }

  get name(): string {
    return `test-${this.#number}`
  }

  async #createEmpty(): Promise<void> {
    const previous = this.name
    this.#number += 1
    await createTableAt(this.#endpoint, this.name)
    if (this.#number > 1) await this.#client.send(new DeleteTableCommand({ TableName: previous }))
  }

  async #readItems(): Promise<Item[]> {
    const items: Item[] = []
    for await (const { Items = [] } of paginateScan({ client: this.#client }, { TableName: this.name }))
      items.push(...Items)
    return items
  }

  async #restore({ items, instant }: SavedState): Promise<void> {
    this.#clock.forgetInstants(instant)
    await this.#write(changesBetween(await this.#readItems(), items))
  }

  async #write(changes: readonly WriteRequest[]): Promise<void> {
    for (const batch of chunks(changes, WRITES_PER_BATCH)) {
      let RequestItems: Record<string, WriteRequest[]> = { [this.name]: batch }
      while (Object.keys(RequestItems).length > 0) {
        const { UnprocessedItems = {} } = await this.#client.send(new BatchWriteItemCommand({ RequestItems }))
        RequestItems = UnprocessedItems
      }
    }
  }
}
