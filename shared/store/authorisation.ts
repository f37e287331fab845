import { type Spread, unspread } from '../spread.ts'
import { hashOf, isApiKey, isApplicationId, keyIdOf } from './credentials.ts'
import { apiKeyKey } from './keys.ts'
import { getItem } from './read.ts'
import { type Application, type CachedKey, currentService } from './service.ts'

/** The record of an API key. A request reads this record alone. */
export interface ApiKeyItem {
  readonly pk: string
  readonly sk: string
  readonly list: string
  /** The hash of the key, by which the list index finds it without its application. */
  readonly order: string
  readonly created: string
  readonly ends_with: string
  readonly cursor_secret: string
  readonly expires?: string
  readonly revoked?: string
  /** The next three are copied from the application. A key that an earlier release created has no name. */
  readonly application_name?: string
  readonly disabled?: string | null
  readonly spread?: Spread | null
}

/** The number of keys at which the cache is emptied. */
const CACHE_ENTRIES = 1_000

/** Returns the application of a key; undefined if the key has expired. */
const applicationOf = ({ application, expires }: CachedKey): Application | undefined =>
  expires !== undefined && Date.parse(expires) <= currentService().clock.now() ? undefined : application

/** Returns the application with this id and key, or undefined. Looks up each pair at most once a minute. */
export const findApplication = async (appId: string, apiKey: string): Promise<Application | undefined> => {
  if (!isApiKey(apiKey) || !isApplicationId(appId)) return undefined
  const hash = hashOf(apiKey)
  const cacheKey = `${appId}#${hash}`
  const { clock, keyCache, keyCacheMillis } = currentService()
  const cached = keyCache.get(cacheKey)
  if (cached && clock.elapsedSince(cached.lookedUpAt) < keyCacheMillis) return applicationOf(cached)
  const lookedUpAt = clock.moment()
  const item = await getItem<ApiKeyItem>(apiKeyKey(appId, hash))
  keyCache.delete(cacheKey)
  if (!item || item.revoked || item.disabled) return undefined
  const application = {
    id: appId,
    name: item.application_name,
    keyId: keyIdOf(hash),
    cursorSecret: item.cursor_secret,
    spread: item.spread ?? unspread,
  }
  if (keyCache.size >= CACHE_ENTRIES) keyCache.clear()
  const found = { application, lookedUpAt, expires: item.expires }
  keyCache.set(cacheKey, found)
  return applicationOf(found)
}
