import { setTimeout as pause } from 'node:timers/promises'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { unspread } from '../../shared/spread.ts'
import { CACHE_MILLIS } from '../../shared/store/authorisation.ts'
import { getItem } from '../../shared/store/get-item.ts'
import { APPLICATIONS, applicationKey } from '../../shared/store/keys.ts'
import { LIST_INDEX } from '../../shared/store/table.ts'
import { type NewApiKey, shownOnce } from './api-keys.ts'
import { changeApplication, putNew, queryAll, readChangeable, writeTogether } from './application-records.ts'
import {
  type ApplicationItem,
  type Identity,
  newApiKeyItem,
  newApplicationItem,
  newIdentity,
  timestamp,
  understood,
} from './items.ts'

/** An application as the operator sees it; times are RFC 3339. */
export interface ApplicationRecord {
  readonly app_id: string
  readonly name: string
  readonly created: string
  /** The time from which all its keys are refused, or null. */
  readonly disabled: string | null
  /** The time at which its removal began, or null. */
  readonly removing: string | null
  /** The number of shards of each list. */
  readonly shards: number
  /** The number of shards that creates use: fewer than `shards` while "scale" waits, or after it was interrupted. */
  readonly shards_written: number
}

type Listed = Pick<ApplicationItem, 'pk' | 'data'>

const recordOf = ({ pk, data }: Listed): ApplicationRecord => {
  const { name, created, disabled = null, removing, spread = unspread } = data
  return {
    app_id: pk,
    name,
    created,
    disabled,
    removing: removing?.since ?? null,
    shards: spread.shards,
    shards_written: spread.before,
  }
}

/**
 * Creates an application with its first key, which expires after `lifetime` milliseconds, if given. The identity is
 * random, except in the test double.
 */
export const createApplication = async (
  name: string,
  { lifetime, identity = newIdentity() }: { lifetime?: number | undefined; identity?: Identity } = {},
): Promise<NewApiKey> => {
  // The response tells the time: a key would expire too early or too late by a wrong clock of this machine.
  await getItem(applicationKey(identity.app_id))
  const application = newApplicationItem(identity, name)
  const key = newApiKeyItem(application, identity.api_key, lifetime)
  await writeTogether([putNew(key), putNew(application)])
  return shownOnce(key, identity.api_key)
}

/** Returns all applications except removed ones, oldest first. */
export const listApplications = async (): Promise<ApplicationRecord[]> => {
  const items = await queryAll<Listed>({
    IndexName: LIST_INDEX,
    KeyConditionExpression: '#list = :list',
    ExpressionAttributeNames: { '#list': 'list' },
    ExpressionAttributeValues: { ':list': APPLICATIONS },
  })
  return items.map(({ pk, data }) => recordOf({ pk, data: understood('data', pk, data) }))
}

/**
 * Disables an application: 60 seconds after this returns, none of its keys works. Idempotent; run it again if it fails.
 * Throws the errors of `readChangeable`.
 */
export const disableApplication = async (appId: string): Promise<ApplicationRecord> => {
  const before = await readChangeable(appId)
  return recordOf(await changeApplication(before, { disabled: timestamp(), ...before.data }))
}

/** Enables an application: its keys work again, except revoked and expired ones. Idempotent. Throws the errors of `readChangeable`. */
export const enableApplication = async (appId: string): Promise<ApplicationRecord> => {
  const before = await readChangeable(appId)
  const { disabled: _, ...data } = before.data
  return recordOf(await changeApplication(before, data))
}

/** The maximum number of shards. A page needs a query of each. */
export const MAX_SHARDS = 64

/**
 * How long creates wait before they use new shards, in milliseconds: until all functions have read the keys again and
 * requests under way have ended, with a margin.
 */
const GROWTH_MILLIS = CACHE_MILLIS + FUNCTION_TIMEOUT_MILLIS + 24_000

/**
 * Spreads an application's lists over `shards` partitions, never fewer than before. First makes every key read them.
 * Then waits, by a timer and no clock, until every function does. Then makes every key write to them. Idempotent; run it
 * again if it fails. `wait` waits a number of milliseconds. Throws the errors of `readChangeable`, and Error for fewer
 * shards.
 */
export const scaleApplication = async (
  appId: string,
  shards: number,
  wait: (millis: number) => Promise<unknown> = pause,
): Promise<ApplicationRecord> => {
  const application = await readChangeable(appId)
  const { spread = unspread } = application.data
  if (shards < spread.shards)
    throw new Error(`application ${appId} has ${spread.shards} shards; it cannot have fewer`)
  const spreadTo = (before: ApplicationItem, written: number) =>
    changeApplication(before, { ...before.data, spread: { shards, before: written } })
  const reading = await spreadTo(application, spread.before)
  if (spread.before === shards) return recordOf(reading)
  await wait(GROWTH_MILLIS)
  return recordOf(await spreadTo(reading, shards))
}
