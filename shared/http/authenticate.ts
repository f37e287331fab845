import type { Endpoint } from '../contract/endpoint.ts'
import { ApiError } from '../errors.ts'
import {
  type ApiKeyItem,
  hashOf,
  isApiKey,
  isApplicationId,
  isReadOnlyKey,
  keyIdOf,
} from '../store/credentials.ts'
import { apiKeyKey, unspread } from '../store/keys.ts'
import { getItem } from '../store/read.ts'
import { type Application, type CachedKey, currentService } from '../store/service.ts'
import { headerValues, type ReceivedRequest } from './request.ts'

/** The number of keys at which the cache is emptied. */
const CACHE_ENTRIES = 1_000

/** The application of a key; undefined if the key has expired. */
const applicationOf = ({ application, expires }: CachedKey, now: number): Application | undefined =>
  expires !== undefined && Date.parse(expires) <= now ? undefined : application

/** The application with this id and key, or undefined. Looks up each pair at most once a minute. */
export const findApplication = async (appId: string, apiKey: string): Promise<Application | undefined> => {
  if (!isApiKey(apiKey) || !isApplicationId(appId)) return undefined
  const hash = hashOf(apiKey)
  const cacheKey = `${appId}#${hash}`
  const { clock, keyCache, keyCacheMillis } = currentService()
  const cached = keyCache.get(cacheKey)
  if (cached && clock.elapsedSince(cached.lookedUpAt) < keyCacheMillis)
    return applicationOf(cached, clock.now())
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
  const verifiedKey = { application, lookedUpAt, expires: item.expires }
  keyCache.set(cacheKey, verifiedKey)
  return applicationOf(verifiedKey, clock.now())
}

/** The 401 error, which is the same for all invalid credentials. */
export const wrongCredentialsError = (): ApiError =>
  new ApiError(
    'unauthorized',
    'Send "Authorization: Bearer <API key>" and "x-app-id: <application id>", once each, of one application. ' +
      'A key is "bdk_" or "bdr_" and 40 letters and digits, without quotes.',
  )

/** The 403 error for a write with a read-only key. */
export const readOnlyKeyError = (): ApiError =>
  new ApiError(
    'forbidden',
    'This API key is read-only ("bdr_…"): it may send GET requests. To write, use a key that begins with "bdk_".',
  )

const bearerKey = (authorization: string): string | undefined =>
  /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1]

/**
 * The application of a request. All invalid credentials get the same 401. A write with a read-only key is
 * refused whatever its path and body contain. White space around a value is not removed: otherwise each
 * spelling of it would be another application to the firewall, with its own rate limit.
 */
export const authenticate = async ({ method }: Endpoint, request: ReceivedRequest): Promise<Application> => {
  const authorizations = headerValues(request.event, 'authorization')
  const appIds = headerValues(request.event, 'x-app-id')
  const [authorization = ''] = authorizations
  const [appId = ''] = appIds
  if (isApplicationId(appId)) request.claimedAppId = appId
  const apiKey = bearerKey(authorization)
  if (authorizations.length !== 1 || appIds.length !== 1 || !apiKey) throw wrongCredentialsError()
  const application = await findApplication(appId, apiKey)
  if (!application) throw wrongCredentialsError()
  request.app = application
  if (method !== 'GET' && isReadOnlyKey(apiKey)) throw readOnlyKeyError()
  return application
}
