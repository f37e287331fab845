import { createHash } from 'node:crypto'
import { crc32 } from '../crc32.ts'
import { randomText } from '../ids.ts'

/** Returns whether `text` has the form of an application id. */
export const isApplicationId = (text: string): boolean => /^app_[0-9A-Za-z]{1,40}$/.test(text)

/** The prefix of every API key, by which scanners and people recognise one. */
export const API_KEY_PREFIX = 'bdk_'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 8

const checksum = (secret: string): string => crc32(secret).toString(16).padStart(CHECKSUM_LENGTH, '0')

/** Returns the API key of a secret of 32 base-62 digits: a recognisable prefix, the secret, a checksum. */
export const apiKeyOf = (secret: string): string =>
  `${API_KEY_PREFIX}${secret}${checksum(API_KEY_PREFIX + secret)}`

/** Returns a new API key with 190 random bits. */
export const newApiKey = (): string => apiKeyOf(randomText(SECRET_LENGTH))

/** Returns whether `text` is a well-formed API key with a valid checksum. Anything else is refused without a look-up. */
export const isApiKey = (text: string): boolean => {
  const secret = text.slice(0, -CHECKSUM_LENGTH)
  return (
    text.length === API_KEY_PREFIX.length + SECRET_LENGTH + CHECKSUM_LENGTH &&
    text.startsWith(API_KEY_PREFIX) &&
    checksum(secret) === text.slice(-CHECKSUM_LENGTH)
  )
}

/** Replaces everything that looks like an API key, since a user may put one in the wrong place. */
export const concealKeys = (text: string): string =>
  text.replaceAll(new RegExp(`${API_KEY_PREFIX}\\w+`, 'g'), `${API_KEY_PREFIX}…`)

/** Returns the stored hash of a key. With 190 random bits, a slow hash is unnecessary. */
export const hashOf = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex')

/** Returns the id of an API key, which may be logged and printed. */
export const keyIdOf = (hash: string): string => `key_${hash.slice(0, 16)}`
