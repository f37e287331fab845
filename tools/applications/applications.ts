import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { APPLICATIONS, applicationKey, unspread } from '../../shared/store/keys.ts'
import { getItem } from '../../shared/store/read.ts'
import { CACHE_MILLIS, currentService } from '../../shared/store/service.ts'
import { LIST_INDEX } from '../../shared/store/table.ts'
import { type NewApiKey, newKeyDescription } from './api-keys.ts'
import { queryAll, readChangeable } from './application-records.ts'
import {
  type ApplicationItem,
  type Identity,
  newApiKeyItem,
  newApplicationItem,
  newIdentity,
  timestampText,
} from './items.ts'
import { requireKnownRecord } from './record-attributes.ts'
import { ChangedMeanwhile, changeApplication, putNewRecord, writeTogether } from './record-writes.ts'

/** The list index contains only these. */
type ListedApplication = Pick<ApplicationItem, 'pk' | 'data'>

/** As commands print it. Times are RFC 3339. */
const applicationDescription = ({ pk, data }: ListedApplication) => {
  const { name, created, disabled = null, removing, spread = unspread } = data
  return {
    app_id: pk,
    name,
    created,
    disabled,
    removing: removing?.since ?? null,
    shards: spread.shards,
    // Fewer than `shards` while "scale" waits or if it was interrupted.
    shards_written: spread.before,
  }
}

/**
 * The first key expires after `lifetime` milliseconds if given. The identity is random, except in the test
 * double.
 */
export const createApplication = async (
  name: string,
  { lifetime, identity = newIdentity() }: { lifetime?: number | undefined; identity?: Identity } = {},
): Promise<NewApiKey> => {
  const { clock } = currentService()
  // The response corrects this machine's clock. With a wrong clock, the key would expire early or late.
  await getItem(applicationKey(identity.app_id))
  const application = newApplicationItem(identity, name, clock)
  const key = newApiKeyItem(application, identity.api_key, { now: clock.now(), lifetime })
  await writeTogether([putNewRecord(key), putNewRecord(application)])
  return newKeyDescription(key, identity.api_key)
}

/** Oldest first, without removed ones. */
export const listApplications = async () => {
  const items = await queryAll<ListedApplication>({
    IndexName: LIST_INDEX,
    KeyConditionExpression: '#list = :list',
    ExpressionAttributeNames: { '#list': 'list' },
    ExpressionAttributeValues: { ':list': APPLICATIONS },
  })
  return items.map(({ pk, data }) =>
    applicationDescription({ pk, data: requireKnownRecord('data', pk, data) }),
  )
}

/**
 * The keys stop working within 60 seconds. Idempotent, so that it can be run again if it fails. Throws the
 * errors of `readChangeable`, and ChangedMeanwhile.
 */
export const disableApplication = async (appId: string) => {
  const before = await readChangeable(appId)
  const disabled = timestampText(currentService().clock.now())
  return applicationDescription(await changeApplication(before, { disabled, ...before.data }))
}

/** The keys work again, except revoked and expired ones. Otherwise like `disableApplication`. */
export const enableApplication = async (appId: string) => {
  const before = await readChangeable(appId)
  const { disabled: _, ...data } = before.data
  return applicationDescription(await changeApplication(before, data))
}

/** A page of a list needs a query of each shard. */
export const MAX_SHARDS = 64

/** Until all functions have read the keys again and requests in progress have ended, with a margin. */
const GROWTH_MILLIS = CACHE_MILLIS + FUNCTION_TIMEOUT_MILLIS + 24_000

/**
 * Spreads an application's lists over `shards` partitions. First lets requests read the new shards. Then
 * waits, by a timer and not by the clock, until all requests read them. Then lets creates write to them.
 * Idempotent, so that it can be run again if it fails. `wait` waits for some milliseconds. Throws the errors
 * of `readChangeable`, ChangedMeanwhile, and Error for fewer shards than before.
 */
export const scaleApplication = async (
  appId: string,
  shards: number,
  wait: (millis: number) => Promise<unknown> = pause,
) => {
  const application = await readChangeable(appId)
  const { spread = unspread } = application.data
  if (shards < spread.shards)
    throw new Error(`application ${appId} has ${spread.shards} shards; it cannot have fewer`)
  const changeShards = (item: ApplicationItem, writtenShards: number) =>
    changeApplication(item, { ...item.data, spread: { shards, before: writtenShards } })
  const readable = await changeShards(application, spread.before)
  if (spread.before === shards) return applicationDescription(readable)
  await wait(GROWTH_MILLIS)
  // A key that was added meanwhile, which changes only the revision, reads the new shards too.
  const latest = await readChangeable(appId)
  if (!isDeepStrictEqual(latest.data, readable.data)) throw new ChangedMeanwhile()
  return applicationDescription(await changeShards(latest, shards))
}
