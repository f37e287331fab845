import { isDeepStrictEqual } from 'node:util'
import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import {
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { config } from '../../shared/config.ts'
import type { ApiKeyItem } from '../../shared/store/authorisation.ts'
import { isApplicationId } from '../../shared/store/credentials.ts'
import { getItem } from '../../shared/store/get-item.ts'
import { API_KEYS_PREFIX, applicationKey } from '../../shared/store/keys.ts'
import { send } from '../../shared/store/send.ts'
import { type ApplicationItem, copiedTo, newRevision, type Tombstone, understood } from './items.ts'

/** Reads and writes the records of applications and their API keys. Only the operator's commands write them. */

/** Thrown if an application or key does not exist. */
export class NotFound extends Error {}

/** Returns all items of a query, across pages. */
export const queryAll = async <Found>(query: Omit<QueryCommandInput, 'TableName'>): Promise<Found[]> => {
  const items: Found[] = []
  let from: QueryCommandInput['ExclusiveStartKey']
  do {
    const response = await send<QueryCommandOutput>(
      new QueryCommand({ ...query, TableName: config().table, ExclusiveStartKey: from }),
    )
    items.push(...((response.Items ?? []) as Found[]))
    from = response.LastEvaluatedKey
  } while (from)
  return items
}

/** Returns the record of an application, or the tombstone of a removed one. Throws NotFound. */
export const readRecord = async (appId: string): Promise<ApplicationItem | Tombstone> => {
  // What is no id is not sent to the table, whose logs would keep it: it may be a key.
  const item = isApplicationId(appId)
    ? await getItem<ApplicationItem | Tombstone>(applicationKey(appId))
    : undefined
  if (!item) throw new NotFound(`no application has the id "${appId}"; "apps list" shows them`)
  return understood('removed' in item ? 'tombstone' : 'application', appId, item)
}

/** Returns an application's record. Throws NotFound, even if it was removed. */
export const readApplication = async (appId: string): Promise<ApplicationItem> => {
  const record = await readRecord(appId)
  if ('removed' in record) throw new NotFound(`application ${appId} was removed at ${record.removed}`)
  return record
}

/** Returns the record of an application that may be changed. Throws NotFound, or Error while it is being removed. */
export const readChangeable = async (appId: string): Promise<ApplicationItem> => {
  const application = await readApplication(appId)
  if (!application.data.removing) return application
  throw new Error(
    `application ${appId} is being removed, and its keys are refused; if the removal was interrupted, run "apps remove" again`,
  )
}

/** Returns the records of all keys of an application. */
export const readApiKeys = async (appId: string): Promise<ApiKeyItem[]> => {
  const items = await queryAll<ApiKeyItem>({
    KeyConditionExpression: 'pk = :app AND begins_with(sk, :keys)',
    ExpressionAttributeValues: { ':app': appId, ':keys': API_KEYS_PREFIX },
    ConsistentRead: true,
  })
  return items.map((item) => understood('key', appId, item))
}

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** Returns the condition that no other command has changed an application since it was read. A tombstone never changes. */
const unlessChanged = (record: ApplicationItem | Tombstone) =>
  'removed' in record
    ? { ConditionExpression: 'removed = :read', ExpressionAttributeValues: { ':read': record.removed } }
    : { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': record.revision } }

/** A deletion of an item, for a transaction. */
export const deletion = ({ pk, sk }: Readonly<Record<'pk' | 'sk', string>>): Write => ({
  Delete: { TableName: config().table, Key: { pk, sk } },
})

/** A write of a record that must not exist yet. */
export const putNew = (Item: object): Write => ({
  Put: { TableName: config().table, Item, ConditionExpression: 'attribute_not_exists(pk)' },
})

/** Thrown if another command has changed the application since this one has read it. */
export class ChangedMeanwhile extends Error {
  constructor(cause: unknown) {
    super('another command changed the application meanwhile; run this one again', { cause })
  }
}

/**
 * Makes all the writes or none. If the first one puts a new record with a random key and the record exists, an earlier
 * attempt has made the writes, and its response was lost. Throws ChangedMeanwhile if another command has changed the application.
 */
export const writeTogether = async (writes: readonly Write[]): Promise<void> => {
  try {
    await send(new TransactWriteCommand({ TransactItems: [...writes] }))
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error
    const [first] = error.CancellationReasons ?? []
    if (writes[0]?.Put && first?.Code === 'ConditionalCheckFailed') return
    throw new ChangedMeanwhile(error)
  }
}

/** A check that no other command has changed an application since it was read, for a transaction. */
export const stillUnchanged = (record: ApplicationItem | Tombstone): Write => ({
  ConditionCheck: { TableName: config().table, Key: applicationKey(record.pk), ...unlessChanged(record) },
})

/** A transaction has at most 100 parts. */
const KEYS_AT_ONCE = 99

/** Copies the state and the spread of an application to each of its keys. */
const passOnToKeys = async (application: ApplicationItem): Promise<void> => {
  const { disabled, spread } = copiedTo(application)
  const isStale = (key: ApiKeyItem) =>
    (key.disabled ?? null) !== disabled || !isDeepStrictEqual(key.spread ?? null, spread)
  const keys = (await readApiKeys(application.pk)).filter(isStale)
  const updates = keys.map(({ pk, sk }) => ({
    Update: {
      TableName: config().table,
      Key: { pk, sk },
      UpdateExpression: 'SET disabled = :disabled, spread = :spread',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':disabled': disabled, ':spread': spread },
    },
  }))
  for (let at = 0; at < updates.length; at += KEYS_AT_ONCE)
    await writeTogether([stillUnchanged(application), ...updates.slice(at, at + KEYS_AT_ONCE)])
}

/**
 * Changes an application's record and the copies in its keys. Returns the record. Throws ChangedMeanwhile if another command has
 * changed the application since it was read.
 */
export const changeApplication = async (
  before: ApplicationItem,
  data: ApplicationItem['data'],
): Promise<ApplicationItem> => {
  const application = { ...before, revision: newRevision(), data }
  // Fails for a key in an unknown format before anything is changed.
  await readApiKeys(before.pk)
  // The application first: then a key that is added meanwhile is either read here or refused.
  await replace(before, application)
  await passOnToKeys(application)
  return application
}

/** Replaces an application's record unless another command has changed it since it was read. */
export const replace = async (before: ApplicationItem, Item: ApplicationItem | Tombstone): Promise<void> => {
  try {
    await send(new PutCommand({ TableName: config().table, Item, ...unlessChanged(before) }))
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    // An earlier attempt may have succeeded and its response been lost.
    if (!isDeepStrictEqual(await readRecord(before.pk), Item)) throw new ChangedMeanwhile(error)
  }
}
