import { setTimeout as pause } from 'node:timers/promises'
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { BatchWriteCommand, type BatchWriteCommandOutput, DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { resources } from '../../shared/catalogue.ts'
import { config } from '../../shared/config.ts'
import { CACHE_MILLIS } from '../../shared/store/authorisation.ts'
import { readItems } from '../../shared/store/batch.ts'
import { applicationKey, entityKey } from '../../shared/store/keys.ts'
import { send } from '../../shared/store/send.ts'
import {
  type ApplicationItem,
  changedMeanwhile,
  NotFound,
  readApiKeys,
  readApplication,
  unlessChanged,
} from '../applications/application-records.ts'
import { disableApplication, enableApplication } from '../applications/applications.ts'
import { StartError } from '../local/settings.ts'
import { listPages } from './list-pages.ts'
import type { Tell } from './progress.ts'
import { retryWhileBusy } from './retry.ts'

/** How an application is removed. */
export interface Removal {
  /** Deletes only what was recorded, not the application and its keys. */
  readonly keepApplication: boolean
  readonly tell: Tell
  /** Waits so many milliseconds. */
  readonly wait?: (millis: number) => Promise<unknown>
}

/** What was deleted: the number of entities by plural. */
export interface Removed {
  readonly app_id: string
  readonly deleted: Readonly<Record<string, number>>
  /** If the application stays: since when its keys are refused, or null. */
  readonly disabled?: string | null
}

/** How long requests may still write: a function caches a key, then a request takes its whole time. */
const STILL_WRITING_MILLIS = CACHE_MILLIS + FUNCTION_TIMEOUT_MILLIS
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

const nouns = [...resources.values()].reverse()

/**
 * Deletes every entity of an application and returns the numbers by plural. An index is eventually consistent, so the
 * lists are read again until all of them are empty.
 */
const deleteEntities = async (
  app: string,
  { tell, wait = pause }: Removal,
): Promise<Record<string, number>> => {
  const deleted = Object.fromEntries(nouns.map(({ plural }) => [plural, 0]))
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    let listed = 0
    for (const resource of nouns)
      for await (const page of listPages({ app, resource })) {
        const ids = page.map(({ id }) => id)
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

/** Deletes an application's record unless another command has changed it since it was read. */
const deleteRecord = async (application: ApplicationItem): Promise<void> => {
  const { pk } = application
  try {
    const key = { TableName: config().table, Key: applicationKey(pk) }
    await send(new DeleteCommand({ ...key, ...unlessChanged(application) }))
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    // An earlier attempt may have deleted it, with its answer lost.
    const left = await readApplication(pk).catch((cause: unknown) => {
      if (cause instanceof NotFound) return undefined
      throw cause
    })
    if (left) throw changedMeanwhile(error)
  }
}

const waitUntilKeysStop = async ({ tell, wait = pause }: Removal): Promise<void> => {
  for (let left = STILL_WRITING_MILLIS; left > 0; left -= 1_000) {
    tell(`the keys stop working everywhere within ${left / 1_000} s`)
    await wait(Math.min(left, 1_000))
  }
}

/**
 * Removes an application and everything it has recorded, or only the latter: disables its keys, waits until no request
 * can write any more, and deletes. After an interruption the keys stay disabled and it can be run again. An emptied
 * application is enabled again if it was before. Throws NotFound, or StartError if something still writes to it.
 */
export const removeApplication = async (app_id: string, removal: Removal): Promise<Removed> => {
  const before = await readApplication(app_id)
  await disableApplication(app_id)
  const application = await readApplication(app_id)
  await waitUntilKeysStop(removal)
  const deleted = await deleteEntities(app_id, removal)
  if (removal.keepApplication) {
    const { disabled } = before.data.disabled ? application.data : await enableApplication(app_id)
    return { app_id, deleted, disabled: disabled ?? null }
  }
  const keys = await readApiKeys(app_id)
  await deleteAll(keys)
  await deleteRecord(application)
  return { app_id, deleted: { ...deleted, keys: keys.length } }
}
