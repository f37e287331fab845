import { parseDate } from '../../shared/contract/dates.ts'

/** Valid and invalid values of each kind of field. */
export interface Values {
  readonly right: readonly unknown[]
  readonly wrong: readonly unknown[]
  /** A value that counts as null where the field is optional, and is invalid where it is required. */
  readonly filler?: unknown
  /** Returns what a response shows of a valid value. Default: the value itself. */
  readonly shown?: (sent: never) => unknown
}

const MAX = Number.MAX_SAFE_INTEGER
const noText = [1, true, [], {}, ['x'], 'lone \ud800 surrogate']
const noInteger = ['1', ' ', 1.5, 1e300, true, [], {}, MAX + 1, -MAX - 1]

export const text = (maxLength: number): Values => ({
  right: ['', 'x', 'x'.repeat(maxLength), '😀'.repeat(maxLength), 'two\nlines', '\u0000', 'toString', ' '],
  wrong: [...noText, 'x'.repeat(maxLength + 1), '😀'.repeat(maxLength + 1)],
})

const long = ['x'.repeat(255), '😀'.repeat(255)]
const goodIds = [...long, 'x', 'a/b c?ü%2F#&=+', '__proto__', 'cus_NffrFeUfNV2Hib']
const badIds = ['', 'x'.repeat(256), '😀'.repeat(256), 'a\nb', '\u0000', '\u007f', '\u0085', '\ud800']

export const clientIds: Values = {
  right: [...goodIds, '...', '.a', 0, 42, -7, MAX, -MAX],
  wrong: [...badIds, '.', '..', 1.5, MAX + 1, 1e300, true, [], {}, [1]],
  shown: () => expect.stringMatching(/^[a-z]+_[0-9A-Za-z]{22}$/),
}
export const lineIds: Values = {
  right: [...goodIds, ' ', '.', '..', 0, 42, '42', -7, MAX],
  wrong: [...badIds, 1.5, MAX + 1, true, [], {}],
  shown: String,
}

export const amounts: Values = { right: [0, 1, -1, MAX, -MAX, 1e3], wrong: noInteger, filler: '' }
export const amountsFromZero: Values = { right: [0, 1, MAX], wrong: [...noInteger, -1], filler: '' }
export const counts: Values = { right: [1, 12, MAX], wrong: [...noInteger, 0, -1], filler: '' }
export const percents: Values = { right: [1, 100], wrong: [...noInteger, 0, 101, -1], filler: '' }
export const months: Values = {
  right: [12, '012', 1, '3', '1000'],
  filler: '',
  wrong: [0, -1, 1.5, '0', '00', '-1', '1.5', '+1', ' 1', '1e1', 'x', '٣', '9'.repeat(16), true, [], {}],
  shown: Number,
}
export const currencies: Values = {
  right: ['EUR', 'eur', 'Usd', 'XCG', 'DEM', 'hrk', 'ANG'],
  filler: '',
  wrong: [...noText, ' ', 'EURO', 'EU', 'XYZ', '978', 'uſd', 'EUR '],
  shown: (sent: string) => sent.toUpperCase(),
}
export const dates: Values = {
  right: [
    ...['2024-01-31', '2024-01-31 00:00:00', '2024-01-31T01:00:00.5+01:00', '2024-01-31t00:00:00z'],
    ...['2024-01-31T00:00', '2024-01-31T00:00:00+0000', '2024-01-31 00:00:00.0 UTC', '2024-01-31 01:00+01'],
    '2024-01-31 00:00:00 +0000 UTC',
    ...[
      '0000-01-01T00:00:00+23:59',
      '9999-12-31T23:59:59-23:59',
      '1969-12-31 23:59:59',
      '2016-12-31T23:59:60Z',
    ],
  ],
  wrong: [
    ...[...noText, '2024-02-30', '2024-01-31T00:00:60', '1706659200', 1_706_659_200, '2024-1-1'],
    ...['2024-01-31 00:00 CET', '31/01/2024', '2024-W05-3', '2024-031', 'yesterday'],
    'x'.repeat(99),
  ],
  filler: '',
  shown: parseDate,
}
export const flags: Values = { right: [true, false], wrong: ['true', 1, 0, [], {}], filler: '' }
export const oneOf = (...right: string[]): Values => ({
  right,
  filler: '',
  wrong: [...noText, right[0]?.toUpperCase(), `${right[0]} `, 'constructor'],
})

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) })
const ones = (count: number) => ({ ab: Array(count).fill(1) })
const ONES_OF_16_KIB = (16 * 1024 - '{"ab":[]}'.length + 1) / 2
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]))
/** Returns an object with one key of 16 KiB less `less` characters. */
const longKey = (less: number) => ({ ['x'.repeat(16 * 1024 - less)]: 1 })
export const metadata: Values = {
  filler: [],
  right: [
    {},
    { a: null, b: [1, 'two', { three: [] }], c: 1.5, d: false, e: '' },
    { constructor: { name: 'x' }, toString: 1, hasOwnProperty: 'x', valueOf: null },
    keys(50),
    { ['x'.repeat(100)]: 1, '': 2, 'a b/c~d': 3, ü: 4 },
    { text: 'x'.repeat(16 * 1024 - '{"text":""}'.length) },
    ones(ONES_OF_16_KIB),
    { a: keys(1_300) },
    { a: longKey(12) },
    { text: ['😀', { '😀': 1 }] },
    nested(8),
    { large: 1e300, small: 5e-324, zero: 0, exact: 2 ** 53 },
  ],
  wrong: [
    'x',
    1,
    true,
    [{}],
    keys(51),
    { text: 'x'.repeat(16 * 1024 - '{"text":""}'.length + 1) },
    { text: 'ü'.repeat(8 * 1024) },
    ones(ONES_OF_16_KIB + 1),
    ones(100_000),
    { a: keys(3_000) },
    { a: longKey(11) },
    { text: '\n'.repeat(8 * 1024) },
    { ['x'.repeat(100)]: Array(100).fill({ ['y'.repeat(200)]: 1 }) },
    nested(9),
    { a: nested(7), b: nested(8) },
    { deep: { er: 'lone \ud800 surrogate' } },
    { deep: { 'lone \ud800 surrogate': 1 } },
  ],
}
