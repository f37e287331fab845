import type { Item } from './items.ts'
import type { Service } from './service.ts'

/**
 * A change feed misses no change.
 *
 * - The position of an entity is the order of its create until it changes, then `changed`: the instant of the writer that
 *   changed it last, never below the position before. So an entity only moves up. A create writes nothing for this.
 * - The list index, read upwards, has every entity at its create; the sparse change index has the entities that changed, at their
 *   last change. The first update marks `data`, which the list index projects, and an entry with the mark is skipped.
 *   Either index may lag behind: an entity is then at its old position, or at none.
 * - A feed reads from its start to a bound that its first page sets: the hold-back before the clock, in whole seconds.
 *   The hold-back is longer than the time from the instant of a write until both indexes show it. So a write that either
 *   index shows later is at a position above the bound, and everything below the bound stays as it is or moves above it.
 * - Hence, after any page: everything below the highest `changed` that a reader has seen was on its pages, or is now at
 *   that second or later. That second is a safe start of the next feed. A feed returns each entity once.
 *
 * The hold-back covers the longest way of a write: 4 s from its instant to its last signature, 300 s until DynamoDB
 * refuses that signature, the clocks' difference and the delay of an index. A service of one process needs none: it
 * waits for its own calls instead, and records nothing below the bound afterwards, even if its clock is set back.
 */

/** The attribute of `data` in an entity that has changed. No field can have this name. */
export const MARK = '*'

/** Whether an index entry shows that its entity has changed. */
export const isMarked = ({ data }: Item): boolean => MARK in data

export const laterOf = (one: string, other: string): string => (one > other ? one : other)

/** The attributes of an entity that was at `position` and changes at `instant`. */
export const changedAt = (
  instant: string,
  position: string,
  { data, ...rest }: Pick<Item, 'data' | 'extra'>,
) => ({
  ...rest,
  data: { ...data, [MARK]: true },
  changed: laterOf(instant, position),
})

/** The second of the epoch before which nothing changes any longer: the bound of a feed that starts now. */
export const settledUntil = ({ clock, settings }: Pick<Service, 'clock' | 'settings'>): number => {
  const { holdBackSeconds } = settings()
  return holdBackSeconds === 0 ? clock.closeSeconds() : Math.floor(clock.now() / 1_000 - holdBackSeconds)
}
