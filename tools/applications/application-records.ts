import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import {
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { now, recordingInstant } from '../../shared/clock.ts'
import { config } from '../../shared/config.ts'
import { randomText } from '../../shared/ids.ts'
import type { Spread } from '../../shared/spread.ts'
import type { ApiKeyItem } from '../../shared/store/authorisation.ts'
import { hashOf, newApiKey } from '../../shared/store/credentials.ts'
import { getItem } from '../../shared/store/get-item.ts'
import {
  API_KEYS,
  API_KEYS_PREFIX,
  APPLICATIONS,
  apiKeyKey,
  applicationKey,
  orderAt,
} from '../../shared/store/keys.ts'
import { send } from '../../shared/store/send.ts'

/** The records of applications and their API keys. Only the operator's commands write them. */

/** Thrown if an application or key does not exist. */
export class NotFound extends Error {}

/** The identity of an application. */
export interface Identity {
  readonly app_id: string
  readonly api_key: string
  readonly cursor_secret: string
}

/** Returns a random identity for a new application. */
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
  /** Random. Every command that changes `data` changes it. */
  readonly revision: string
  /** Projected into the list index. */
  readonly data: {
    readonly name: string
    readonly created: string
    readonly disabled?: string
    readonly spread?: Spread
  }
}

/** See `ApplicationItem.revision`. */
export const newRevision = (): string => randomText(16)

/** Returns the current time, or the time `after` milliseconds later, as RFC 3339. */
export const timestamp = (after = 0): string => new Date(now() + after).toISOString()

export const newApplicationItem = ({ app_id, cursor_secret }: Identity, name: string): ApplicationItem => ({
  ...applicationKey(app_id),
  list: APPLICATIONS,
  order: orderAt(recordingInstant(), app_id),
  data: { name, created: timestamp() },
  cursor_secret,
  revision: newRevision(),
})

/** Returns the record of a new key, which expires after `lifetime` milliseconds, if given. */
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

/** Returns an application's record. Throws NotFound. */
export const readApplication = async (appId: string): Promise<ApplicationItem> => {
  const item = await getItem<ApplicationItem>(applicationKey(appId))
  if (!item) throw new NotFound(`no application has the id "${appId}"; "apps list" shows them`)
  return item
}

/** Returns the records of all keys of an application. */
export const readApiKeys = (appId: string): Promise<ApiKeyItem[]> =>
  queryAll({
    KeyConditionExpression: 'pk = :app AND begins_with(sk, :keys)',
    ExpressionAttributeValues: { ':app': appId, ':keys': API_KEYS_PREFIX },
    ConsistentRead: true,
  })

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** The condition that no other command has changed an application since it was read. */
export const unlessChanged = ({ revision }: ApplicationItem) => ({
  ConditionExpression: 'revision = :read',
  ExpressionAttributeValues: { ':read': revision },
})

/** A write of a record that must not exist yet. */
export const putNew = (Item: object): Write => ({
  Put: { TableName: config().table, Item, ConditionExpression: 'attribute_not_exists(pk)' },
})

/** Returns the error of a command during which another one changed the application. */
export const changedMeanwhile = (cause?: unknown): Error =>
  new Error('another command changed the application meanwhile; run this one again', { cause })

/**
 * Makes all the writes or none. If the first one puts a new record with a random key and the record exists, an earlier
 * attempt has made the writes, and its answer was lost. Throws if another command changed the application meanwhile.
 */
export const writeTogether = async (writes: readonly Write[]): Promise<void> => {
  try {
    await send(new TransactWriteCommand({ TransactItems: [...writes] }))
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error
    const [first] = error.CancellationReasons ?? []
    if (writes[0]?.Put && first?.Code === 'ConditionalCheckFailed') return
    throw changedMeanwhile(error)
  }
}

/** A transaction has at most 100 parts. */
const KEYS_AT_ONCE = 99

/** Copies to every key of an application whether it is disabled, and its spread. */
export const passOnToKeys = async (application: ApplicationItem): Promise<void> => {
  const { table: TableName } = config()
  const { disabled = null, spread = null } = application.data
  const isStale = (key: ApiKeyItem) =>
    (key.disabled ?? null) !== disabled || !isDeepStrictEqual(key.spread ?? null, spread)
  const keys = (await readApiKeys(application.pk)).filter(isStale)
  const updates = keys.map(({ pk, sk }) => ({
    Update: {
      TableName,
      Key: { pk, sk },
      UpdateExpression: 'SET disabled = :disabled, spread = :spread',
      ExpressionAttributeValues: { ':disabled': disabled, ':spread': spread },
    },
  }))
  const unchanged = {
    ConditionCheck: { TableName, Key: applicationKey(application.pk), ...unlessChanged(application) },
  }
  for (let at = 0; at < updates.length; at += KEYS_AT_ONCE)
    await writeTogether([unchanged, ...updates.slice(at, at + KEYS_AT_ONCE)])
}
