import { unspread } from '../../shared/spread.ts'
import { applicationKey } from '../../shared/store/keys.ts'
import { changeApplication, readApplication, replace } from './application-records.ts'
import { type ApplicationItem, type Tombstone, timestamp } from './items.ts'

/**
 * The states of a removal. It begins with a state that no other command leaves. It ends with the application as it was
 * before, or with a tombstone.
 */

/** Begins the removal of an application, and tells its keys that they are refused. Idempotent. Throws NotFound. */
export const beginRemoval = async (appId: string): Promise<ApplicationItem> => {
  const application = await readApplication(appId)
  const { removing = { since: timestamp() }, ...data } = application.data
  return changeApplication(application, { ...data, removing })
}

/**
 * Records that nothing writes to the application any more and nothing has been deleted yet. If an interrupted removal
 * recorded that before, the first moment stays.
 */
export const recordRestorePoint = async (application: ApplicationItem): Promise<ApplicationItem> => {
  const { removing, ...data } = application.data
  const restore_to = timestamp().replace(/\.\d+/, '')
  return changeApplication(application, { ...data, removing: { restore_to, ...removing! } })
}

/** Ends the removal of an application that stays. Its keys are accepted again if they were before. */
export const endEmptying = (application: ApplicationItem): Promise<ApplicationItem> => {
  const { removing: _, ...data } = application.data
  return changeApplication(application, data)
}

/** Ends the removal of an application: replaces its record by a tombstone, which holds no personal data. */
export const endRemoval = (application: ApplicationItem): Promise<void> => {
  const { removing, spread = unspread } = application.data
  const tombstone: Tombstone = {
    ...applicationKey(application.pk),
    removed: timestamp(),
    restore_to: removing!.restore_to!,
    shards: spread.shards,
  }
  return replace(application, tombstone)
}
