import { generateKeyPairSync, sign } from 'node:crypto'

/** Encodes a value of ASN.1: tag, length, content. */
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
const bits = (value: Uint8Array): Buffer => der(3, Buffer.from([0]), value)
const time = (text: string): Buffer => der(23, Buffer.from(text))

/** Creates a key and a self-signed certificate, for tests of TLS itself. */
export const selfSigned = (): { readonly key: string; readonly cert: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const sha256WithRsa = sequence(der(6, Buffer.from('2a864886f70d01010b', 'hex')), der(5))
  const nobody = sequence()
  const from = sequence(time('200101000000Z'), time('491231235959Z'))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const signed = sequence(der(2, Buffer.from([1])), sha256WithRsa, nobody, from, nobody, spki)
  const certificate = sequence(signed, sha256WithRsa, bits(sign('sha256', signed, privateKey)))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  }
}
