import type { Spread } from '../contract/call.ts'
import { crc32 } from '../ids.ts'

/** All keys of the table are built here, from the authenticated application's id. */

/** The key of an entity's item. */
export const entityKey = (app: string, id: string) => ({ pk: `${app}#${id}`, sk: 'ENTITY' }) as const

export const serverIdOf = ({ pk }: { readonly pk: string }): string => pk.slice(pk.indexOf('#') + 1)

/** The partition key of one shard of a list. The first shard has no number. */
export const listPartition = (app: string, plural: string, shard: number): string =>
  `${app}#${plural}${shard === 0 ? '' : `#${shard}`}`

/** The lists of all applications, and of all API keys in the order of their hashes, for the operator. */
export const APPLICATIONS = 'APPLICATIONS'
export const API_KEYS = 'API_KEYS'

/** The key of an application's record. */
export const applicationKey = (app: string) => ({ pk: app, sk: 'APP' }) as const

/** The beginning of the sort keys of API keys' records. */
export const API_KEYS_PREFIX = 'KEY#'

/** The key of an API key's record, which contains only the hash of the key. */
export const apiKeyKey = (app: string, hash: string) =>
  ({ pk: app, sk: `${API_KEYS_PREFIX}${hash}` }) as const

/** The hash in the sort key of an API key's record. */
export const hashIn = (sk: string): string => sk.slice(API_KEYS_PREFIX.length)

const INSTANT_LENGTH = 11

/** An entity's order: the instant in microseconds, then a part of its id as a tie-breaker. */
export const orderAt = (microseconds: number, id: string): string =>
  `${microseconds.toString(36).padStart(INSTANT_LENGTH, '0')}${id.slice(-10)}`

/** A bound before every order of this second of the epoch, and after every order of earlier seconds. */
export const startOfSecond = (second: number): string => orderAt(second * 1_000_000, '')

/** The second of an order, since the epoch. */
export const secondOf = (order: string): number =>
  Math.floor(Number.parseInt(order.slice(0, INSTANT_LENGTH), 36) / 1_000_000)

/** The sort key that orders children by their parents' order, then by their own. */
export const orderUnder = (parentOrder: string, order: string): string => `${parentOrder}/${order}`

/** The bounds enclose all children of the parents from `oldest` to `newest`. "0" follows "/". */
export const boundsUnder = (oldest: string, newest: string) => [`${oldest}/`, `${newest}0`] as const

/** The bound is above all lower orders of the same length. No order contains "~" or a later character. */
export const justBefore = (order: string): string => {
  const lastIndex = order.length - 1
  const characterBefore = String.fromCharCode(order.charCodeAt(lastIndex) - 1)
  return `${order.slice(0, lastIndex)}${characterBefore}~`
}

/** The bound is below all higher orders of the same length. */
export const justAfter = (order: string): string => `${order}~`

/** The parent's order and the child's own from a child's sort key. */
export const ordersIn = (sortKey: string): { readonly parentOrder: string; readonly order: string } => {
  const [parentOrder = '', order = ''] = sortKey.split('/')
  return { parentOrder, order }
}

/** The spread of an application that was never scaled. */
export const unspread: Spread = { shards: 1, before: 1 }

/** The shard of a new entity. It is stored with the entity, which never moves. */
export const shardFor = (id: string, { before }: Spread): number => crc32(id) % before
