import { isDeepStrictEqual } from 'node:util'
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import {
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb'
import type { ApiKeyItem } from '../../shared/store/authorisation.ts'
import { isApplicationId } from '../../shared/store/credentials.ts'
import { API_KEYS_PREFIX, applicationKey } from '../../shared/store/keys.ts'
import { chunks, getItem } from '../../shared/store/read.ts'
import { send } from '../../shared/store/send.ts'
import { tableName } from '../../shared/store/service.ts'
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
      new QueryCommand({ ...query, TableName: tableName(), ExclusiveStartKey: from }),
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

const IS_NEW = 'attribute_not_exists(pk)'

/** Returns the write of a record that must not exist yet, for a transaction. */
export const putNew = (Item: object): Write => ({
  Put: { TableName: tableName(), Item, ConditionExpression: IS_NEW },
})

/** Thrown if another command has changed the application since this one read it. */
export class ChangedMeanwhile extends Error {
  constructor(cause?: unknown) {
    super('another command changed the application meanwhile; run this one again', { cause })
  }
}

/**
 * Makes all of the writes or none. If the first one puts a new record with a random key, which already exists, an earlier
 * attempt has made the writes and its response was lost. Throws ChangedMeanwhile.
 */
export const writeTogether = async (writes: readonly Write[]): Promise<void> => {
  try {
    await send(new TransactWriteCommand({ TransactItems: [...writes] }))
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error
    const [first] = error.CancellationReasons ?? []
    if (writes[0]?.Put?.ConditionExpression === IS_NEW && first?.Code === 'ConditionalCheckFailed') return
    throw new ChangedMeanwhile(error)
  }
}

/** Returns the check that an application has not been changed since it was read, for a transaction. */
const checkUnchanged = (record: ApplicationItem | Tombstone): Write => ({
  ConditionCheck: { TableName: tableName(), Key: applicationKey(record.pk), ...unlessChanged(record) },
})

/** Returns the replacement of an application's record, if it has not been changed since it was read, for a transaction. */
export const putAfter = (before: ApplicationItem, Item: ApplicationItem | Tombstone): Write => ({
  Put: { TableName: tableName(), Item, ...unlessChanged(before) },
})

/** A transaction may have 4 MB, and an item 400 KB. */
const DELETIONS_PER_TRANSACTION = 9

/**
 * Deletes items in transactions that each fail if another command has changed the application since its record was read. So
 * neither a suspended command nor a late attempt deletes after a later command. Throws ChangedMeanwhile.
 */
export const deleteUnlessChanged = async (
  record: ApplicationItem | Tombstone,
  items: readonly Readonly<Record<'pk' | 'sk', string>>[],
): Promise<void> => {
  const deletions = items.map(({ pk, sk }) => ({ Delete: { TableName: tableName(), Key: { pk, sk } } }))
  // Sequentially, since concurrent transactions that check the same record would conflict.
  for (const batch of chunks(deletions, DELETIONS_PER_TRANSACTION))
    await retryWhileBusy(() => writeTogether([checkUnchanged(record), ...batch]))
}

/** Replaces the record of an application, together with other writes. Throws ChangedMeanwhile. */
export const replace = async (
  before: ApplicationItem,
  Item: ApplicationItem | Tombstone,
  others: readonly Write[] = [],
): Promise<void> => {
  try {
    await retryWhileBusy(() => writeTogether([putAfter(before, Item), ...others]))
  } catch (error) {
    // An earlier attempt may have succeeded although its response was lost.
    const isMade = error instanceof ChangedMeanwhile && isDeepStrictEqual(await readRecord(before.pk), Item)
    if (!isMade) throw error
  }
}

/** A transaction may have 100 writes, one of which writes the application. A key has less than 1 KB. */
const KEYS_PER_TRANSACTION = 99

/** Returns the writes that give all keys the attributes that are copied from their application. A revoked one needs none. */
const keyUpdates = async (application: ApplicationItem): Promise<Write[]> => {
  const { application_name, disabled, spread } = copiedAttributes(application)
  const isStale = (key: ApiKeyItem) =>
    !key.revoked &&
    (key.application_name !== application_name ||
      (key.disabled ?? null) !== disabled ||
      !isDeepStrictEqual(key.spread ?? null, spread))
  return (await readApiKeys(application.pk)).filter(isStale).map(({ pk, sk }) => ({
    Update: {
      TableName: tableName(),
      Key: { pk, sk },
      UpdateExpression: 'SET application_name = :name, disabled = :disabled, spread = :spread',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':name': application_name, ':disabled': disabled, ':spread': spread },
    },
  }))
}

/**
 * Changes the record of an application together with the attributes that are copied to its keys, and returns it. Throws
 * ChangedMeanwhile, and Error with the number of keys that are left if there are too many for one transaction.
 */
export const changeApplication = async (
  before: ApplicationItem,
  data: ApplicationItem['data'],
): Promise<ApplicationItem> => {
  const application = { ...before, revision: newRevision(), data }
  const updates = await keyUpdates(application)
  await replace(before, application, updates.slice(0, KEYS_PER_TRANSACTION))
  const left = updates.length - KEYS_PER_TRANSACTION
  if (left <= 0) return application
  throw new Error(`keys of application ${before.pk} that are not yet changed: ${left}; run the command again`)
}
