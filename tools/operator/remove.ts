import { setTimeout as pause } from 'node:timers/promises'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { resourcesByName } from '../../shared/catalogue.ts'
import { unspread } from '../../shared/spread.ts'
import { entityKey } from '../../shared/store/keys.ts'
import { readItems } from '../../shared/store/read.ts'
import { CACHE_MILLIS } from '../../shared/store/service.ts'
import {
  ChangedMeanwhile,
  deleteUnlessChanged,
  readApiKeys,
  readRecord,
} from '../applications/application-records.ts'
import type { ApplicationItem, Tombstone } from '../applications/items.ts'
import { beginRemoval, endEmptying, endRemoval, recordRestorePoint } from '../applications/removal.ts'
import { retryWhileBusy } from '../applications/retry.ts'
import { CommandError } from '../cli/command.ts'
import { countDown, type Waiting } from '../cli/progress.ts'
import { listPages } from './list-pages.ts'

export interface Removal extends Waiting {
  /** Deletes only entities, not the application and its keys. */
  readonly keepApplication: boolean
}

/** The waits of a removal from a deployed table, in milliseconds. */
const deployed = {
  /** Until no request can write any more: how long functions cache keys, plus the timeout of a request. */
  writing: CACHE_MILLIS + FUNCTION_TIMEOUT_MILLIS,
  /** Before and after the time to restore to: how much clocks may differ. */
  quiet: 5_000,
  /**
   * How long AWS accepts a signed request (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html). A late
   * attempt of a create would record a deleted entity again.
   */
  signed: 300_000,
}

const SETTLE_MILLIS = 1_000
const MAX_ROUNDS = 60

const childrenFirst = [...resourcesByName.values()].reverse()

type Deleted = Record<string, number>

/**
 * Deletes the entities of an application and returns their numbers by plural. Indexes are eventually consistent, so the lists
 * are read again until all of them are empty.
 */
const deleteEntities = async (
  record: ApplicationItem | Tombstone,
  { show, wait = pause }: Removal,
): Promise<Deleted> => {
  const app = record.pk
  const { shards } = 'removed' in record ? record : (record.data.spread ?? unspread)
  const deleted = Object.fromEntries(childrenFirst.map(({ plural }) => [plural, 0]))
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    let listed = 0
    for (const resource of childrenFirst)
      for await (const ids of listPages({ app, resource }, { shards: async () => shards })) {
        const left = round === 1 ? ids : [...(await retryWhileBusy(() => readItems(app, ids))).keys()]
        await deleteUnlessChanged(
          record,
          left.map((id) => entityKey(app, id)),
        )
        listed += ids.length
        deleted[resource.plural]! += left.length
        show(`${deleted[resource.plural]} ${resource.plural} deleted`)
      }
    if (listed === 0) return deleted
    await wait(SETTLE_MILLIS)
  }
  throw new CommandError(`application ${app} does not become empty: something still writes to it`)
}

const deleteContents = async (record: ApplicationItem | Tombstone, removal: Removal): Promise<Deleted> => {
  const deleted = await deleteEntities(record, removal)
  if (removal.keepApplication) return deleted
  const keys = await readApiKeys(record.pk)
  await deleteUnlessChanged(record, keys)
  return { ...deleted, keys: keys.length }
}

const sum = (first: Deleted, second: Deleted): Deleted =>
  Object.fromEntries(Object.entries(first).map(([name, count]) => [name, count + second[name]!]))

/** Deletes what was recorded in an application after its removal. */
const removeAgain = async (tombstone: Tombstone, removal: Removal) => ({
  app_id: tombstone.pk,
  deleted: await deleteContents(tombstone, removal),
  restore_to: tombstone.restore_to,
})

/** Removes an application that has not been removed. Throws ChangedMeanwhile. */
const removeNow = async (app_id: string, removal: Removal) => {
  const { requestMillis } = removal
  const { writing, quiet, signed } =
    requestMillis === undefined ? deployed : { writing: requestMillis, quiet: 0, signed: 0 }
  const refused = await beginRemoval(app_id)
  const wait = (millis: number, what: string) => countDown(millis, what, removal)
  await wait(writing + quiet, 'the keys stop working everywhere within')
  const application = await recordRestorePoint(refused)
  await wait(quiet, 'the deletion begins in')
  const first = await deleteContents(application, removal)
  await wait(signed, 'delayed requests are refused in')
  const deleted = sum(first, await deleteContents(application, removal))
  const result = { app_id, deleted, restore_to: application.data.removing!.restore_to! }
  if (removal.keepApplication) {
    const { disabled = null } = (await endEmptying(application)).data
    return { ...result, disabled }
  }
  await endRemoval(application)
  return result
}

/**
 * Removes an application with its entities, or only the entities. Returns the numbers of deleted entities, by plural, and of keys,
 * and `restore_to`: a table that is restored to this time (RFC 3339) contains everything. Refuses the keys, waits until no request can write any more,
 * and deletes. Then waits until no late attempt of a request can arrive any more, and deletes what they have recorded. Meanwhile,
 * no other command can change the application but another removal, which takes over: this one then deletes nothing more. It can
 * be run again after an interruption. Throws NotFound, or CommandError if another removal has taken over or something still writes
 * to the application.
 */
export const removeApplication = async (app_id: string, removal: Removal) => {
  const record = await readRecord(app_id)
  if ('removed' in record && !removal.keepApplication) return removeAgain(record, removal)
  try {
    return await removeNow(app_id, removal)
  } catch (cause) {
    if (!(cause instanceof ChangedMeanwhile)) throw cause
    throw new CommandError(
      `another command, such as a second "apps remove", has changed application ${app_id} since this removal read it; this one has stopped and deletes nothing more`,
      { cause },
    )
  }
}
