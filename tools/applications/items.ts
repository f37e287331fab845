import { randomBytes } from 'node:crypto'
import type { Clock } from '../../shared/clock.ts'
import type { Spread } from '../../shared/contract/call.ts'
import { randomText } from '../../shared/ids.ts'
import type { ApiKeyItem } from '../../shared/store/credentials.ts'
import { hashOf, type KeyRights, keyHint, newApiKey } from '../../shared/store/credentials.ts'
import { API_KEYS, APPLICATIONS, apiKeyKey, applicationKey, orderAt } from '../../shared/store/keys.ts'

export interface Identity {
  readonly app_id: string
  readonly api_key: string
  readonly cursor_secret: string
}

export const newIdentity = (rights?: KeyRights): Identity => ({
  app_id: `app_${randomText(16)}`,
  api_key: newApiKey(rights),
  cursor_secret: randomBytes(32).toString('base64'),
})

export interface ApplicationItem {
  readonly pk: string
  readonly sk: string
  readonly list: string
  readonly order: string
  readonly cursor_secret: string
  /** A random text, replaced by every command that changes `data` or adds a key. */
  readonly revision: string
  /** Projected into the list index. */
  readonly data: {
    readonly name: string
    readonly created: string
    readonly disabled?: string
    readonly removing?: RemovalState
    readonly spread?: Spread
  }
}

/** Until the removal is finished. Times are RFC 3339. */
export interface RemovalState {
  readonly since: string
  /** After the last write and before the first deletion. */
  readonly restore_to?: string
}

/** Of a removed application. Times are RFC 3339. */
export interface Tombstone {
  readonly pk: string
  readonly sk: string
  readonly removed: string
  readonly restore_to: string
  readonly shards: number
}

export const newRevision = (): string => randomText(16)

/** RFC 3339, of milliseconds since the epoch. */
export const timestampText = (millis: number): string => new Date(millis).toISOString()

export const newApplicationItem = (
  { app_id, cursor_secret }: Identity,
  name: string,
  clock: Clock,
): ApplicationItem => ({
  ...applicationKey(app_id),
  list: APPLICATIONS,
  order: orderAt(clock.recordingInstant(), app_id),
  data: { name, created: timestampText(clock.now()) },
  cursor_secret,
  revision: newRevision(),
})

export const copiedAttributes = ({ data: { name, disabled, removing, spread } }: ApplicationItem) => ({
  application_name: name,
  disabled: disabled ?? removing?.since ?? null,
  spread: spread ?? null,
})

export const newApiKeyItem = (
  application: ApplicationItem,
  apiKey: string,
  { now, lifetime }: { readonly now: number; readonly lifetime: number | undefined },
): ApiKeyItem => {
  const { pk, cursor_secret } = application
  const hash = hashOf(apiKey)
  return {
    ...apiKeyKey(pk, hash),
    list: API_KEYS,
    order: hash,
    created: timestampText(now),
    ends_with: keyHint(apiKey),
    cursor_secret,
    ...copiedAttributes(application),
    ...(lifetime === undefined ? {} : { expires: timestampText(now + lifetime) }),
  }
}
