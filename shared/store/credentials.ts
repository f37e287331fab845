import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { randomText } from '../ids.ts'

const PREFIX = 'bdk_'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 8

const checksum = (secret: string): string => crc32(secret).toString(16).padStart(CHECKSUM_LENGTH, '0')

/** A new API key: a recognisable prefix, 190 random bits, and a checksum by which a scanner tells a real one. */
export const newApiKey = (): string => {
  const secret = `${PREFIX}${randomText(SECRET_LENGTH)}`
  return secret + checksum(secret)
}

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
