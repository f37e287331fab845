import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto'

/**
 * The maximum size of a response in bytes, below Lambda's limit of 6 MB. Lambda limits the function's result
 * as JSON, in which the body is a string with escaped quotes and backslashes.
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
 * The page for `request` from the items that were read: up to limit + 1 in reading order. The extra item only
 * shows that there are more, as does `hasUnread`. Since nothing is deleted, the entity beside a position
 * still exists, except in a change feed, where it may have moved.
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

/** The items of a page in reading order. A page before a position is read backwards. */
export const inReadingOrder = <T>({ position }: PageRequest, { items }: Page<T>): readonly T[] =>
  position?.direction === 'previous' ? items.toReversed() : items

/**
 * A page with only the `first` items, in reading order, of a page. A cursor continues with the other items.
 */
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

/** The first items, in reading order, whose sizes add up to at most `max`, but at least one. */
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

/** A position between two entities of a list, and a direction. */
export interface Position {
  /** Whether a cursor leads to the page after or before the position. */
  readonly direction: 'next' | 'previous'
  /**
   * The order of the entity beside the position: of its creation or, in a change feed, of its last change.
   */
  readonly order: string
  /** The change feed that the position belongs to; undefined in a list by creation. */
  readonly feed?: ChangeFeed | undefined
}

/** The entities that were recorded or changed in a time, from the first page to the last. */
export interface ChangeFeed {
  /** The first second of the epoch that it contains. */
  readonly since: number
  /** The first second of the epoch after it. */
  readonly until: number
  /** The names of the includes. */
  readonly include: readonly string[]
}

/** The application and the list for which a cursor is valid. */
export interface CursorScope {
  readonly app: string
  /** The name of the list with its filter. */
  readonly list: string
  /** The application's random secret, base64. */
  readonly secret: string
}

const VERSION = 1
const MAC_BYTES = 16
const CIPHER = 'aes-256-ctr'
/** The limit of the bytes of a cursor, which no cursor reaches. */
const MAX_BYTES = 200

interface Keys {
  readonly mac: KeyObject
  readonly cipher: KeyObject
}

/** It is a key object, because with raw bytes Node 24 takes four times as long for each cursor. */
const keyFor = ({ app, list, secret }: CursorScope, purpose: string): KeyObject =>
  createSecretKey(
    createHmac('sha256', Buffer.from(secret, 'base64'))
      .update(`${VERSION}\n${purpose}\n${app}\n${list}`)
      .digest(),
  )

const MAX_CACHED = 1_000
const derivedKeys = new Map<string, Keys>()

/** The keys of a scope. They are cached, since deriving them takes longer than using them. */
const keysOf = (scope: CursorScope): Keys => {
  const name = `${scope.app}\n${scope.list}\n${scope.secret}`
  let keys = derivedKeys.get(name)
  if (!keys) {
    keys = { mac: keyFor(scope, 'mac'), cipher: keyFor(scope, 'cipher') }
    if (derivedKeys.size >= MAX_CACHED) derivedKeys.clear()
    derivedKeys.set(name, keys)
  }
  return keys
}

const macOf = (keys: Keys, plaintext: Uint8Array): Buffer =>
  createHmac('sha256', keys.mac).update(plaintext).digest().subarray(0, MAC_BYTES)

/**
 * The text of a position: direction and order and, in a change feed, its bounds and includes in a line each.
 */
const textOf = ({ direction, order, feed }: Position): string => {
  const start = `${direction === 'next' ? '-' : '+'}${order}`
  return feed ? [start, feed.since, feed.until, feed.include.join()].join('\n') : start
}

/** The position of a text that `textOf` has returned. */
const positionIn = (text: string): Position => {
  const direction = text.startsWith('-') ? 'next' : 'previous'
  const [order = '', since, until, include] = text.slice(1).split('\n')
  if (since === undefined) return { direction, order }
  const names = include ? include.split(',') : []
  return { direction, order, feed: { since: Number(since), until: Number(until), include: names } }
}

/**
 * Encodes a position as an opaque cursor. The MAC of the plaintext is also the initialisation vector
 * (synthetic IV). So a cursor is valid only in its scope, reveals nothing, and is the same for the same
 * position.
 */
export const encodeCursor = (scope: CursorScope, position: Position): string => {
  const plaintext = Buffer.from(textOf(position))
  const keys = keysOf(scope)
  const iv = macOf(keys, plaintext)
  const cipher = createCipheriv(CIPHER, keys.cipher, iv)
  return Buffer.concat([iv, cipher.update(plaintext), cipher.final()]).toString('base64url')
}

/** Decodes a cursor. Returns undefined for any text that `encodeCursor` did not return for this scope. */
export const decodeCursor = (scope: CursorScope, text: string): Position | undefined => {
  const bytes = Buffer.from(text, 'base64url')
  // Node's decoder ignores invalid characters. Only the canonical encoding is a cursor.
  const isCanonical = bytes.toString('base64url') === text
  if (bytes.length <= MAC_BYTES + 1 || bytes.length > MAX_BYTES || !isCanonical) return undefined
  const iv = bytes.subarray(0, MAC_BYTES)
  const keys = keysOf(scope)
  const decipher = createDecipheriv(CIPHER, keys.cipher, iv)
  const plaintext = Buffer.concat([decipher.update(bytes.subarray(MAC_BYTES)), decipher.final()])
  return timingSafeEqual(macOf(keys, plaintext), iv) ? positionIn(plaintext.toString('latin1')) : undefined
}
