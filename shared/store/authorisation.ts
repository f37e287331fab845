import { GetCommand, type GetCommandOutput } from '@aws-sdk/lib-dynamodb'
import { now } from '../clock.ts'
import { config } from '../config.ts'
import { hashOf, isApiKey } from './credentials.ts'
import { apiKeyKey } from './keys.ts'
import { send } from './send.ts'

/** The application that a request's credentials prove. */
export interface Application {
  readonly id: string
  /** The random secret that its cursors are made with, base64. */
  readonly cursorSecret: string
}

/** How long a key may be taken as good after it was looked up: a revoked one stops working within this time. */
const CACHE_MILLIS = 60_000
const CACHE_ENTRIES = 1_000
const known = new Map<string, { readonly application: Application; readonly until: number }>()

/** Forgets which keys are good, for tests. */
export const forgetApplications = (): void => known.clear()

/** The application with this id and key, or undefined for any other pair; at most one look-up a minute for each. */
export const findApplication = async (appId: string, apiKey: string): Promise<Application | undefined> => {
  if (!isApiKey(apiKey) || !/^app_[0-9A-Za-z]{1,40}$/.test(appId)) return undefined
  const hash = hashOf(apiKey)
  const cacheKey = `${appId}#${hash}`
  const cached = known.get(cacheKey)
  if (cached && now() < cached.until) return cached.application
  const until = now() + CACHE_MILLIS
  const { Item } = await send<GetCommandOutput>(
    new GetCommand({ TableName: config().table, Key: apiKeyKey(appId, hash), ConsistentRead: true }),
  )
  known.delete(cacheKey)
  if (!Item || Item.revoked !== undefined) return undefined
  const application = { id: appId, cursorSecret: Item.cursor_secret as string }
  if (known.size >= CACHE_ENTRIES) known.clear()
  known.set(cacheKey, { application, until })
  return application
}
