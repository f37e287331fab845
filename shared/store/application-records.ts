import { randomBytes } from 'node:crypto'
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import {
  GetCommand,
  type GetCommandOutput,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { now, recordingInstant } from '../clock.ts'
import { config } from '../config.ts'
import { randomText } from '../ids.ts'
import { hashOf, newApiKey } from './credentials.ts'
import { API_KEYS, API_KEYS_PREFIX, APPLICATIONS, apiKeyKey, applicationKey, orderAt } from './keys.ts'
import { send } from './send.ts'

/** The records of applications and their API keys. Only the operator's commands write them, off any request's path. */

/** Thrown if an application or key does not exist. */
export class NotFound extends Error {}

/** What an application is known by. */
export interface Identity {
  readonly app_id: string
  readonly api_key: string
  readonly cursor_secret: string
}

/** A new application's identity, at random. */
export const newIdentity = (): Identity => ({
  app_id: `app_${randomText(16)}`,
  api_key: newApiKey(),
  cursor_secret: randomBytes(32).toString('base64'),
})

export interface ApplicationItem {
  readonly pk: string
  readonly list: string
  readonly order: string
  readonly cursor_secret: string
  /** Random, and another one each time that the application is enabled or disabled. */
  readonly revision: string
  /** Projected into the list index. */
  readonly data: { readonly name: string; readonly created: string; readonly disabled?: string }
}

export interface ApiKeyItem {
  readonly pk: string
  readonly sk: string
  readonly list: string
  /** The key's hash: by list and order, a key is found without its application. */
  readonly order: string
  readonly created: string
  readonly ends_with: string
  readonly cursor_secret: string
  readonly expires?: string
  readonly revoked?: string
  /** The application's own flag, repeated here since a request reads this record alone. */
  readonly disabled?: string
}

/** See `ApplicationItem.revision`. */
export const newRevision = (): string => randomText(16)

/** RFC 3339, of now or `after` milliseconds later. */
export const timestamp = (after = 0): string => new Date(now() + after).toISOString()

export const newApplicationItem = ({ app_id, cursor_secret }: Identity, name: string): ApplicationItem => ({
  ...applicationKey(app_id),
  list: APPLICATIONS,
  order: orderAt(recordingInstant(), app_id),
  data: { name, created: timestamp() },
  cursor_secret,
  revision: newRevision(),
})

/** The record of a key of an application, which is good for `lifetime` milliseconds or, without one, for ever. */
export const newApiKeyItem = (
  { pk, cursor_secret }: ApplicationItem,
  apiKey: string,
  lifetime: number | undefined,
): ApiKeyItem => {
  const hash = hashOf(apiKey)
  return {
    ...apiKeyKey(pk, hash),
    list: API_KEYS,
    order: hash,
    created: timestamp(),
    ends_with: apiKey.slice(-4),
    cursor_secret,
    ...(lifetime === undefined ? {} : { expires: timestamp(lifetime) }),
  }
}

/** Returns all items of a query, across pages. */
export const queryAll = async <Found>(query: Omit<QueryCommandInput, 'TableName'>): Promise<Found[]> => {
  const items: Found[] = []
  let from: QueryCommandInput['ExclusiveStartKey']
  do {
    const answer = await send<QueryCommandOutput>(
      new QueryCommand({ ...query, TableName: config().table, ExclusiveStartKey: from }),
    )
    items.push(...((answer.Items ?? []) as Found[]))
    from = answer.LastEvaluatedKey
  } while (from)
  return items
}

/** An application's record. Throws NotFound. */
export const readApplication = async (appId: string): Promise<ApplicationItem> => {
  const key = { TableName: config().table, Key: applicationKey(appId), ConsistentRead: true }
  const { Item } = await send<GetCommandOutput>(new GetCommand(key))
  if (!Item) throw new NotFound(`no application has the id "${appId}"; "apps list" shows them`)
  return Item as ApplicationItem
}

/** The records of all keys of an application. */
export const readApiKeys = (appId: string): Promise<ApiKeyItem[]> =>
  queryAll({
    KeyConditionExpression: 'pk = :app AND begins_with(sk, :keys)',
    ExpressionAttributeValues: { ':app': appId, ':keys': API_KEYS_PREFIX },
    ConsistentRead: true,
  })

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** The condition that an application was not enabled or disabled since it was read. */
export const unlessSwitched = ({ revision }: ApplicationItem) => ({
  ConditionExpression: 'revision = :read',
  ExpressionAttributeValues: { ':read': revision },
})

/** Writes a record if it does not exist. */
export const putNew = (Item: object): Write => ({
  Put: { TableName: config().table, Item, ConditionExpression: 'attribute_not_exists(pk)' },
})

/** What a command fails with when another one enabled or disabled the application meanwhile. */
export const switched = (cause?: unknown): Error =>
  new Error('another command enabled or disabled the application meanwhile; run this one again', { cause })

/**
 * Makes all the writes or none. Where the first of them puts a new record with a random key and finds it there, an
 * earlier attempt has made them, whose answer was lost; a late attempt undoes nothing. Throws where another command
 * was in between.
 */
export const writeTogether = async (writes: readonly Write[]): Promise<void> => {
  try {
    await send(new TransactWriteCommand({ TransactItems: [...writes] }))
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error
    const [first] = error.CancellationReasons ?? []
    if (writes[0]?.Put && first?.Code === 'ConditionalCheckFailed') return
    throw switched(error)
  }
}

/** DynamoDB's limit of a transaction is 100 writes. */
const KEYS_AT_ONCE = 99

/** Makes every key of an application as enabled or disabled as the application itself is. */
export const passOnToKeys = async (application: ApplicationItem): Promise<void> => {
  const { table: TableName } = config()
  const { disabled } = application.data
  const keys = (await readApiKeys(application.pk)).filter((key) => key.disabled !== disabled)
  const updates = keys.map(({ pk, sk }) => ({
    Update: {
      TableName,
      Key: { pk, sk },
      ...(disabled
        ? { UpdateExpression: 'SET disabled = :at', ExpressionAttributeValues: { ':at': disabled } }
        : { UpdateExpression: 'REMOVE disabled' }),
    },
  }))
  const unswitched = {
    ConditionCheck: { TableName, Key: applicationKey(application.pk), ...unlessSwitched(application) },
  }
  for (let at = 0; at < updates.length; at += KEYS_AT_ONCE)
    await writeTogether([unswitched, ...updates.slice(at, at + KEYS_AT_ONCE)])
}
