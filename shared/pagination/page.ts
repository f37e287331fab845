import type { ChangeFeed, Position } from './cursor.ts'

/**
 * The maximum size of a response in bytes, below Lambda's limit of 6 MB. Lambda limits the function's result as JSON, in
 * which the body is a string with escaped quotes and backslashes.
 */
export const MAX_PAYLOAD_BYTES = 5 * 1024 * 1024

export interface PageRequest {
  readonly limit: number
  /** Absent for the first page. */
  readonly position: Position | undefined
  /** The change feed that the page belongs to; absent in a list by creation. */
  readonly feed?: ChangeFeed | undefined
}

/** A page of a list, in the order of the list. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly hasPrevious: boolean
  readonly hasNext: boolean
}

/**
 * Returns the page for `request` from up to limit + 1 items in reading order. The extra item, or `unread`, only shows
 * that there are more. Since nothing is deleted, the entity beside a position still exists, except in a feed, where it may
 * have moved.
 */
export const pageFromItems = <T>(
  { limit, position }: PageRequest,
  read: readonly T[],
  unread = false,
): Page<T> => {
  const items = read.slice(0, limit)
  const more = unread || read.length > limit
  return position?.direction === 'previous'
    ? { items: items.reverse(), hasPrevious: more, hasNext: items.length > 0 }
    : { items, hasPrevious: position !== undefined, hasNext: more }
}

/** Returns the items of a page in the order in which they were read. */
export const inReadingOrder = <T>({ position }: PageRequest, { items }: Page<T>): readonly T[] =>
  position?.direction === 'previous' ? items.toReversed() : items

/** Returns a page of only the `first` items of a page in reading order. A cursor continues with the others. */
export const pageOfFirstItems = <T, Whole>(
  { position }: PageRequest,
  page: Page<Whole>,
  first: readonly T[],
): Page<T> => {
  const { hasPrevious, hasNext } = page
  const isCut = first.length < page.items.length
  return position?.direction === 'previous'
    ? { items: first.toReversed(), hasPrevious: hasPrevious || isCut, hasNext }
    : { items: first, hasPrevious, hasNext: hasNext || isCut }
}

/**
 * Returns the longest part of a page whose sizes add up to at most `max`, but at least one item. Measures items in reading
 * order and drops the last ones.
 */
export const fittingPage = <T>(
  request: PageRequest,
  page: Page<T>,
  sizeOf: (item: T) => number,
  max: number,
): Page<T> => {
  const items = inReadingOrder(request, page)
  let total = 0
  const over = items.findIndex((item, index) => {
    total += sizeOf(item)
    return total > max && index > 0
  })
  return over === -1 ? page : pageOfFirstItems(request, page, items.slice(0, over))
}
