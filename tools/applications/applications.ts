import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { config } from '../../shared/config.ts'
import { type Spread, unspread, writtenShards } from '../../shared/spread.ts'
import { CACHE_MILLIS } from '../../shared/store/authorisation.ts'
import { APPLICATIONS, applicationKey } from '../../shared/store/keys.ts'
import { send } from '../../shared/store/send.ts'
import { LIST_INDEX } from '../../shared/store/table.ts'
import { type NewApiKey, shownOnce } from './api-keys.ts'
import {
  type ApplicationItem,
  changedMeanwhile,
  type Identity,
  newApiKeyItem,
  newApplicationItem,
  newIdentity,
  newRevision,
  passOnToKeys,
  putNew,
  queryAll,
  readApplication,
  timestamp,
  unlessChanged,
  writeTogether,
} from './application-records.ts'

/** An application as the operator sees it; times are RFC 3339. */
export interface ApplicationRecord {
  readonly app_id: string
  readonly name: string
  readonly created: string
  /** Since when all its keys are refused, or null. */
  readonly disabled: string | null
  /** The number of shards of each list. */
  readonly shards: number
  /** When creates start to use all of them; null if there is one, or if scaling was interrupted. */
  readonly shards_from: string | null
}

const recordOf = ({ pk, data }: Pick<ApplicationItem, 'pk' | 'data'>): ApplicationRecord => ({
  app_id: pk,
  name: data.name,
  created: data.created,
  disabled: data.disabled ?? null,
  shards: data.spread?.shards ?? 1,
  shards_from: data.spread?.from ?? null,
})

/**
 * Creates an application with its first key, which expires after `lifetime` milliseconds, if given. The identity is
 * random, except in the test double.
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

/** Returns all applications, oldest first. */
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
  const { ConditionExpression, ExpressionAttributeValues } = unlessChanged(before)
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
    // An earlier attempt may have succeeded, and its answer was lost.
    if ((await readApplication(before.pk)).revision !== revision) throw changedMeanwhile(error)
  }
}

type Data = ApplicationItem['data']

// The application first: the keys then include any made meanwhile, or addApiKey reads the new record.
const change = async (before: ApplicationItem, data: Data): Promise<ApplicationItem> => {
  const application = { ...before, revision: newRevision(), data }
  await write(before, application)
  await passOnToKeys(application)
  return application
}

/**
 * Disables an application: 60 seconds after this returns, none of its keys works. Idempotent; run it again if it fails.
 * Throws NotFound.
 */
export const disableApplication = async (appId: string): Promise<ApplicationRecord> => {
  const before = await readApplication(appId)
  return recordOf(await change(before, { disabled: timestamp(), ...before.data }))
}

/** Enables an application: its keys work again, except revoked and expired ones. Idempotent. Throws NotFound. */
export const enableApplication = async (appId: string): Promise<ApplicationRecord> => {
  const before = await readApplication(appId)
  const { disabled: _, ...data } = before.data
  return recordOf(await change(before, data))
}

/** The greatest number of shards. A page takes a query of each. */
export const MAX_SHARDS = 64

/**
 * How long creates wait before they use new shards, in milliseconds: until all functions have read the keys again and
 * requests under way have ended, and as long as the functions' clocks may differ.
 */
export const GROWTH_MILLIS = CACHE_MILLIS + FUNCTION_TIMEOUT_MILLIS + 24_000

const grown = (appId: string, spread: Spread, shards: number): Spread => {
  if (shards < spread.shards)
    throw new Error(`application ${appId} has ${spread.shards} shards; it cannot have fewer`)
  return shards === spread.shards ? spread : { shards, before: writtenShards(spread) }
}

/**
 * Spreads an application's lists over `shards` partitions, never fewer than before. Lists read them at once; creates use
 * them once every process reads them, 90 seconds after this returns. Idempotent; run it again if it fails. Throws
 * NotFound.
 */
export const scaleApplication = async (appId: string, shards: number): Promise<ApplicationRecord> => {
  const before = await readApplication(appId)
  if (shards === 1 && !before.data.spread) return recordOf(before)
  const spread = grown(appId, before.data.spread ?? unspread, shards)
  // Only when every key tells its requests to read the new shards may any tell them to write there.
  const known = await change(before, { ...before.data, spread })
  if (spread.from !== undefined) return recordOf(known)
  const from = timestamp(GROWTH_MILLIS)
  return recordOf(await change(known, { ...known.data, spread: { ...spread, from } }))
}
