import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { candidateIds, isServerId, randomText, serverIdFor } from '../shared/ids.ts'
import { isApiKey, newApiKey } from '../shared/store/credentials.ts'
import { runs } from './support/runs.ts'

const app = 'app_0123456789abcdef'
const clientId = fc.oneof(fc.integer(), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 255 }))
const many = { numRuns: runs(300, 10_000) }

it('derives a server id of a prefix and 22 letters and digits from any client id', () => {
  fc.assert(
    fc.property(fc.constantFrom('prod', 'price', 'cus', 'disc', 'inv', 'sub'), clientId, (prefix, id) => {
      const own = serverIdFor(app, prefix, id)
      expect(own).toMatch(new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`))
      expect(isServerId(prefix, own)).toBe(true)
      expect(serverIdFor(app, prefix, String(id))).toBe(own)
    }),
    many,
  )
})

it('derives another server id for each application, kind and client id', () => {
  fc.assert(
    fc.property(clientId, clientId, (one, other) => {
      const ids = [one, other].flatMap((id) => [
        serverIdFor(app, 'cus', id),
        serverIdFor(`${app}0`, 'cus', id),
        serverIdFor(app, 'sub', id),
      ])
      const distinct = String(one) === String(other) ? 3 : 6
      expect(new Set(ids.map((id) => id.slice(-22))).size).toBe(distinct)
    }),
    many,
  )
})

// The derivation must never change, since the id is the entity's key.
it.each([
  [app, 'cus', 42, 'cus_HNUFKmVzZGxblBuFUeQVbf'],
  [app, 'prod', 'a/b c?ü%2F#&=+', 'prod_eNhPE4SUYubfBPLHavnV17'],
])('never changes the server id of %s %s %s', (appId, prefix, id, expected) => {
  expect(serverIdFor(appId, prefix, id)).toBe(expected)
})

it.each([
  '',
  'cus_',
  'cus_NffrFeUfNV2Hib',
  'price_1MoBy5LkdIwHu7ixZhnattbh',
  `cus_${'a'.repeat(21)}`,
  `cus_${'a'.repeat(23)}`,
  `cus_-${'a'.repeat(21)}`,
  `cus_${'a'.repeat(21)}\n`,
  `CUS_${'a'.repeat(22)}`,
  `xcus_${'a'.repeat(22)}`,
])('recognises no server id in "%s"', (text) => {
  for (const prefix of ['cus', 'sub', 'price', 'prod']) expect(isServerId(prefix, text)).toBe(false)
  expect(candidateIds(app, 'cus', text)).toEqual([serverIdFor(app, 'cus', text)])
})

it('makes random text of every letter and digit, in the requested length', () => {
  const texts = Array.from({ length: 500 }, () => randomText(32))
  expect(texts.every((text) => /^[0-9A-Za-z]{32}$/.test(text))).toBe(true)
  expect(new Set(texts.join('')).size).toBe(62)
  expect(new Set(texts).size).toBe(500)
})

it.each([
  [false, /^bdk_[0-9A-Za-z]{32}[0-9a-f]{8}$/],
  [true, /^bdr_[0-9A-Za-z]{32}[0-9a-f]{8}$/],
])('recognises an API key by prefix, length and checksum (read-only: %s)', (isReadOnly, form) => {
  const key = newApiKey({ isReadOnly })
  expect(key).toMatch(form)
  const [pattern = ''] = /bd\[kr\][^`]+/.exec(readFileSync('docs/api.md', 'utf8')) ?? []
  expect(key).toMatch(new RegExp(`^${pattern}$`))
  expect(Number.parseInt(key.slice(-8), 16)).toBe(crc32(key.slice(0, -8)))
  expect(isApiKey(key)).toBe(true)
  for (let at = 0; at < key.length; at += 1) {
    const other = key[at] === '1' ? '2' : '1'
    expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false)
    expect(isApiKey(key.slice(0, at) + key.slice(at + 1))).toBe(false)
  }
  const otherPrefix = key.replace(/^bd[kr]/, isReadOnly ? 'bdk' : 'bdr')
  for (const text of ['', otherPrefix, key.toUpperCase(), ` ${key}`, `${key}\n`, key + key])
    expect(isApiKey(text)).toBe(false)
})
