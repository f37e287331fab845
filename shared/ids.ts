import { createHash, randomBytes } from 'node:crypto'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const OPAQUE_LENGTH = 22

/** `length` base-62 digits of `bytes`, which must hold at least 6 bits for each. */
const base62 = (bytes: Uint8Array, length: number): string => {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  while (text.length < length) {
    text += digits[Number(rest % 62n)]
    rest /= 62n
  }
  return text
}

/** `length` random base-62 digits. */
export const randomText = (length: number): string => base62(randomBytes(length), length)

/** An opaque id derived from `parts`, none of which may hold a line break: the same parts give the same id. */
const derivedId = (prefix: string, parts: readonly string[]): string =>
  `${prefix}_${base62(createHash('sha256').update(parts.join('\n')).digest(), OPAQUE_LENGTH)}`

/**
 * The id that we assign to a client's id. It is a function of application, kind and client id, so that a create is
 * one conditional write and a client's id is found without a look-up table (I1, I2; `42` and `"42"` are one id).
 */
export const serverIdFor = (app: string, prefix: string, clientId: string | number): string =>
  derivedId(prefix, [app, prefix, String(clientId)])

/** The id of an invoice's line that was sent without one: the same on every retry (R9, I4). */
export const lineItemIdFor = (invoiceId: string, index: number): string =>
  derivedId('li', [invoiceId, String(index)])

/** Whether `text` has the form of an id that we assign, which another system's `cus_…` has not (I1). */
export const isServerId = (prefix: string, text: string): boolean =>
  text.startsWith(`${prefix}_`) &&
  text.length === prefix.length + 1 + OPAQUE_LENGTH &&
  /^[0-9A-Za-z]+$/.test(text.slice(prefix.length + 1))

/** The server ids that an id from a request may mean, the likelier first: ours before the client's (I3). */
export const candidateIds = (app: string, prefix: string, id: string | number): string[] => {
  const own = serverIdFor(app, prefix, id)
  return isServerId(prefix, String(id)) ? [String(id), own] : [own]
}
