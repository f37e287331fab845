import { elapsedSince, type Moment, moment, now } from '../clock.ts'
import { type Spread, unspread } from '../spread.ts'
import { hashOf, isApiKey, isApplicationId, keyIdOf } from './credentials.ts'
import { apiKeyKey } from './keys.ts'
import { getItem } from './read.ts'

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
  /** Both are copied from the application. */
  readonly disabled?: string | null
  readonly spread?: Spread | null
}

/** The application authenticated by a request's credentials. */
export interface Application {
  readonly id: string
  readonly keyId: string
  /** The random secret for its cursors, base64. */
  readonly cursorSecret: string
  readonly spread: Spread
}

/** How long a verified key is cached, in milliseconds. A revoked key stops working within this time. */
export const CACHE_MILLIS = 60_000
const CACHE_ENTRIES = 1_000

interface Known {
  readonly application: Application
  readonly asked: Moment
  /** RFC 3339; undefined if the key does not expire. */
  readonly expires: string | undefined
}
const known = new Map<string, Known>()

const unexpired = ({ application, expires }: Known): Application | undefined =>
  expires !== undefined && Date.parse(expires) <= now() ? undefined : application

let cacheMillis = CACHE_MILLIS

/** Sets how long verified keys are cached, in milliseconds, for a local service. */
export const setKeyCacheMillis = (millis: number): void => {
  cacheMillis = millis
}

/** Clears the cache of verified keys, for tests. */
export const forgetApplications = (): void => known.clear()

/** Returns the application with this id and key, or undefined. Looks up each pair at most once a minute. */
export const findApplication = async (appId: string, apiKey: string): Promise<Application | undefined> => {
  if (!isApiKey(apiKey) || !isApplicationId(appId)) return undefined
  const hash = hashOf(apiKey)
  const cacheKey = `${appId}#${hash}`
  const cached = known.get(cacheKey)
  if (cached && elapsedSince(cached.asked) < cacheMillis) return unexpired(cached)
  const asked = moment()
  const item = await getItem<ApiKeyItem>(apiKeyKey(appId, hash))
  known.delete(cacheKey)
  if (!item || item.revoked || item.disabled) return undefined
  const application = {
    id: appId,
    keyId: keyIdOf(hash),
    cursorSecret: item.cursor_secret,
    spread: item.spread ?? unspread,
  }
  if (known.size >= CACHE_ENTRIES) known.clear()
  const found = { application, asked, expires: item.expires }
  known.set(cacheKey, found)
  return unexpired(found)
}
