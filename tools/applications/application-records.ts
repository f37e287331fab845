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
import { API_KEYS_PREFIX, applicationKey } from '../../shared/store/keys.ts'
import { getItem } from '../../shared/store/read.ts'
import { send } from '../../shared/store/send.ts'
import { type ApplicationItem, copiedAttributes, knownRecord, newRevision, type Tombstone } from './items.ts'
import { retryWhileBusy } from './retry.ts'

/** Reads and writes the records of applications and API keys. Only the operator's commands write them. */

/** Thrown if an application or key does not exist. */
export class NotFound extends Error {}

/** Returns all items of a query, from all pages. */
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
  // A text that is not an id may be a key, and is not sent to the table, whose logs would keep it.
  const item = isApplicationId(appId)
    ? await getItem<ApplicationItem | Tombstone>(applicationKey(appId))
    : undefined
  if (!item) throw new NotFound(`no application has the id "${appId}"; "apps list" shows them`)
  return knownRecord('removed' in item ? 'tombstone' : 'application', appId, item)
}

/** Returns the record of an application. Throws NotFound, also for a removed one. */
export const readApplication = async (appId: string): Promise<ApplicationItem> => {
  const record = await readRecord(appId)
  if ('removed' in record) throw new NotFound(`application ${appId} was removed at ${record.removed}`)
  return record
}

/** Returns the record of an application in order to change it. Throws NotFound, or Error while it is being removed. */
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
  return items.map((item) => knownRecord('key', appId, item))
}

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** Returns the condition that an application has not been changed since it was read. A tombstone never changes. */
const unlessChanged = (record: ApplicationItem | Tombstone) =>
  'removed' in record
    ? { ConditionExpression: 'removed = :read', ExpressionAttributeValues: { ':read': record.removed } }
    : { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': record.revision } }

/** Returns the deletion of an item, for a transaction. */
export const deletion = ({ pk, sk }: Readonly<Record<'pk' | 'sk', string>>): Write => ({
  Delete: { TableName: config().table, Key: { pk, sk } },
})

/** Returns the write of a record that must not exist yet, for a transaction. */
export const putNew = (Item: object): Write => ({
  Put: { TableName: config().table, Item, ConditionExpression: 'attribute_not_exists(pk)' },
})

/** Thrown if another command has changed the application since this one read it. */
export class ChangedMeanwhile extends Error {
  constructor(cause: unknown) {
    super('another command changed the application meanwhile; run this one again', { cause })
  }
}

/**
 * Makes all of the writes or none. If the first one puts a record with a random key, which already exists, an earlier attempt
 * has made the writes and its response was lost. Throws ChangedMeanwhile.
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

/** Returns the check that an application has not been changed since it was read, for a transaction. */
export const checkUnchanged = (record: ApplicationItem | Tombstone): Write => ({
  ConditionCheck: { TableName: config().table, Key: applicationKey(record.pk), ...unlessChanged(record) },
})

/** A transaction may have 4 MB, and an item 400 KB. */
const WRITES_PER_TRANSACTION = 9

/**
 * Makes writes in transactions that each fail if another command has changed the application since its record was read. So
 * neither a suspended command nor a late attempt writes after a later command. Throws ChangedMeanwhile.
 */
export const writeUnlessChanged = async (
  record: ApplicationItem | Tombstone,
  writes: readonly Write[],
): Promise<void> => {
  // Sequentially, since concurrent transactions that check the same record would conflict.
  for (let at = 0; at < writes.length; at += WRITES_PER_TRANSACTION) {
    const some = writes.slice(at, at + WRITES_PER_TRANSACTION)
    await retryWhileBusy(() => writeTogether([checkUnchanged(record), ...some]))
  }
}

/** Updates the attributes of an application that are copied to its keys. */
const updateKeys = async (application: ApplicationItem): Promise<void> => {
  const { disabled, spread } = copiedAttributes(application)
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
  await writeUnlessChanged(application, updates)
}

/**
 * Changes the record of an application, and the attributes that are copied to its keys. Returns the record. Throws
 * ChangedMeanwhile.
 */
export const changeApplication = async (
  before: ApplicationItem,
  data: ApplicationItem['data'],
): Promise<ApplicationItem> => {
  const application = { ...before, revision: newRevision(), data }
  // Throws for a key with unknown attributes before anything is changed.
  await readApiKeys(before.pk)
  // The application is changed first, so that a key that is added concurrently is either read below or refused.
  await replace(before, application)
  await updateKeys(application)
  return application
}

/** Replaces the record of an application. Throws ChangedMeanwhile. */
export const replace = async (before: ApplicationItem, Item: ApplicationItem | Tombstone): Promise<void> => {
  try {
    await send(new PutCommand({ TableName: config().table, Item, ...unlessChanged(before) }))
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    // An earlier attempt may have succeeded although its response was lost.
    if (!isDeepStrictEqual(await readRecord(before.pk), Item)) throw new ChangedMeanwhile(error)
  }
}
