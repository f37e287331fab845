import { randomBytes } from 'node:crypto'
import { randomText } from '../../shared/ids.ts'
import type { Spread } from '../../shared/spread.ts'
import type { ApiKeyItem } from '../../shared/store/authorisation.ts'
import { hashOf, type KeyRights, keyHint, newApiKey } from '../../shared/store/credentials.ts'
import { API_KEYS, APPLICATIONS, apiKeyKey, applicationKey, orderAt } from '../../shared/store/keys.ts'
import { currentService } from '../../shared/store/service.ts'

/** The records of applications and their API keys. Nothing here reads or writes the table. */

/** The ids and secrets of a new application. */
export interface Identity {
  readonly app_id: string
  readonly api_key: string
  readonly cursor_secret: string
}

/** Returns a random identity for a new application. */
export const newIdentity = (rights?: KeyRights): Identity => ({
  app_id: `app_${randomText(16)}`,
  api_key: newApiKey(rights),
  cursor_secret: randomBytes(32).toString('base64'),
})

/** The record of an application. */
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

/** The state of an application whose removal has begun, until the removal is finished. Times are RFC 3339. */
export interface RemovalState {
  readonly since: string
  /** A moment after the last write and before the first deletion. */
  readonly restore_to?: string
}

/** The record of a removed application. Times are RFC 3339. */
export interface Tombstone {
  readonly pk: string
  readonly sk: string
  readonly removed: string
  readonly restore_to: string
  /** The number of shards of each list. */
  readonly shards: number
}

/** Returns a new value of `ApplicationItem.revision`. */
export const newRevision = (): string => randomText(16)

/** Returns the current time, or the time some milliseconds later, as RFC 3339. */
export const timestamp = (millisLater = 0): string =>
  new Date(currentService().clock.now() + millisLater).toISOString()

/** Returns the record of a new application. */
export const newApplicationItem = ({ app_id, cursor_secret }: Identity, name: string): ApplicationItem => ({
  ...applicationKey(app_id),
  list: APPLICATIONS,
  order: orderAt(currentService().clock.recordingInstant(), app_id),
  data: { name, created: timestamp() },
  cursor_secret,
  revision: newRevision(),
})

/** Returns the attributes of an application that are copied to its keys. */
export const copiedAttributes = ({ data: { name, disabled, removing, spread } }: ApplicationItem) => ({
  application_name: name,
  disabled: disabled ?? removing?.since ?? null,
  spread: spread ?? null,
})

/** Returns the record of a new key, which expires after `lifetime` milliseconds if given. */
export const newApiKeyItem = (
  application: ApplicationItem,
  apiKey: string,
  lifetime: number | undefined,
): ApiKeyItem => {
  const { pk, cursor_secret } = application
  const hash = hashOf(apiKey)
  return {
    ...apiKeyKey(pk, hash),
    list: API_KEYS,
    order: hash,
    created: timestamp(),
    ends_with: keyHint(apiKey),
    cursor_secret,
    ...copiedAttributes(application),
    ...(lifetime === undefined ? {} : { expires: timestamp(lifetime) }),
  }
}
