import { createHash } from 'node:crypto'
import type { Spread } from '../contract/call.ts'
import { crc32, randomText } from '../ids.ts'

/** The credentials of a client, as commands print them. */
export interface Credentials {
  readonly app_id: string
  readonly api_key: string
}

export const isApplicationId = (text: string): boolean => /^app_[0-9A-Za-z]{1,40}$/.test(text)

/**
 * The prefixes of API keys, by which scanners and people recognise them. A release that does not know
 * read-only keys refuses them, so a rollback to it gives them no further rights.
 */
const API_KEY_PREFIX = 'bdk_'
const READ_ONLY_PREFIX = 'bdr_'
const PREFIX_LENGTH = API_KEY_PREFIX.length
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 8

const checksum = (secret: string): string => crc32(secret).toString(16).padStart(CHECKSUM_LENGTH, '0')

/** What an API key allows. Without `isReadOnly`, it also allows writes. */
export interface KeyRights {
  readonly isReadOnly?: boolean | undefined
}

/** A key is a prefix that states its rights, the secret (32 base-62 digits), and a checksum of both. */
export const apiKeyOf = (secret: string, { isReadOnly = false }: KeyRights = {}): string => {
  const unchecked = `${isReadOnly ? READ_ONLY_PREFIX : API_KEY_PREFIX}${secret}`
  return unchecked + checksum(unchecked)
}

/** A new API key with 190 random bits. */
export const newApiKey = (rights?: KeyRights): string => apiKeyOf(randomText(SECRET_LENGTH), rights)

/** Whether an API key, or the part of it that may be shown, is read-only. */
export const isReadOnlyKey = (text: string): boolean => text.startsWith(READ_ONLY_PREFIX)

/** The part of an API key by which its holder recognises it; of a read-only key, this includes the prefix. */
export const keyHint = (apiKey: string): string =>
  `${isReadOnlyKey(apiKey) ? `${READ_ONLY_PREFIX}…` : ''}${apiKey.slice(-4)}`

/**
 * Whether `text` is a well-formed API key with a valid checksum. Anything else is refused without a look-up.
 */
export const isApiKey = (text: string): boolean => {
  const unchecked = text.slice(0, -CHECKSUM_LENGTH)
  return (
    text.length === PREFIX_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH &&
    (text.startsWith(API_KEY_PREFIX) || isReadOnlyKey(text)) &&
    checksum(unchecked) === text.slice(-CHECKSUM_LENGTH)
  )
}

/** Replaces everything that looks like an API key, since a user may put one in the wrong place. */
export const concealKeys = (text: string): string =>
  text.replaceAll(new RegExp(`(${API_KEY_PREFIX}|${READ_ONLY_PREFIX})\\w+`, 'g'), '$1…')

/** The stored hash of a key. With 190 random bits, a slow hash is unnecessary. */
export const hashOf = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex')

/** The id of an API key, which may be logged and printed. */
export const keyIdOf = (hash: string): string => `key_${hash.slice(0, 16)}`

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
