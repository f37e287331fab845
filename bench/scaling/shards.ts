import { random } from './random.ts'

/** Reading a page from a list that is kept in several shards, each in creation order. */

const ENTRY_BYTES = 320
const unitsOf = (entries: number): number => Math.max(1, Math.ceil((entries * ENTRY_BYTES) / 4_096)) / 2

export interface PageCost {
  readonly queries: number
  readonly rounds: number
  readonly units: number
}

/** How many of the newest entries each shard is asked for at first: its fair part and twice the spread of chance. */
const firstAsked = (wanted: number, shards: number): number =>
  shards === 1 ? wanted : Math.ceil(wanted / shards + 2 * Math.sqrt(wanted / shards))

/** One page: entries of random shards, newest first; a shard whose answer ended inside the page is asked again. */
const onePage = (shards: number, limit: number): PageCost => {
  const wanted = limit + 1
  const held = Array.from({ length: shards }, () => 0)
  for (let entry = 0; entry < wanted; entry += 1) held[Math.floor(random() * shards)]! += 1
  const asked = firstAsked(wanted, shards)
  const again = held.filter((entries) => entries >= asked && shards > 1).length
  return { queries: shards + again, rounds: again > 0 ? 2 : 1, units: (shards + again) * unitsOf(asked) }
}

/** What a page costs on average. */
export const pageCost = (shards: number, limit: number, tries = 20_000): PageCost => {
  const sum = { queries: 0, rounds: 0, units: 0 }
  for (let number = 0; number < tries; number += 1) {
    const { queries, rounds, units } = onePage(shards, limit)
    sum.queries += queries
    sum.rounds += rounds
    sum.units += units
  }
  return { queries: sum.queries / tries, rounds: sum.rounds / tries, units: sum.units / tries }
}
