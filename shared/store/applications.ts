import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { config } from '../config.ts'
import { type NewApiKey, shownOnce } from './api-keys.ts'
import {
  type ApplicationItem,
  type Identity,
  newApiKeyItem,
  newApplicationItem,
  newIdentity,
  newRevision,
  passOnToKeys,
  putNew,
  queryAll,
  readApplication,
  switched,
  timestamp,
  unlessSwitched,
  writeTogether,
} from './application-records.ts'
import { APPLICATIONS, applicationKey } from './keys.ts'
import { send } from './send.ts'
import { LIST_INDEX } from './table.ts'

/** An application as the operator sees it; times are RFC 3339. */
export interface ApplicationRecord {
  readonly app_id: string
  readonly name: string
  readonly created: string
  /** Since when all its keys are refused, or null. */
  readonly disabled: string | null
}

const recordOf = ({ pk, data }: Pick<ApplicationItem, 'pk' | 'data'>): ApplicationRecord => ({
  app_id: pk,
  name: data.name,
  created: data.created,
  disabled: data.disabled ?? null,
})

/**
 * Creates an application with its first key, which expires after `lifetime` milliseconds, if given. The identity is
 * new, except in the test double, whose identity is known to everyone.
 */
export const createApplication = async (
  name: string,
  { lifetime, identity = newIdentity() }: { lifetime?: number | undefined; identity?: Identity } = {},
): Promise<NewApiKey> => {
  const application = newApplicationItem(identity, name)
  const key = newApiKeyItem(application, identity.api_key, lifetime)
  await writeTogether([putNew(key), putNew(application)])
  return shownOnce(key, identity.api_key)
}

/** All applications, oldest first. */
export const listApplications = async (): Promise<ApplicationRecord[]> => {
  const items = await queryAll<ApplicationItem>({
    IndexName: LIST_INDEX,
    KeyConditionExpression: '#list = :list',
    ExpressionAttributeNames: { '#list': 'list' },
    ExpressionAttributeValues: { ':list': APPLICATIONS },
  })
  return items.map(recordOf)
}

const write = async (before: ApplicationItem, { revision, data }: ApplicationItem): Promise<void> => {
  const { ConditionExpression, ExpressionAttributeValues } = unlessSwitched(before)
  const update = new UpdateCommand({
    TableName: config().table,
    Key: applicationKey(before.pk),
    UpdateExpression: 'SET revision = :revision, #data = :data',
    ExpressionAttributeNames: { '#data': 'data' },
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':revision': revision, ':data': data },
    ConditionExpression,
  })
  try {
    await send(update)
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    // An earlier attempt of ours may have been done, whose answer was lost.
    if ((await readApplication(before.pk)).revision !== revision) throw switched(error)
  }
}

// The application first: a key that is made meanwhile is found among its keys, or finds the flag (see addApiKey).
const change = async (
  appId: string,
  changed: (data: ApplicationItem['data']) => ApplicationItem['data'],
): Promise<ApplicationRecord> => {
  const before = await readApplication(appId)
  const application = { ...before, revision: newRevision(), data: changed(before.data) }
  await write(before, application)
  await passOnToKeys(application)
  return recordOf(application)
}

/**
 * Disables an application: none of its keys, old or new, works from 60 seconds after the answer on. Idempotent; to be
 * run again when it fails. Throws NotFound.
 */
export const disableApplication = (appId: string): Promise<ApplicationRecord> =>
  change(appId, (data) => ({ disabled: timestamp(), ...data }))

/** Enables an application: its keys work again, but for revoked and expired ones. Idempotent. Throws NotFound. */
export const enableApplication = (appId: string): Promise<ApplicationRecord> =>
  change(appId, ({ disabled: _, ...data }) => data)
