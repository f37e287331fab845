import type { Position } from './cursor.ts'

/** What a list request asks for. */
export interface PageRequest {
  readonly limit: number
  /** Absent for the first page. */
  readonly position: Position | undefined
}

/** A page, newest first, and whether anything precedes or follows it (L1). */
export interface Page<T> {
  readonly items: readonly T[]
  readonly hasNewer: boolean
  readonly hasOlder: boolean
}

/**
 * The page made of what was read for `request`: up to limit + 1 items in reading order, of which the one too many
 * only tells that there are more. The entity beside a position always exists, since nothing is ever deleted.
 */
export const pageOf = <T>({ limit, position }: PageRequest, read: readonly T[]): Page<T> => {
  const items = read.slice(0, limit)
  const more = read.length > limit
  return position?.direction === 'newer'
    ? { items: items.reverse(), hasNewer: more, hasOlder: true }
    : { items, hasNewer: position !== undefined, hasOlder: more }
}

/**
 * As much of a page as fits into `maxBytes`, never less than one item; what is cut is on the far side of the
 * position it was read from, so that a cursor continues there (L3).
 */
export const fitting = <T>(
  { position }: PageRequest,
  page: Page<T>,
  sizes: readonly number[],
  maxBytes: number,
): Page<T> => {
  const backward = position?.direction === 'newer'
  const inReadingOrder = backward ? sizes.toReversed() : sizes
  let total = 0
  const over = inReadingOrder.findIndex((size, index) => {
    total += size
    return total > maxBytes && index > 0
  })
  if (over === -1) return page
  return backward
    ? { ...page, items: page.items.slice(page.items.length - over), hasNewer: true }
    : { ...page, items: page.items.slice(0, over), hasOlder: true }
}
