import { setTimeout as pause } from 'node:timers/promises'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { resourcesByName } from '../../shared/catalogue.ts'
import type { Resource } from '../../shared/contract/resource.ts'
import { entityKey, unspread } from '../../shared/store/keys.ts'
import { readItems } from '../../shared/store/read.ts'
import { CACHE_MILLIS } from '../../shared/store/service.ts'
import { readApiKeys, readRecord } from '../applications/application-records.ts'
import type { ApplicationItem, Tombstone } from '../applications/items.ts'
import { ChangedMeanwhile, deleteUnlessChanged } from '../applications/record-writes.ts'
import { beginRemoval, endEmptying, endRemoval, recordRestorePoint } from '../applications/removal.ts'
import { retryWhileBusy } from '../applications/retry.ts'
import { CommandError } from '../cli/command.ts'
import { countDown, type WaitOptions } from '../cli/count-down.ts'
import { listPages } from './list-pages.ts'

export interface RemovalOptions extends WaitOptions {
  /** Keeps the application and its keys. */
  readonly keepApplication: boolean
}

/** In milliseconds. */
interface RemovalWaits {
  /** Until requests can no longer write: how long functions cache keys, plus the timeout of a request. */
  readonly untilNoWrite: number
  /** Before and after the time to restore to: how much clocks may differ. */
  readonly clockDifference: number
  /**
   * How long AWS accepts a signed request
   * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html). A delayed request of a create
   * would record a deleted entity again.
   */
  readonly signatureLifetime: number
}

const deployedWaits: RemovalWaits = {
  untilNoWrite: CACHE_MILLIS + FUNCTION_TIMEOUT_MILLIS,
  clockDifference: 5_000,
  signatureLifetime: 300_000,
}

/** Its requests are not signed, and it has one clock. */
const localWaits = (requestMillis: number): RemovalWaits => ({
  untilNoWrite: requestMillis,
  clockDifference: 0,
  signatureLifetime: 0,
})

/** How long the indexes may lag behind the table, after which their lists are read again. */
const INDEX_LAG_MILLIS = 1_000
const MAX_ROUNDS = 60

const childrenFirst = [...resourcesByName.values()].reverse()

/** By the plural of the resource. */
type DeletedCounts = Record<string, number>

/**
 * Adds the numbers to `deleted`. Returns the number of listed entities. After the first round, a list can
 * contain entities that were already deleted, which do not count.
 */
const deleteListed = async (
  record: ApplicationItem | Tombstone,
  deleted: DeletedCounts,
  isFirstRound: boolean,
  { show }: RemovalOptions,
): Promise<number> => {
  const app = record.pk
  const { shards } = 'removed' in record ? record : (record.data.spread ?? unspread)
  const existing = async (ids: readonly string[]): Promise<readonly string[]> =>
    isFirstRound ? ids : [...(await retryWhileBusy(() => readItems(app, ids))).keys()]
  const deletePage = async ({ plural }: Resource, ids: readonly string[]): Promise<void> => {
    const keys = (await existing(ids)).map((id) => entityKey(app, id))
    await deleteUnlessChanged(record, keys)
    deleted[plural] = (deleted[plural] ?? 0) + keys.length
    show(`${deleted[plural]} ${plural} deleted`)
  }
  let listedEntities = 0
  for (const resource of childrenFirst)
    for await (const ids of listPages({ app, resource }, { shards: async () => shards })) {
      listedEntities += ids.length
      await deletePage(resource, ids)
    }
  return listedEntities
}

/**
 * Indexes are eventually consistent, so the lists are read again until all of them are empty. Throws
 * CommandError if they do not become empty.
 */
const deleteEntities = async (
  record: ApplicationItem | Tombstone,
  options: RemovalOptions,
): Promise<DeletedCounts> => {
  const { wait = pause } = options
  const deleted = Object.fromEntries(childrenFirst.map(({ plural }) => [plural, 0]))
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const listedEntities = await deleteListed(record, deleted, round === 1, options)
    if (listedEntities === 0) return deleted
    await wait(INDEX_LAG_MILLIS)
  }
  throw new CommandError(`application ${record.pk} does not become empty: something still writes to it`)
}

const deleteContents = async (
  record: ApplicationItem | Tombstone,
  options: RemovalOptions,
): Promise<DeletedCounts> => {
  const deleted = await deleteEntities(record, options)
  if (options.keepApplication) return deleted
  const keys = await readApiKeys(record.pk)
  await deleteUnlessChanged(record, keys)
  return { ...deleted, keys: keys.length }
}

const addCounts = (first: DeletedCounts, second: DeletedCounts): DeletedCounts =>
  Object.fromEntries(Object.entries(first).map(([name, count]) => [name, count + second[name]!]))

const repeatRemoval = async (tombstone: Tombstone, options: RemovalOptions) => ({
  app_id: tombstone.pk,
  deleted: await deleteContents(tombstone, options),
  restore_to: tombstone.restore_to,
})

/** Throws ChangedMeanwhile. */
const removeExisting = async (app_id: string, options: RemovalOptions) => {
  const { requestMillis, keepApplication } = options
  const waits = requestMillis === undefined ? deployedWaits : localWaits(requestMillis)
  const wait = (millis: number, label: string) => countDown(millis, label, options)
  const withRefusedKeys = await beginRemoval(app_id)
  await wait(waits.untilNoWrite + waits.clockDifference, 'the keys stop working everywhere within')
  const application = await recordRestorePoint(withRefusedKeys)
  await wait(waits.clockDifference, 'the deletion begins in')
  const deletedFirst = await deleteContents(application, options)
  await wait(waits.signatureLifetime, 'delayed requests are refused in')
  const deleted = addCounts(deletedFirst, await deleteContents(application, options))
  const result = { app_id, deleted, restore_to: application.data.removing!.restore_to! }
  if (keepApplication) {
    const { disabled = null } = (await endEmptying(application)).data
    return { ...result, disabled }
  }
  await endRemoval(application)
  return result
}

/**
 * Refuses the keys, waits until requests can no longer write, and deletes. Then waits until delayed requests
 * can no longer arrive, and deletes what they have recorded.
 *
 * Returns the numbers of deleted entities, by plural, and of keys, and `restore_to`: a table that is restored
 * to this time (RFC 3339) contains everything. The removal can be run again after an interruption. Meanwhile,
 * no other command can change the application, except another removal, which takes over: this one then
 * deletes nothing more.
 *
 * Throws NotFound, or CommandError if another removal has taken over or something still writes to the
 * application.
 */
export const removeApplication = async (app_id: string, options: RemovalOptions) => {
  const record = await readRecord(app_id)
  if ('removed' in record && !options.keepApplication) return repeatRemoval(record, options)
  try {
    return await removeExisting(app_id, options)
  } catch (cause) {
    if (!(cause instanceof ChangedMeanwhile)) throw cause
    throw new CommandError(
      `another command, such as a second "apps remove", has changed application ${app_id} since this removal read it; this one has stopped and deletes nothing more`,
      { cause },
    )
  }
}
