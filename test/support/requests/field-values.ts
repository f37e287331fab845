import { parseDate } from '../../../shared/contract/dates.ts'

/** Valid and invalid values of each kind of field. Other tests have the spellings of dates and the shapes of metadata. */
export interface Values {
  readonly right: readonly unknown[]
  readonly wrong: readonly unknown[]
  /** A value that counts as null where the field is optional, and is invalid where it is required. */
  readonly filler?: unknown
  /** Returns the value that a response shows for a valid value. Default: the value itself. */
  readonly shown?: (sent: never) => unknown
}

const MAX = Number.MAX_SAFE_INTEGER
const noText = [1, true, [], {}, 'lone \ud800 surrogate']
const noInteger = ['1', 1.5, true, [], {}, MAX + 1, -MAX - 1]

export const text = (maxLength: number): Values => ({
  right: ['', '😀'.repeat(maxLength), ' \u0001two\nlines'],
  wrong: [...noText, 'x'.repeat(maxLength + 1), 'with\u0000null'],
})

const goodIds = ['😀'.repeat(255), 'a/b c?ü%2F#&=+', '__proto__', 'cus_1', '...', '42', 0, -7, MAX]
const badTexts = ['', 'x'.repeat(256), '\u0000', '\u001f', '\u007f', '\u009f', '\ud800']
const badIds = [...badTexts, 1.5, MAX + 1, true, [], {}]

export const clientIds: Values = {
  right: goodIds,
  wrong: [...badIds, '.', '..'],
  shown: () => expect.stringMatching(/^[a-z]+_[0-9A-Za-z]{22}$/),
}
export const lineIds: Values = {
  right: [...goodIds, ' ', '..'],
  wrong: badIds,
  shown: String,
}

export const amounts: Values = { right: [0, 1, -1, MAX, -MAX], wrong: noInteger, filler: '' }
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
  right: ['EUR', 'eur', 'XCG', 'DEM', 'hrk'],
  filler: '',
  wrong: [...noText, 'EURO', 'XYZ', 'uſd', 'EUR '],
  shown: (sent: string) => sent.toUpperCase(),
}
export const dates: Values = {
  right: [
    '2024-01-31',
    '2024-01-31 00:00:00',
    '2024-01-31T01:00:00.5+01:00',
    '0000-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59-23:59',
    '2016-12-31T23:59:60Z',
  ],
  wrong: [...noText, '2024-02-30', '31/01/2024', '1706659200', 1_706_659_200, 'x'.repeat(99)],
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
    keys(50),
    { text: 'x'.repeat(16 * 1024 - '{"text":""}'.length) },
    ones(ONES_OF_16_KIB),
    { a: longKey(12) },
    nested(8),
  ],
  wrong: [
    'x',
    [{}],
    keys(51),
    { text: 'x'.repeat(16 * 1024 - '{"text":""}'.length + 1) },
    { text: 'with\u0000null' },
    { deep: [{ 'with\u0000null': 1 }] },
    { text: 'ü'.repeat(8 * 1024) },
    ones(ONES_OF_16_KIB + 1),
    { a: longKey(11) },
    { text: '\n'.repeat(8 * 1024) },
    { ['x'.repeat(100)]: Array(100).fill({ ['y'.repeat(200)]: 1 }) },
    nested(9),
    { a: nested(7), b: nested(8) },
    { deep: { er: 'lone \ud800 surrogate' } },
    { deep: { 'lone \ud800 surrogate': 1 } },
  ],
}
