import { metadataProblem } from '../../shared/contract/metadata.ts'
import { each, periodIsOrdered } from '../../shared/contract/rules.ts'

const BYTES = 16 * 1024
const tooLong = 'must be at most 16384 bytes of JSON'
const tooDeep = 'must be nested at most 8 levels deep'
const notUnicode = 'must be Unicode text throughout, without lone surrogates'

/** Returns an object whose JSON has this many bytes. */
const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })
/** Returns an object with this many keys of four characters, each nine bytes of JSON. */
const ofKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [1_000 + n, 1]))
const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })

describe('metadata', () => {
  it.each<[string, unknown, string | undefined]>([
    ['not there', undefined, undefined],
    ['null', null, undefined],
    ['of another type', 'text', undefined],
    ['of 16 KiB', ofBytes(BYTES), undefined],
    ['of one byte more', ofBytes(BYTES + 1), tooLong],
    ['of one byte more in UTF-8', { a: `${ofBytes(BYTES).a.slice(2)}€` }, tooLong],
    ['of 16 KiB of numbers', { ab: Array(8_188).fill(1) }, undefined],
    ['of one number more', { ab: Array(8_189).fill(1) }, tooLong],
    ['of 16 KiB of keys', { a: ofKeys(1_819) }, undefined],
    ['of one key more', { a: ofKeys(1_820) }, tooLong],
    ['of a long key', { a: { ['x'.repeat(BYTES - 11)]: 1 } }, tooLong],
    ['of a key that just fits', { a: { ['x'.repeat(BYTES - 12)]: 1 } }, undefined],
    ['of escapes that are longer as JSON', { a: '\n'.repeat(BYTES / 2) }, tooLong],
    ['of eight levels', nested(8), undefined],
    ['of nine', nested(9), tooDeep],
    ['of nine in the second of two', { a: nested(7), b: nested(8) }, tooDeep],
    ['of nine, lists included', { a: [[[[[[[[1]]]]]]]] }, tooDeep],
    ['with half a character', { a: ['x', '\ud800'] }, notUnicode],
    ['with half a character in a key', { a: { b: 1, '\udc00': 1 } }, notUnicode],
    ['with whole characters', { a: { '😀': ['😀', null, 1, true] } }, undefined],
  ])('%s', (_, metadata, problem) => expect(metadataProblem(metadata)).toBe(problem))

  it.each([[1], [''], [{}], [{ key: 1 }]])('is not scanned beyond the allowed bytes: %j', (item) => {
    let looks = 0
    const list = new Proxy(Array(1_000_000).fill(item), {
      get: (target, key) => {
        looks += 1
        return Reflect.get(target, key)
      },
    })
    expect(metadataProblem({ a: list })).toBe(tooLong)
    // Each step reads the list's length and one item.
    expect(looks).toBeLessThan(3 * BYTES)
  })
})

describe('a period', () => {
  const before = (start: string) => [
    { path: 'period_end', problem: `must not be before period_start (got "2024-01-01", before "${start}")` },
  ]

  it.each<[unknown, unknown, unknown]>([
    ['2024-01-01', '2024-01-02', []],
    ['2024-01-01', '2024-01-01', []],
    ['2024-01-02', '2024-01-01', before('2024-01-02')],
    ['2024-01-01T00:00:01Z', '2024-01-01', before('2024-01-01T00:00:01Z')],
    [undefined, '2024-01-01', []],
    ['2024-01-02', undefined, []],
    ['2024-01-02', 1, []],
    ['2024-01-02', 'yesterday', []],
    ['tomorrow', '2024-01-01', []],
    [null, null, []],
  ])('from %s to %s', (period_start, period_end, faults) =>
    expect(periodIsOrdered({ period_start, period_end })).toEqual(faults),
  )
})

describe('a rule for each object of a list', () => {
  const rule = each('lines', ({ a }) => (a === 1 ? [{ path: 'a', problem: 'must not be 1' }] : []))

  it.each<[unknown, string[]]>([
    [undefined, []],
    ['text', []],
    [{ a: 1 }, []],
    [[], []],
    [
      [{ a: 1 }, { a: 2 }, { a: 1 }],
      ['lines[0].a', 'lines[2].a'],
    ],
    [[null, 1, 'x', { a: 1 }], ['lines[3].a']],
  ])('%j', (lines, paths) => expect(rule({ lines }).map(({ path }) => path)).toEqual(paths))
})
