import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { catalogue } from '../../shared/catalogue.ts'
import {
  type CursorScope,
  decodeCursor,
  encodeCursor,
  type Position,
} from '../../shared/pagination/cursor.ts'
import { orderAt } from '../../shared/store/keys.ts'
import { runs } from '../support/runs.ts'

const secretOf = () => randomBytes(32).toString('base64')
const scope: CursorScope = { app: 'app_1', list: 'products.list', secret: secretOf() }
const position: Position = {
  direction: 'next',
  order: orderAt(1_700_000_000_000_000, 'prod_0123456789abcdef012345'),
}
const text = encodeCursor(scope, position)

const second = fc.nat(10 ** 11)
const feeds = fc.record({
  since: second,
  until: second,
  include: fc.subarray([...new Set(catalogue.flatMap(({ include }) => Object.keys(include)))]),
})
const positions = fc.record({
  direction: fc.constantFrom('next' as const, 'previous' as const),
  order: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 30 }),
  feed: fc.option(feeds, { nil: undefined }),
})

it('a cursor decodes to the encoded position', () => {
  fc.assert(
    fc.property(positions, (each) => {
      expect(decodeCursor(scope, encodeCursor(scope, each))).toEqual(each)
    }),
    { numRuns: runs(200, 10_000) },
  )
})

it('a cursor is short and URL-safe, and stays valid in every later version', () => {
  const fixed = { app: 'app_1', list: 'products.list', secret: Buffer.alloc(32, 7).toString('base64') }
  const kept = '7VSD6_3UExAwOz_p77RGSC_2UajtRrG17MI1tV2HY9UuHEqxXvU'
  expect(encodeCursor(fixed, position)).toBe(kept)
  expect(decodeCursor(fixed, kept)).toEqual(position)
})

it('a cursor reveals no keys or times: cursors of neighbours have nothing in common', () => {
  const next = encodeCursor(scope, {
    ...position,
    order: orderAt(1_700_000_000_000_001, 'prod_0123456789abcdef012345'),
  })
  const raw = Buffer.from(text, 'base64url')
  expect(raw.includes(position.order)).toBe(false)
  expect(raw.toString('latin1')).not.toContain(scope.app)
  const same = [...Buffer.from(next, 'base64url')].filter((byte, index) => byte === raw[index])
  expect(same.length).toBeLessThan(raw.length / 3)
})

it('a cursor is refused if any bit is flipped', () => {
  const bytes = Buffer.from(text, 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const forged = Buffer.from(bytes)
    forged[bit >> 3]! ^= 1 << (bit & 7)
    expect(decodeCursor(scope, forged.toString('base64url'))).toBeUndefined()
  }
})

it('a cursor is refused if any character is changed, removed or added', () => {
  for (let index = 0; index < text.length; index += 1) {
    const [before, after] = [text.slice(0, index), text.slice(index + 1)]
    for (const other of [...'A_-9+/= .\u0000é%\n', ''])
      if (text[index] !== other) expect(decodeCursor(scope, before + other + after)).toBeUndefined()
    for (const part of [before, after]) expect(decodeCursor(scope, part)).toBeUndefined()
  }
  for (const more of ['A', 'AA', 'AAAA', '=', '==', ' ', '\n', '.', '&', text])
    for (const longer of [text + more, more + text, `${text.slice(0, 5)}${more}${text.slice(5)}`])
      expect(decodeCursor(scope, longer)).toBeUndefined()
})

it('a cursor is refused by other lists, other applications, and with another secret', () => {
  const lists = catalogue.filter(({ operation }) => operation === 'list').map(({ id }) => id)
  expect(lists.length).toBeGreaterThan(1)
  const scopes = lists.flatMap((list) =>
    ['app_1', 'app_2'].map((app) => ({ app, list, secret: scope.secret })),
  )
  for (const from of scopes)
    for (const to of scopes)
      expect(decodeCursor(to, encodeCursor(from, position))).toEqual(from === to ? position : undefined)
  expect(decodeCursor({ ...scope, secret: secretOf() }, text)).toBeUndefined()
})
