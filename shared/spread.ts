import { now } from './clock.ts'
import { crc32 } from './crc32.ts'

/**
 * The number of partitions, called shards, that hold each list of an application. It only grows ("apps scale"). Lists
 * read `shards` of them at once. Creates use `before` until every list reads `shards`, at the moment `from`.
 */
export interface Spread {
  readonly shards: number
  readonly before: number
  /** RFC 3339; absent while some API keys may not know `shards` yet. */
  readonly from?: string
}

/** The spread of an application that was never scaled. */
export const unspread: Spread = { shards: 1, before: 1 }

/** Returns the number of shards that creates use now. */
export const writtenShards = ({ shards, before, from }: Spread): number =>
  from !== undefined && Date.parse(from) <= now() ? shards : before

/** Returns the shard of a new entity. It is stored with the entity, which never moves. */
export const shardFor = (id: string, spread: Spread): number => crc32(id) % writtenShards(spread)
