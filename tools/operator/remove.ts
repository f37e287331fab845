import { setTimeout as pause } from 'node:timers/promises'
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { BatchWriteCommand, type BatchWriteCommandOutput, DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { catalogue } from '../../shared/catalogue.ts'
import { config } from '../../shared/config.ts'
import type { Resource } from '../../shared/contract/resource.ts'
import {
  type ApplicationItem,
  changedMeanwhile,
  NotFound,
  readApiKeys,
  readApplication,
  unlessChanged,
} from '../../shared/store/application-records.ts'
import { disableApplication, enableApplication } from '../../shared/store/applications.ts'
import { CACHE_MILLIS } from '../../shared/store/authorisation.ts'
import { readItems } from '../../shared/store/batch.ts'
import { applicationKey, entityKey } from '../../shared/store/keys.ts'
import { send } from '../../shared/store/send.ts'
import { StartError } from '../local/settings.ts'
import { patiently } from './patience.ts'
import type { Tell } from './progress.ts'
import { walk } from './walk.ts'

/** How an application is removed. */
export interface Removal {
  /** Whether the application and its keys stay, and only what was recorded goes. */
  readonly keepApplication: boolean
  readonly tell: Tell
  /** Waits for milliseconds. */
  readonly wait?: (millis: number) => Promise<unknown>
}

/** What was deleted, by plural. */
export interface Removed {
  readonly app_id: string
  readonly deleted: Readonly<Record<string, number>>
  /** Of an application that stays: since when its keys are refused, or null. */
  readonly disabled?: string | null
}

/** How long a request that a key let in may still write: the key's last use, then the function's whole time. */
const STILL_WRITING_MILLIS = CACHE_MILLIS + FUNCTION_TIMEOUT_MILLIS
const MOST_AT_ONCE = 25
const SETTLE_MILLIS = 1_000
/** How often lists are gone through again, since an index still shows for a moment what is deleted. */
const MOST_ROUNDS = 60

type Key = Readonly<Record<'pk' | 'sk', string>>

const deleteBatch = async (keys: readonly Key[]): Promise<void> => {
  const { table } = config()
  let left = keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }))
  while (left.length > 0) {
    const RequestItems = { [table]: left }
    const { UnprocessedItems } = await patiently(() =>
      send<BatchWriteCommandOutput>(new BatchWriteCommand({ RequestItems })),
    )
    left = (UnprocessedItems?.[table] ?? []) as typeof left
  }
}

const deleteAll = (keys: readonly Key[]): Promise<unknown> =>
  Promise.all(
    Array.from({ length: Math.ceil(keys.length / MOST_AT_ONCE) }, (_, index) =>
      deleteBatch(keys.slice(index * MOST_AT_ONCE, (index + 1) * MOST_AT_ONCE)),
    ),
  )

const nouns: readonly Resource[] = [...new Set(catalogue.map(({ resource }) => resource))].reverse()

/**
 * Deletes every entity of an application, and returns how many of each noun. An index shows for a moment what is gone
 * already and not yet what has just been written, so the lists are gone through until all of them are empty.
 */
const deleteEntities = async (
  app: string,
  { tell, wait = pause }: Removal,
): Promise<Record<string, number>> => {
  const deleted = Object.fromEntries(nouns.map(({ plural }) => [plural, 0]))
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    let listed = 0
    for (const resource of nouns)
      for await (const page of walk({ app, resource })) {
        const ids = page.map(({ id }) => id)
        const left = round === 1 ? ids : [...(await patiently(() => readItems(app, ids))).keys()]
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

/** Deletes an application's record, unless another command has enabled or disabled it since it was read. */
const deleteRecord = async (application: ApplicationItem): Promise<void> => {
  const { pk } = application
  try {
    const key = { TableName: config().table, Key: applicationKey(pk) }
    await send(new DeleteCommand({ ...key, ...unlessChanged(application) }))
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    // An earlier attempt of ours may have been done, whose answer was lost.
    const left = await readApplication(pk).catch((cause: unknown) => {
      if (cause instanceof NotFound) return undefined
      throw cause
    })
    if (left) throw changedMeanwhile(error)
  }
}

const untilStopped = async ({ tell, wait = pause }: Removal): Promise<void> => {
  for (let left = STILL_WRITING_MILLIS; left > 0; left -= 1_000) {
    tell(`the keys stop everywhere within ${left / 1_000} s`)
    await wait(Math.min(left, 1_000))
  }
}

/**
 * Removes an application with all that it has recorded, or empties it: refuses its keys, waits until none of them can
 * write any more, and deletes. May be run again after it was interrupted; until then the keys stay refused. An emptied
 * application accepts its keys again if it did before. Throws NotFound, or StartError where something still writes.
 */
export const removeApplication = async (app_id: string, removal: Removal): Promise<Removed> => {
  const before = await readApplication(app_id)
  await disableApplication(app_id)
  const application = await readApplication(app_id)
  await untilStopped(removal)
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
