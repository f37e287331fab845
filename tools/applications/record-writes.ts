import { isDeepStrictEqual } from 'node:util'
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import type { ApiKeyItem } from '../../shared/store/credentials.ts'
import { applicationKey } from '../../shared/store/keys.ts'
import { chunks } from '../../shared/store/read.ts'
import { send } from '../../shared/store/send.ts'
import { tableName } from '../../shared/store/service.ts'
import { readApiKeys, readRecord } from './application-records.ts'
import { type ApplicationItem, copiedAttributes, newRevision, type Tombstone } from './items.ts'
import { retryWhileBusy } from './retry.ts'

/**
 * Writes all or none, unless the application has changed. Only the operator's commands write these records.
 */

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** A tombstone never changes. */
const unchangedCondition = (record: ApplicationItem | Tombstone) =>
  'removed' in record
    ? { ConditionExpression: 'removed = :read', ExpressionAttributeValues: { ':read': record.removed } }
    : { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': record.revision } }

const IS_NEW = 'attribute_not_exists(pk)'

export const putNewRecord = (record: object): Write => ({
  Put: { TableName: tableName(), Item: record, ConditionExpression: IS_NEW },
})

export class ChangedMeanwhile extends Error {
  constructor(cause?: unknown) {
    super('another command changed the application meanwhile; run this one again', { cause })
  }
}

/**
 * Makes all of the writes or none. Throws ChangedMeanwhile. A first write that puts a new record has a random
 * key. If that key exists, an earlier attempt has made the writes and its response was lost, so this attempt
 * succeeds.
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

const unchangedCheck = (record: ApplicationItem | Tombstone): Write => ({
  ConditionCheck: { TableName: tableName(), Key: applicationKey(record.pk), ...unchangedCondition(record) },
})

export const putUnlessChanged = (before: ApplicationItem, after: ApplicationItem | Tombstone): Write => ({
  Put: { TableName: tableName(), Item: after, ...unchangedCondition(before) },
})

/** A transaction is limited to 4 MB, and an item to 400 KB. */
const DELETIONS_PER_TRANSACTION = 9

/**
 * In transactions that each fail if another command has changed the application since its record was read. So
 * neither a suspended command nor a delayed request deletes anything after a later command. Throws
 * ChangedMeanwhile.
 */
export const deleteUnlessChanged = async (
  record: ApplicationItem | Tombstone,
  items: readonly Readonly<Record<'pk' | 'sk', string>>[],
): Promise<void> => {
  const deletions = items.map(({ pk, sk }) => ({ Delete: { TableName: tableName(), Key: { pk, sk } } }))
  // Sequentially, since concurrent transactions that check the same record would conflict.
  for (const batch of chunks(deletions, DELETIONS_PER_TRANSACTION))
    await retryWhileBusy(() => writeTogether([unchangedCheck(record), ...batch]))
}

/** Throws ChangedMeanwhile. */
export const replaceRecord = async (
  before: ApplicationItem,
  after: ApplicationItem | Tombstone,
  others: readonly Write[] = [],
): Promise<void> => {
  try {
    await retryWhileBusy(() => writeTogether([putUnlessChanged(before, after), ...others]))
  } catch (error) {
    // An earlier attempt may have succeeded although its response was lost.
    const isReplaced =
      error instanceof ChangedMeanwhile && isDeepStrictEqual(await readRecord(before.pk), after)
    if (!isReplaced) throw error
  }
}

/** A transaction is limited to 100 writes, one of which writes the application. A key has less than 1 KB. */
const KEYS_PER_TRANSACTION = 99

/** Skips keys that have the attributes, and revoked keys. */
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
 * Changes the record together with the attributes that are copied to its keys. Throws ChangedMeanwhile, and
 * Error with the number of remaining keys if there are too many for one transaction.
 */
export const changeApplication = async (
  before: ApplicationItem,
  data: ApplicationItem['data'],
): Promise<ApplicationItem> => {
  const application = { ...before, revision: newRevision(), data }
  const updates = await keyUpdates(application)
  await replaceRecord(before, application, updates.slice(0, KEYS_PER_TRANSACTION))
  const remaining = updates.length - KEYS_PER_TRANSACTION
  if (remaining <= 0) return application
  throw new Error(
    `keys of application ${before.pk} that are not yet changed: ${remaining}; run the command again`,
  )
}
