import { recordingInstant } from '../clock.ts'
import { randomText } from '../ids.ts'
import { orderAt } from './keys.ts'

/**
 * Stamps order the writes of one item, so that an attempt that arrives late changes nothing.
 *
 * - All attempts of a write carry one stamp: the writer's instant, then random characters. DynamoDB carries out an
 *   attempt only if its stamp is greater than the item's. The stamps of an item therefore only grow, and a write is
 *   carried out at most once.
 * - A refused attempt settles all attempts of its stamp: each was carried out already or never will be. The item
 *   remembers its last few stamps, which distinguish the two. If the write was not carried out, its writer is still
 *   waiting for a response, so the write gets a stamp after the item's newest and is repeated.
 * - The order of acknowledged writes does not depend on clocks. That of an abandoned write does: an attempt of it that is
 *   still on its way has a smaller stamp than every write that begins later, as far as the two writers' clocks agree.
 */

/** The attributes of an item's last stamps, newest first: enough for the writers that are in flight at once. */
const remembered = ['stamp', 'stamp_1', 'stamp_2', 'stamp_3'] as const

/** The stamps in an item: none before its first update. */
export type Stamps = { readonly [attribute in (typeof remembered)[number]]?: string }

/** The clauses of an update expression that make `:stamp` the newest stamp and forget the oldest, given `:none` = ''. */
export const stampClauses: readonly string[] = remembered.map((attribute, index) =>
  index === 0 ? `${attribute} = :stamp` : `${attribute} = if_not_exists(${remembered[index - 1]}, :none)`,
)

/** The condition that an item was created and last written before `:stamp`. */
export const STAMP_CONDITION = '#order < :stamp AND (attribute_not_exists(stamp) OR stamp < :stamp)'

/**
 * Returns a new stamp, greater than `newest`, which is an item's newest stamp or its order. The stamp is the instant of
 * the write in microseconds and random characters. Parts of `newest` from clocks ahead of ours come before them, so that
 * no writer waits for its clock, and of two stamps after `newest`, the later one is the greater.
 */
export const stampAfter = (newest = '', instant = recordingInstant()): string => {
  const own = orderAt(instant, randomText(10))
  let kept = 0
  while (newest.slice(kept, kept + own.length) >= own) kept += own.length
  return newest.slice(0, kept) + own
}

/** Returns whether the write with this stamp was executed; undefined if the item has forgotten it. */
export const wasDone = (stamp: string, item: Stamps): boolean | undefined => {
  if (remembered.some((attribute) => item[attribute] === stamp)) return true
  return stamp < (item.stamp_3 ?? '') ? undefined : false
}
