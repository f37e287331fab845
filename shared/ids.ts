import { createHash, randomBytes } from 'node:crypto'

const BASE_62_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const OPAQUE_LENGTH = 22

/** Returns `bytes` as `length` base-62 digits. There must be at least 6 bits per digit. */
const base62 = (bytes: Uint8Array, length: number): string => {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  while (text.length < length) {
    text += BASE_62_DIGITS[Number(number % 62n)]
    number /= 62n
  }
  return text
}

/** Returns `length` random base-62 digits. */
export const randomText = (length: number): string => base62(randomBytes(length), length)

/** Derives an opaque id from `parts`, which must not contain line breaks. The same parts give the same id. */
const derivedId = (prefix: string, parts: readonly string[]): string => {
  const hash = createHash('sha256').update(parts.join('\n')).digest()
  return `${prefix}_${base62(hash, OPAQUE_LENGTH)}`
}

/**
 * The server's id for a client's id. It is a hash of application, resource and client id. So a create is one
 * conditional write, and an entity is found by its client id without a look-up table. `42` and `"42"` are the
 * same id.
 */
export const serverIdFor = (app: string, prefix: string, externalId: string | number): string =>
  derivedId(prefix, [app, prefix, String(externalId)])

/** The id of a line item that was sent without an id. It is the same on every retry. */
export const lineItemIdFor = (invoiceId: string, index: number): string =>
  derivedId('li', [invoiceId, String(index)])

/** Whether `text` has the form of a server id. A `cus_…` id of another system does not. */
export const isServerId = (prefix: string, text: string): boolean =>
  text.startsWith(`${prefix}_`) &&
  text.length === prefix.length + 1 + OPAQUE_LENGTH &&
  /^[0-9A-Za-z]+$/.test(text.slice(prefix.length + 1))

/** What an id in a request can stand for: itself, if it has a server id's form, then the derived one. */
export const candidateIds = (app: string, prefix: string, id: string | number): string[] => {
  const derived = serverIdFor(app, prefix, id)
  return isServerId(prefix, String(id)) ? [String(id), derived] : [derived]
}

/** The CRC-32 of a text. Loading node:zlib for it would take some milliseconds of each start. */
export const crc32 = (text: string): number => {
  let crc = ~0
  for (const byte of Buffer.from(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1))
  }
  return ~crc >>> 0
}
