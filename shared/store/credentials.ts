import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { randomText } from '../ids.ts'

/** Whether `text` has the form of an application's id. */
export const isApplicationId = (text: string): boolean => /^app_[0-9A-Za-z]{1,40}$/.test(text)

const PREFIX = 'bdk_'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 8

const checksum = (secret: string): string => crc32(secret).toString(16).padStart(CHECKSUM_LENGTH, '0')

/** The API key of a secret of 32 base-62 digits: behind a recognisable prefix, before a checksum that tells a real one. */
export const apiKeyOf = (secret: string): string => `${PREFIX}${secret}${checksum(PREFIX + secret)}`

/** A new API key, of 190 random bits. */
export const newApiKey = (): string => apiKeyOf(randomText(SECRET_LENGTH))

/** Whether `text` has the form of an API key and its checksum holds; no look-up is spent on anything else. */
export const isApiKey = (text: string): boolean => {
  const secret = text.slice(0, -CHECKSUM_LENGTH)
  return (
    text.length === PREFIX.length + SECRET_LENGTH + CHECKSUM_LENGTH &&
    text.startsWith(PREFIX) &&
    checksum(secret) === text.slice(-CHECKSUM_LENGTH)
  )
}

/** What is stored of a key. Its 190 random bits make a slow hash needless. */
export const hashOf = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex')

/** The id of an API key, which may be logged and shown. */
export const keyIdOf = (hash: string): string => `key_${hash.slice(0, 16)}`
