import { setClock } from '../../shared/clock.ts'
import { GROWTH_MILLIS, scaleApplication } from '../../tools/applications/applications.ts'
import type { Client } from './service.ts'

let ahead = 0

/** Moves the clock. Keys that were looked up more than a minute ago are then looked up again. */
export const advance = (millis: number): void => {
  ahead += millis
  setClock(() => Date.now() + ahead)
}

/** Scales a client's application, and moves the clock to when creates use the new shards. */
export const grow = async ({ credentials }: Client, shards: number): Promise<void> => {
  await scaleApplication(credentials.app_id, shards)
  advance(GROWTH_MILLIS)
}
