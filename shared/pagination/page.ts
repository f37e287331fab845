import type { ChangeFeed, Position } from './cursor.ts'

/**
 * The maximum size of a response in bytes, below Lambda's limit of 6 MB. Lambda limits the function's result as JSON, in
 * which the body is a string with escaped quotes and backslashes.
 */
export const MAX_PAYLOAD_BYTES = 5 * 1024 * 1024

/** The part of a list that a request asks for. */
export interface PageRequest {
  /** The maximum number of entities. */
  readonly limit: number
  /** The position of the cursor; undefined for the first page. */
  readonly position: Position | undefined
  /** The change feed that the page belongs to; undefined in a list by creation. */
  readonly feed?: ChangeFeed | undefined
}

/** A page of a list, in the order of the list. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly hasPrevious: boolean
  readonly hasNext: boolean
}

/**
 * Returns the page for `request` from the items that were read: up to limit + 1 in reading order. The extra item only shows
 * that there are more, as does `hasUnread`. Since nothing is deleted, the entity beside a position still exists, except in a
 * change feed, where it may have moved.
 */
export const pageFromItems = <T>(
  { limit, position }: PageRequest,
  read: readonly T[],
  hasUnread = false,
): Page<T> => {
  const items = read.slice(0, limit)
  const hasMore = hasUnread || read.length > limit
  return position?.direction === 'previous'
    ? { items: items.reverse(), hasPrevious: hasMore, hasNext: items.length > 0 }
    : { items, hasPrevious: position !== undefined, hasNext: hasMore }
}

/** Returns the items of a page in reading order. A page before a position is read backwards. */
export const inReadingOrder = <T>({ position }: PageRequest, { items }: Page<T>): readonly T[] =>
  position?.direction === 'previous' ? items.toReversed() : items

/** Returns a page with only the `first` items, in reading order, of a page. A cursor continues with the other items. */
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
  const excess = items.findIndex((item, index) => {
    total += sizeOf(item)
    return index > 0 && total > max
  })
  return excess === -1 ? page : pageOfFirstItems(request, page, items.slice(0, excess))
}
