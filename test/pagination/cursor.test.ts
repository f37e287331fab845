import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { catalogue } from '../../shared/catalogue.ts'
import { type CursorScope, decodeCursor, encodeCursor, type Position } from '../../shared/pagination/page.ts'
import { orderAt } from '../../shared/store/keys.ts'
import { range } from '../support/range.ts'
import { runs } from '../support/runs.ts'

const newSecret = () => randomBytes(32).toString('base64')
const scope: CursorScope = { app: 'app_1', list: 'products.list', secret: newSecret() }
const position: Position = {
  direction: 'next',
  order: orderAt(1_700_000_000_000_000, 'prod_0123456789abcdef012345'),
}
const cursor = encodeCursor(scope, position)

const seconds = fc.nat(10 ** 11)
const feeds = fc.record({
  since: seconds,
  until: seconds,
  include: fc.subarray([...new Set(catalogue.flatMap(({ include }) => Object.keys(include)))]),
})
const positions = fc.record({
  direction: fc.constantFrom('next' as const, 'previous' as const),
  order: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 30 }),
  feed: fc.option(feeds, { nil: undefined }),
})

it('a cursor decodes to the encoded position', () => {
  fc.assert(
    fc.property(positions, (anyPosition) => {
      expect(decodeCursor(scope, encodeCursor(scope, anyPosition))).toEqual(anyPosition)
    }),
    { numRuns: runs(200, 10_000) },
  )
})

it('a cursor has the same text in every version, and stays valid', () => {
  const fixed = { app: 'app_1', list: 'products.list', secret: Buffer.alloc(32, 7).toString('base64') }
  const releasedCursor = '7VSD6_3UExAwOz_p77RGSC_2UajtRrG17MI1tV2HY9UuHEqxXvU'
  expect(encodeCursor(fixed, position)).toBe(releasedCursor)
  expect(decodeCursor(fixed, releasedCursor)).toEqual(position)
})

it('a cursor contains neither the order of the position nor the id of the application', () => {
  const bytes = Buffer.from(cursor, 'base64url')
  expect(bytes.includes(position.order)).toBe(false)
  expect(bytes.includes(scope.app)).toBe(false)
})

it('a cursor shares only chance bytes with the cursor of the next microsecond', () => {
  const order = orderAt(1_700_000_000_000_001, 'prod_0123456789abcdef012345')
  const bytes = Buffer.from(cursor, 'base64url')
  const nextBytes = Buffer.from(encodeCursor(scope, { ...position, order }), 'base64url')
  const sameBytes = [...nextBytes].filter((byte, index) => byte === bytes[index])
  expect(sameBytes.length).toBeLessThan(bytes.length / 3)
})

it('a cursor is refused if any bit is flipped', () => {
  const bytes = Buffer.from(cursor, 'base64url')
  for (const [index, byte] of bytes.entries())
    for (const bit of range(8)) {
      const forged = Buffer.from(bytes)
      forged[index] = byte ^ (1 << bit)
      expect(decodeCursor(scope, forged.toString('base64url'))).toBeUndefined()
    }
})

it('a cursor is refused if any character is changed or removed', () => {
  for (const [index, character] of [...cursor].entries()) {
    const before = cursor.slice(0, index)
    const after = cursor.slice(index + 1)
    expect(decodeCursor(scope, before + after)).toBeUndefined()
    for (const other of 'A_-9+/= .\u0000é%\n')
      if (other !== character) expect(decodeCursor(scope, before + other + after)).toBeUndefined()
  }
})

it('a cursor is refused if it is cut off at its beginning or end', () => {
  for (const index of range(cursor.length)) {
    expect(decodeCursor(scope, cursor.slice(0, index))).toBeUndefined()
    expect(decodeCursor(scope, cursor.slice(index + 1))).toBeUndefined()
  }
})

it.each(['A', 'AA', 'AAAA', '=', '==', ' ', '\n', '.', '&', cursor])(
  'a cursor is refused if %j is added at its beginning, within it or at its end',
  (added) => {
    expect(decodeCursor(scope, added + cursor)).toBeUndefined()
    expect(decodeCursor(scope, cursor.slice(0, 5) + added + cursor.slice(5))).toBeUndefined()
    expect(decodeCursor(scope, cursor + added)).toBeUndefined()
  },
)

it('a cursor is refused by other lists, other applications, and with another secret', () => {
  const lists = catalogue.filter(({ operation }) => operation === 'list').map(({ id }) => id)
  expect(lists.length).toBeGreaterThan(1)
  const scopes = lists.flatMap((list) =>
    ['app_1', 'app_2'].map((app) => ({ app, list, secret: scope.secret })),
  )
  for (const from of scopes)
    for (const to of scopes)
      expect(decodeCursor(to, encodeCursor(from, position))).toEqual(from === to ? position : undefined)
  expect(decodeCursor({ ...scope, secret: newSecret() }, cursor)).toBeUndefined()
})
