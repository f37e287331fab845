import { parseDate } from '../../../shared/contract/dates.ts'
import { objectWithKeys } from './bodies.ts'

/**
 * Valid and invalid values of each kind of field. Other tests have the spellings of dates and the shapes of
 * metadata.
 */
export interface FieldValues {
  readonly valid: readonly unknown[]
  readonly invalid: readonly unknown[]
  /** Counts as null where the field is optional, and is invalid where it is required. */
  readonly filler?: unknown
  /** Default: the value itself. */
  readonly shown?: (sent: unknown) => unknown
}

const MAX = Number.MAX_SAFE_INTEGER
const MAX_METADATA_BYTES = 16 * 1024
const noTexts = [1, true, [], {}, 'lone \ud800 surrogate']
const noIntegers = ['1', 1.5, true, [], {}, MAX + 1, -MAX - 1]

export const text = (maxLength: number): FieldValues => ({
  valid: ['', '😀'.repeat(maxLength), ' \u0001two\nlines'],
  invalid: [...noTexts, 'x'.repeat(maxLength + 1), 'with\u0000null'],
})

const validIds = ['😀'.repeat(255), 'a/b c?ü%2F#&=+', '__proto__', 'cus_1', '...', '42', 0, -7, MAX]
const invalidTextIds = ['', 'x'.repeat(256), '\u0000', '\u001f', '\u007f', '\u009f', '\ud800']
const invalidIds = [...invalidTextIds, 1.5, MAX + 1, true, [], {}]

export const clientIds: FieldValues = {
  valid: validIds,
  invalid: [...invalidIds, '.', '..'],
  shown: () => expect.stringMatching(/^[a-z]+_[0-9A-Za-z]{22}$/),
}
export const lineIds: FieldValues = {
  valid: [...validIds, ' ', '..'],
  invalid: invalidIds,
  shown: String,
}

export const amounts: FieldValues = { valid: [0, 1, -1, MAX, -MAX], invalid: noIntegers, filler: '' }
export const amountsFromZero: FieldValues = { valid: [0, 1, MAX], invalid: [...noIntegers, -1], filler: '' }
export const counts: FieldValues = { valid: [1, 12, MAX], invalid: [...noIntegers, 0, -1], filler: '' }
export const percents: FieldValues = { valid: [1, 100], invalid: [...noIntegers, 0, 101, -1], filler: '' }
export const months: FieldValues = {
  valid: [12, '012', 1, '3', '1000'],
  invalid: [0, -1, 1.5, '0', '00', '-1', '1.5', '+1', ' 1', '1e1', 'x', '٣', '9'.repeat(16), true, [], {}],
  filler: '',
  shown: Number,
}
export const currencies: FieldValues = {
  valid: ['EUR', 'eur', 'XCG', 'DEM', 'hrk'],
  invalid: [...noTexts, 'EURO', 'XYZ', 'uſd', 'EUR '],
  filler: '',
  shown: (sent) => String(sent).toUpperCase(),
}
export const dates: FieldValues = {
  valid: [
    '2024-01-31',
    '2024-01-31 00:00:00',
    '2024-01-31T01:00:00.5+01:00',
    '0000-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59-23:59',
    '0001-01-01T00:00:01Z',
    '2016-12-31T23:59:60Z',
  ],
  invalid: [...noTexts, '2024-02-30', '31/01/2024', '1706659200', 1_706_659_200, 'x'.repeat(99)],
  filler: '',
  shown: (sent) => parseDate(String(sent)),
}
export const requiredDates: FieldValues = {
  ...dates,
  invalid: [...dates.invalid, '0001-01-01T00:00:00Z', '0001-01-01', '0001-01-01 01:00:00+01:00'],
}
export const flags: FieldValues = { valid: [true, false], invalid: ['true', 1, 0, [], {}], filler: '' }
export const oneOf = (...valid: string[]): FieldValues => ({
  valid,
  invalid: [...noTexts, valid[0]?.toUpperCase(), `${valid[0]} `, 'constructor'],
  filler: '',
})

const nestedObjects = (depth: number): unknown => (depth === 0 ? 1 : { a: nestedObjects(depth - 1) })
/** Takes this number of bytes as JSON. */
const longText = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })
/** Takes this number of bytes as JSON, which is even. */
const listOfOnes = (bytes: number) => ({ ab: Array((bytes - '{"ab":[]}'.length + 1) / 2).fill(1) })
const longKey = (bytes: number) => ({ a: { ['x'.repeat(bytes - '{"a":{"":1}}'.length)]: 1 } })

export const metadata: FieldValues = {
  valid: [
    {},
    { a: null, b: [1, 'two', { three: [] }], c: 1.5, d: false, e: '' },
    objectWithKeys(50),
    longText(MAX_METADATA_BYTES),
    listOfOnes(MAX_METADATA_BYTES),
    longKey(MAX_METADATA_BYTES),
    nestedObjects(8),
  ],
  invalid: [
    'x',
    [{}],
    objectWithKeys(51),
    longText(MAX_METADATA_BYTES + 1),
    { text: 'with\u0000null' },
    { deep: [{ 'with\u0000null': 1 }] },
    { text: 'ü'.repeat(8 * 1024) },
    listOfOnes(MAX_METADATA_BYTES + 2),
    longKey(MAX_METADATA_BYTES + 1),
    { text: '\n'.repeat(8 * 1024) },
    { ['x'.repeat(100)]: Array(100).fill({ ['y'.repeat(200)]: 1 }) },
    nestedObjects(9),
    { a: nestedObjects(7), b: nestedObjects(8) },
    { deep: { er: 'lone \ud800 surrogate' } },
    { deep: { 'lone \ud800 surrogate': 1 } },
  ],
  filler: [],
}
