import { UpdateCommand, type UpdateCommandOutput } from '@aws-sdk/lib-dynamodb'
import { config } from '../config.ts'
import { type NewApiKey, shownOnce } from './api-keys.ts'
import {
  type ApplicationItem,
  type Identity,
  newApiKeyItem,
  newApplicationItem,
  newIdentity,
  passOnToKeys,
  putNew,
  queryAll,
  readApplication,
  timestamp,
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

// The application first: a key that is made meanwhile is found among its keys, or finds the flag (see addApiKey).
const setDisabled = async (
  appId: string,
  update: Partial<UpdateCommand['input']>,
): Promise<ApplicationRecord> => {
  await readApplication(appId)
  const { Attributes } = await send<UpdateCommandOutput>(
    new UpdateCommand({
      TableName: config().table,
      Key: applicationKey(appId),
      ExpressionAttributeNames: { '#data': 'data' },
      ConditionExpression: 'attribute_exists(pk)',
      ReturnValues: 'ALL_NEW',
      ...update,
    }),
  )
  const application = Attributes as ApplicationItem
  await passOnToKeys(application)
  return recordOf(application)
}

/**
 * Disables an application: none of its keys, old or new, works from 60 seconds after the answer on. Idempotent; to be
 * run again when it fails. Throws NotFound.
 */
export const disableApplication = (appId: string): Promise<ApplicationRecord> =>
  setDisabled(appId, {
    UpdateExpression: 'SET #data.disabled = if_not_exists(#data.disabled, :now)',
    ExpressionAttributeValues: { ':now': timestamp() },
  })

/** Enables an application: its keys work again, but for revoked and expired ones. Idempotent. Throws NotFound. */
export const enableApplication = (appId: string): Promise<ApplicationRecord> =>
  setDisabled(appId, { UpdateExpression: 'REMOVE #data.disabled' })
