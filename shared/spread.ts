import { crc32 } from './ids.ts'

/** The number of partitions, called shards, of each list of an application. It only grows ("apps scale"). */
export interface Spread {
  /** The number that lists read. */
  readonly shards: number
  /** The number of shards that creates write to: the previous number until every function reads `shards`, then `shards`. */
  readonly before: number
}

/** The spread of an application that was never scaled. */
export const unspread: Spread = { shards: 1, before: 1 }

/** Returns the shard of a new entity. It is stored with the entity, which never moves. */
export const shardFor = (id: string, { before }: Spread): number => crc32(id) % before
