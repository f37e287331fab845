import { setTimeout as pause } from 'node:timers/promises'
import { BatchWriteCommand, type BatchWriteCommandOutput } from '@aws-sdk/lib-dynamodb'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { resources } from '../../shared/catalogue.ts'
import { config } from '../../shared/config.ts'
import { unspread } from '../../shared/spread.ts'
import { CACHE_MILLIS } from '../../shared/store/authorisation.ts'
import { readItems } from '../../shared/store/batch.ts'
import { entityKey } from '../../shared/store/keys.ts'
import { send } from '../../shared/store/send.ts'
import { readApiKeys, readRecord } from '../applications/application-records.ts'
import type { Tombstone } from '../applications/items.ts'
import { beginRemoval, endEmptying, endRemoval, recordRestorePoint } from '../applications/removal.ts'
import { StartError } from '../local/settings.ts'
import { countDown, type Waiting } from './count-down.ts'
import { listPages } from './list-pages.ts'
import { retryWhileBusy } from './retry.ts'

/** The options of a removal. */
export interface Removal extends Waiting {
  /** Deletes only entities, not the application and its keys. */
  readonly keepApplication: boolean
}

/** The numbers of deleted entities, by plural, and of deleted keys. */
export interface Removed {
  readonly app_id: string
  readonly deleted: Readonly<Record<string, number>>
  /** RFC 3339: a moment after the last write and before the first deletion. A table restored to it holds everything. */
  readonly restore_to: string
  /** If the application stays: the time from which its keys are refused, or null. */
  readonly disabled?: string | null
}

/** The time in which requests may still write: a function's caching of a key plus the time limit of a request. */
const STILL_WRITING_MILLIS = CACHE_MILLIS + FUNCTION_TIMEOUT_MILLIS
/** The pause before and after the moment to restore to, by which clocks may differ. */
const QUIET_MILLIS = 5_000
/**
 * How long AWS accepts a signed request (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html). An
 * attempt of a create that arrives late does not find the entity and records it again.
 */
const SIGNED_MILLIS = 300_000
/** The maximum of a BatchWriteItem. */
const BATCH = 25
const SETTLE_MILLIS = 1_000
const MAX_ROUNDS = 60

type Key = Readonly<Record<'pk' | 'sk', string>>

const deleteBatch = async (keys: readonly Key[]): Promise<void> => {
  const { table } = config()
  let left = keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }))
  while (left.length > 0) {
    const RequestItems = { [table]: left }
    const { UnprocessedItems } = await retryWhileBusy(() =>
      send<BatchWriteCommandOutput>(new BatchWriteCommand({ RequestItems })),
    )
    left = (UnprocessedItems?.[table] ?? []) as typeof left
  }
}

const deleteAll = (keys: readonly Key[]): Promise<unknown> =>
  Promise.all(
    Array.from({ length: Math.ceil(keys.length / BATCH) }, (_, index) =>
      deleteBatch(keys.slice(index * BATCH, (index + 1) * BATCH)),
    ),
  )

const childrenFirst = [...resources.values()].reverse()

type Deleted = Record<string, number>

/**
 * Deletes every entity of an application and returns the numbers by plural. An index is eventually consistent, so the
 * lists are read again until all of them are empty.
 */
const deleteEntities = async (
  { app, shards }: { readonly app: string; readonly shards: number },
  { tell, wait = pause }: Removal,
): Promise<Deleted> => {
  const deleted = Object.fromEntries(childrenFirst.map(({ plural }) => [plural, 0]))
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    let listed = 0
    for (const resource of childrenFirst)
      for await (const ids of listPages({ app, resource }, { shards: async () => shards })) {
        const left = round === 1 ? ids : [...(await retryWhileBusy(() => readItems(app, ids))).keys()]
        await deleteAll(left.map((id) => entityKey(app, id)))
        listed += ids.length
        deleted[resource.plural]! += left.length
        tell(`${deleted[resource.plural]} ${resource.plural} deleted`)
      }
    if (listed === 0) return deleted
    await wait(SETTLE_MILLIS)
  }
  throw new StartError(`application ${app} does not become empty: something still writes to it`)
}

/** Deletes the entities of an application and, unless it stays, its keys. */
const deleteContents = async (app: string, shards: number, removal: Removal): Promise<Deleted> => {
  const deleted = await deleteEntities({ app, shards }, removal)
  if (removal.keepApplication) return deleted
  const keys = await readApiKeys(app)
  await deleteAll(keys)
  return { ...deleted, keys: keys.length }
}

const sum = (first: Deleted, second: Deleted): Deleted =>
  Object.fromEntries(Object.entries(first).map(([name, count]) => [name, count + second[name]!]))

/** Deletes what was written to a removed application afterwards. */
const removeAgain = async ({ pk, restore_to, shards }: Tombstone, removal: Removal): Promise<Removed> => ({
  app_id: pk,
  deleted: await deleteContents(pk, shards, removal),
  restore_to,
})

/**
 * Removes an application with its entities, or only the entities: refuses its keys, waits until no request can write any
 * more, and deletes. Then waits until no delayed attempt of a request can arrive any more, and deletes what has arrived.
 * Meanwhile no other command can change the application. After an interruption it can be run again.
 * Throws NotFound, or StartError if something still writes to the application.
 */
export const removeApplication = async (app_id: string, removal: Removal): Promise<Removed> => {
  const { keepApplication } = removal
  const record = await readRecord(app_id)
  if ('removed' in record && !keepApplication) return removeAgain(record, removal)
  const refused = await beginRemoval(app_id)
  const { shards } = refused.data.spread ?? unspread
  const wait = (millis: number, what: string) => countDown(millis, what, removal)
  await wait(STILL_WRITING_MILLIS + QUIET_MILLIS, 'the keys stop working everywhere within')
  const application = await recordRestorePoint(refused)
  await wait(QUIET_MILLIS, 'the deletion begins in')
  const first = await deleteContents(app_id, shards, removal)
  await wait(SIGNED_MILLIS, 'delayed requests are refused in')
  const deleted = sum(first, await deleteContents(app_id, shards, removal))
  const result = { app_id, deleted, restore_to: application.data.removing!.restore_to! }
  if (keepApplication) {
    const { disabled = null } = (await endEmptying(application)).data
    return { ...result, disabled }
  }
  await endRemoval(application)
  return result
}
