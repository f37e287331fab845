import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { candidateIds, isServerId, randomText, serverIdFor } from '../shared/ids.ts'
import { isApiKey, newApiKey } from '../shared/store/credentials.ts'
import { range } from './support/range.ts'
import { runs } from './support/runs.ts'

const app = 'app_0123456789abcdef'
const clientIds = fc.oneof(fc.integer(), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 255 }))
const manyRuns = { numRuns: runs(300, 10_000) }

it('derives from any client id a server id of a prefix and 22 letters and digits', () => {
  fc.assert(
    fc.property(fc.constantFrom('prod', 'price', 'cus', 'disc', 'inv', 'sub'), clientIds, (prefix, id) => {
      const serverId = serverIdFor(app, prefix, id)
      expect(serverId).toMatch(new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`))
      expect(isServerId(prefix, serverId)).toBe(true)
      expect(serverIdFor(app, prefix, String(id))).toBe(serverId)
    }),
    manyRuns,
  )
})

it('derives another server id for each application, prefix and client id', () => {
  fc.assert(
    fc.property(clientIds, clientIds, (one, other) => {
      const ids = [one, other].flatMap((id) => [
        serverIdFor(app, 'cus', id),
        serverIdFor(`${app}0`, 'cus', id),
        serverIdFor(app, 'sub', id),
      ])
      const distinct = String(one) === String(other) ? 3 : 6
      const partsAfterPrefix = ids.map((id) => id.slice(-22))
      expect(new Set(partsAfterPrefix).size).toBe(distinct)
    }),
    manyRuns,
  )
})

// The derivation must never change, since the id is the entity's key.
it.each([
  [app, 'cus', 42, 'cus_HNUFKmVzZGxblBuFUeQVbf'],
  [app, 'prod', 'a/b c?ü%2F#&=+', 'prod_eNhPE4SUYubfBPLHavnV17'],
])('derives the same server id as every earlier version for %s, %s and %s', (appId, prefix, id, expected) => {
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

it('generates random texts of letters and digits, in the requested length', () => {
  const texts = range(500).map(() => randomText(32))
  for (const text of texts) expect(text).toMatch(/^[0-9A-Za-z]{32}$/)
  const lettersAndDigits = new Set(texts.join(''))
  expect(lettersAndDigits.size).toBe(62)
  expect(new Set(texts).size).toBe(500)
})

describe.each([
  { kind: 'ordinary', isReadOnly: false, form: /^bdk_[0-9A-Za-z]{32}[0-9a-f]{8}$/ },
  { kind: 'read-only', isReadOnly: true, form: /^bdr_[0-9A-Za-z]{32}[0-9a-f]{8}$/ },
])('a new API key, $kind,', ({ isReadOnly, form }) => {
  const key = newApiKey({ isReadOnly })

  it('has a prefix, 32 letters and digits, and a checksum of the rest', () => {
    expect(key).toMatch(form)
    expect(Number.parseInt(key.slice(-8), 16)).toBe(crc32(key.slice(0, -8)))
    expect(isApiKey(key)).toBe(true)
  })

  it('matches the pattern in docs/api.md', () => {
    const [pattern = ''] = /bd\[kr\][^`]+/.exec(readFileSync('docs/api.md', 'utf8')) ?? []
    expect(key).toMatch(new RegExp(`^${pattern}$`))
  })

  it('is no API key with any character replaced or removed', () => {
    for (const [index, character] of [...key].entries()) {
      const other = character === '1' ? '2' : '1'
      expect(isApiKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false)
      expect(isApiKey(key.slice(0, index) + key.slice(index + 1))).toBe(false)
    }
  })

  it('is no API key with the other prefix, in upper case, with white space around it, or twice', () => {
    const withOtherPrefix = key.replace(/^bd[kr]/, isReadOnly ? 'bdk' : 'bdr')
    for (const text of ['', withOtherPrefix, key.toUpperCase(), ` ${key}`, `${key}\n`, key + key])
      expect(isApiKey(text)).toBe(false)
  })
})
