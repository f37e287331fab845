import { CACHE_MILLIS } from '../../../shared/store/service.ts'
import { scaleApplication } from '../../../tools/applications/applications.ts'
import { setClock } from '../clock.ts'
import type { Client } from '../requests/service.ts'

/** The milliseconds by which the clock is ahead of the machine's. */
let ahead = 0

/** Moves the clock. Keys that were looked up more than a minute ago are then looked up again. */
export const advanceClock = (millis: number): void => {
  ahead += millis
  setClock(() => Date.now() + ahead)
}

/** Scales a client's application without waiting, and lets its key be looked up again. */
export const scaleAtOnce = async ({ credentials }: Client, shards: number): Promise<void> => {
  await scaleApplication(credentials.app_id, shards, async () => undefined)
  advanceClock(CACHE_MILLIS)
}
