import { range } from '../support/range.ts'

/** Makes a hostile body from the JSON text of a valid body: a text, or bytes that are not UTF-8. */
type HostileBody = (validBody: string) => string | Uint8Array

const withMember =
  (member: string): HostileBody =>
  (validBody) =>
    `${validBody.slice(0, -1)},${member}}`

const nested = (depth: number, open: string, close: string, innermost = '1') =>
  `${open.repeat(depth)}${innermost}${close.repeat(depth)}`
const joinedBytes = (...parts: (string | Uint8Array)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
const utf16 = (text: string) => joinedBytes(Uint8Array.of(0xff, 0xfe), Buffer.from(text, 'utf16le'))

const prototypes: Record<string, HostileBody> = {
  'the name of a prototype': withMember('"__proto__":{"polluted":true}'),
  'the name of a prototype in metadata': withMember('"metadata":{"__proto__":{"polluted":true}}'),
  'the name of a prototype in a nested object of metadata': withMember(
    '"metadata":{"a":[{"__proto__":{"polluted":true}}]}',
  ),
  'the name of a prototype in a line item': withMember('"line_items":[{"__proto__":{"amount":1}}]'),
  'the name of a prototype as the first field': (validBody) =>
    `{"__proto__":{"polluted":true},${validBody.slice(1)}`,
  "a constructor's prototype in metadata": withMember(
    '"metadata":{"constructor":{"prototype":{"polluted":true}}}',
  ),
  'a constructor in metadata': withMember('"metadata":{"constructor":{"name":"x"}}'),
  'the names of the methods that define getters': withMember('"__defineGetter__":"x","__lookupSetter__":1'),
  'the name of a method that JSON.stringify calls': withMember(
    '"metadata":{"toJSON":"x","valueOf":1,"then":{"a":1}}',
  ),
  'the names of the methods of every object': withMember('"toString":1,"hasOwnProperty":2,"isPrototypeOf":3'),
}

const numerals = [
  ...'1e300 1e400 -1e999 1e-400 9007199254740993 -9007199254740993 0.1 -0 5e-324 NaN 0x10 ١'.split(' '),
  `1${'0'.repeat(300)}`,
  `1.${'0'.repeat(100_000)}1${'0'.repeat(100_000)}`,
]
const numbers: Record<string, HostileBody> = Object.fromEntries(
  numerals.flatMap((number) => {
    const name = number.slice(0, 12)
    return [
      [`${name} as an amount`, withMember(`"total":${number},"price":${number},"amount_off":${number}`)],
      [`${name} in metadata`, withMember(`"metadata":{"n":${number}}`)],
    ]
  }),
)

const shapes: Record<string, HostileBody> = {
  'a list of 20,000 levels': () => nested(20_000, '[', ']'),
  'an object of 20,000 levels': () => nested(20_000, '{"a":', '}'),
  'metadata of 20,000 levels': withMember(`"metadata":${nested(20_000, '{"a":', '}')}`),
  'metadata of 20,000 levels of lists': withMember(`"metadata":{"a":${nested(20_000, '[', ']')}}`),
  'a name of 20,000 levels': withMember(
    `"name":${nested(20_000, '{"a":', '}')},"currency":${nested(20_000, '[', ']')}`,
  ),
  '20,000 inexact numbers below 60,000 levels': withMember(
    `"x":${nested(60_000, '[', ']', Array(20_000).fill('1e999').join())}`,
  ),
  'an escape beside metadata of 20,000 levels': withMember(`"metadata":{"\\n":${nested(20_000, '[', ']')}}`),
  '20,000 unknown fields': (validBody) =>
    `${validBody.slice(0, -1)}${range(20_000)
      .map((n) => `,"f${n}":1`)
      .join('')}}`,
  '20,000 keys of metadata': withMember(`"metadata":{${range(20_000).map((n) => `"${n}":1`)}}`),
  '40,000 lines': withMember(`"line_items":[${Array(40_000).fill('{}')}]`),
  '250 lines of unknown fields': withMember(
    `"line_items":[${Array(250).fill(`{${range(100).map((n) => `"${n}":1`)}}`)}]`,
  ),
  '40,000 discounts': withMember(`"discounts":[${Array(40_000).fill('"x"')}]`),
  'a key of 200,000 characters': withMember(`"${'k'.repeat(200_000)}":1`),
  'a text of 200,000 characters': withMember(`"description":"${'x'.repeat(200_000)}"`),
  '100,000 escapes': withMember(`"description":"${'\\"'.repeat(100_000)}"`),
  'the id 20,000 times': (validBody) => `${validBody.slice(0, -1)}${',"id":"x"'.repeat(20_000)}}`,
  'the valid body as a JSON text': (validBody) => JSON.stringify(validBody),
  'only null': () => 'null',
}

const texts: Record<string, HostileBody> = {
  'a byte order mark': (validBody) => `\ufeff${validBody}`,
  'UTF-16, little-endian': utf16,
  'Latin 1': (validBody) => joinedBytes(validBody.slice(0, -1), ',"title":"', Uint8Array.of(0xe9), '"}'),
  'an overlong encoding': (validBody) =>
    joinedBytes(validBody.slice(0, -1), ',"title":"', Uint8Array.of(0xc0, 0xaf), '"}'),
  'a surrogate in UTF-8': (validBody) =>
    joinedBytes(validBody.slice(0, -1), ',"title":"', Uint8Array.of(0xed, 0xa0, 0x80), '"}'),
  'a character cut in half': (validBody) => joinedBytes(validBody, Uint8Array.of(0xf0, 0x9f)),
  'compressed bytes': () => Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3),
  'a null byte at the end': (validBody) => joinedBytes(validBody, Uint8Array.of(0)),
  'a lone high surrogate': withMember('"name":"\\ud83d","title":"\\ud83d","metadata":{"a":"\\ud83d"}'),
  'a lone low surrogate in a key': withMember('"metadata":{"\\ude00":1}'),
  'an escaped null character': withMember('"description":"\\u0000"'),
  'a broken escape': withMember('"description":"\\x41"'),
  'no closing brace': (validBody) => validBody.slice(0, -1),
  XML: () => '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>',
  'an expression': () => '{"id":"#{1+1}","name":"{{7*7}}"}',
  'a condition of the database': () => '{"id":{"S":"1"},"name":{"$ne":null},"product_id":{"$gt":""}}',
  'a marshalled item': withMember('"metadata":{"M":{"pk":{"S":"x"}},"N":"1","NULL":true}'),
  '300,000 bytes': () => 'x'.repeat(300_000),
  '10 MB': () => 'x'.repeat(10_000_000),
  'more than 10 MB': () => `{"id":"${'x'.repeat(11_000_000)}"}`,
}

export const hostileBodies: Readonly<Record<string, HostileBody>> = {
  ...prototypes,
  ...numbers,
  ...shapes,
  ...texts,
}
