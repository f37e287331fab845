import { crc32 } from './crc32.ts'

/**
 * The number of partitions, called shards, of each list of an application. It only grows ("apps scale"). Lists read
 * `shards` of them at once. Creates use `before`, the number before the growth, until every function reads `shards`; from
 * then on the two are equal.
 */
export interface Spread {
  readonly shards: number
  readonly before: number
}

/** The spread of an application that was never scaled. */
export const unspread: Spread = { shards: 1, before: 1 }

/** Returns the shard of a new entity. It is stored with the entity, which never moves. */
export const shardFor = (id: string, { before }: Spread): number => crc32(id) % before
