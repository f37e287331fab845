/** The one place that makes keys, all of them from the authenticated application's id; pure. */

/** The key of an entity's item. */
export const entityKey = (app: string, id: string) => ({ pk: `${app}#${id}`, sk: 'ENTITY' }) as const

/** The server's id in an entity's key. */
export const idOf = ({ pk }: { readonly pk: string }): string => pk.slice(pk.indexOf('#') + 1)

/** The partition of one shard of a list. The first one has no number. */
export const listOf = (app: string, plural: string, shard: number): string =>
  `${app}#${plural}${shard === 0 ? '' : `#${shard}`}`

/** The list of all applications, for the operator. */
export const APPLICATIONS = 'APPLICATIONS'

/** The list of all API keys in the order of their hashes, for the operator. */
export const API_KEYS = 'API_KEYS'

/** The key of an application's record. */
export const applicationKey = (app: string) => ({ pk: app, sk: 'APP' }) as const

const KEY = 'KEY#'

/** The key of an API key's record, of which only the hash is stored. */
export const apiKeyKey = (app: string, hash: string) => ({ pk: app, sk: `${KEY}${hash}` }) as const
export const API_KEYS_PREFIX = KEY

/** The hash in the sort key of an API key's record. */
export const hashIn = (sk: string): string => sk.slice(KEY.length)

/** An entity's place in creation order: the instant (microseconds), then some of its id to tell equals apart (L1). */
export const orderAt = (microseconds: number, id: string): string =>
  `${microseconds.toString(36).padStart(11, '0')}${id.slice(-10)}`

/** A child's place in the order of its parents, and among its siblings in creation order. */
export const orderUnder = (parentOrder: string, order: string): string => `${parentOrder}/${order}`

/** The bounds of everything under the parents from `oldest` to `newest` in `orderUnder`'s order. */
export const boundsUnder = (oldest: string, newest: string) => [`${oldest}/`, `${newest}0`] as const

/** The greatest and the least text that a place may be compared with to be before, or after, `order`: all are as long. */
export const justBefore = (order: string): string =>
  `${order.slice(0, -1)}${String.fromCharCode(order.charCodeAt(order.length - 1) - 1)}~`
export const justAfter = (order: string): string => `${order}~`

/** The parent's place and the child's own in a child's place. */
export const placesIn = (under: string): { readonly parentOrder: string; readonly order: string } => {
  const [parentOrder = '', order = ''] = under.split('/')
  return { parentOrder, order }
}
