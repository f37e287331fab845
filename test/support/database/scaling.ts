import { CACHE_MILLIS } from '../../../shared/store/service.ts'
import { scaleApplication } from '../../../tools/applications/applications.ts'
import { advanceClock } from '../clock.ts'
import type { Client } from '../requests/service.ts'

/** Advances the clock, so that the key expires from the cache. */
export const scaleAtOnce = async ({ credentials }: Client, shards: number): Promise<void> => {
  await scaleApplication(credentials.app_id, shards, async () => undefined)
  advanceClock(CACHE_MILLIS)
}
