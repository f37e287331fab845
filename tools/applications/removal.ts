import { applicationKey, unspread } from '../../shared/store/keys.ts'
import { currentService } from '../../shared/store/service.ts'
import { readApplication } from './application-records.ts'
import { type ApplicationItem, type Tombstone, timestampText } from './items.ts'
import { changeApplication, replaceRecord } from './record-writes.ts'

/** A removal begins with a state that only it can leave, and ends with the previous state or a tombstone. */

const currentTime = (): string => timestampText(currentService().clock.now())

/** The keys are refused from now on. Idempotent. Throws NotFound, and the errors of `changeApplication`. */
export const beginRemoval = async (appId: string): Promise<ApplicationItem> => {
  const application = await readApplication(appId)
  const { removing = { since: currentTime() }, ...data } = application.data
  return changeApplication(application, { ...data, removing })
}

/**
 * The time after the last write to the application and before the first deletion. Keeps the time that an
 * interrupted removal has recorded. Throws the errors of `changeApplication`.
 */
export const recordRestorePoint = async (application: ApplicationItem): Promise<ApplicationItem> => {
  const removing = application.data.removing!
  const now = currentTime().replace(/\.\d+/, '')
  const restore_to = removing.restore_to ?? now
  return changeApplication(application, { ...application.data, removing: { ...removing, restore_to } })
}

/**
 * The keys are accepted again unless the application was disabled before. Throws like `changeApplication`.
 */
export const endEmptying = (application: ApplicationItem): Promise<ApplicationItem> => {
  const { removing: _, ...data } = application.data
  return changeApplication(application, data)
}

/** Replaces the record by a tombstone, which contains no personal data. Throws ChangedMeanwhile. */
export const endRemoval = (application: ApplicationItem): Promise<void> => {
  const { removing, spread = unspread } = application.data
  const tombstone: Tombstone = {
    ...applicationKey(application.pk),
    removed: currentTime(),
    restore_to: removing!.restore_to!,
    shards: spread.shards,
  }
  return replaceRecord(application, tombstone)
}
