import { randomText } from '../ids.ts'
import { orderAt } from './keys.ts'

/**
 * Stamps order the changes of one item, so that an attempt that arrives late changes nothing.
 *
 * - A writer reads the item and puts the next one, with a new stamp, on the condition that the item still has the stamp
 *   that was read. All attempts of a write carry one stamp. A new stamp is greater than the one that was read, so an
 *   item never has a stamp again: once another write has been executed, an attempt never will be, whatever the clocks
 *   show.
 * - A refused attempt settles all attempts of its stamp: each was executed already or never will be. The item remembers
 *   its last few stamps, which distinguish the two. If the write was not executed, its writer is still waiting for a
 *   response, so the change is repeated on the item as it now is, with a greater stamp.
 */

/**
 * The attributes of an item's last stamps, newest first: enough for the writers that are in flight at once.
 */
const remembered = ['stamp', 'stamp_1', 'stamp_2', 'stamp_3'] as const

/** The stamps in an item: none before its first update. */
export type Stamps = { readonly [attribute in (typeof remembered)[number]]?: string }

/** The stamps of an item after a write with `stamp`: the oldest is forgotten. */
export const stampsAfter = ({ stamp, stamp_1, stamp_2 }: Stamps, next: string): Stamps => ({
  stamp: next,
  stamp_1: stamp ?? '',
  stamp_2: stamp_1 ?? '',
  stamp_3: stamp_2 ?? '',
})

/**
 * A new stamp, greater than `newest`, which is an item's newest stamp or its order. A stamp consists of parts
 * of equal length, each with the instant of a write in microseconds and random characters. Usually it has
 * only one part, the new one. If `newest` is from a clock ahead of ours, its leading parts that are not less
 * than the new part precede the new part. So no writer waits for its clock, and of two stamps after `newest`,
 * the later one is the greater.
 */
export const stampAfter = (newest: string, instant: number): string => {
  const part = orderAt(instant, randomText(10))
  let prefixLength = 0
  while (newest.slice(prefixLength, prefixLength + part.length) >= part) prefixLength += part.length
  return newest.slice(0, prefixLength) + part
}

/** Whether the write with this stamp was executed; undefined if the item has forgotten it. */
export const wasExecuted = (stamp: string, item: Stamps): boolean | undefined => {
  if (remembered.some((attribute) => item[attribute] === stamp)) return true
  return stamp < (item.stamp_3 ?? '') ? undefined : false
}
