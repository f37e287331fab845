/** Hostile bodies, each made from the JSON text of a valid body: a text, or bytes that are not UTF-8. */
type Hostile = (right: string) => string | Uint8Array

/** Returns the valid body with an additional field. */
const and =
  (member: string): Hostile =>
  (right) =>
    `${right.slice(0, -1)},${member}}`

const deep = (depth: number, open: string, close: string, core = '1') =>
  `${open.repeat(depth)}${core}${close.repeat(depth)}`
const bytes = (...parts: (string | Uint8Array)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)))
const utf16 = (text: string) => bytes(Uint8Array.of(0xff, 0xfe), Buffer.from(text, 'utf16le'))

const prototypes: Record<string, Hostile> = {
  'a prototype': and('"__proto__":{"polluted":true}'),
  'a prototype in metadata': and('"metadata":{"__proto__":{"polluted":true}}'),
  'a prototype deep in metadata': and('"metadata":{"a":[{"__proto__":{"polluted":true}}]}'),
  'a prototype in a line': and('"line_items":[{"__proto__":{"amount":1}}]'),
  'a prototype first of all': (right) => `{"__proto__":{"polluted":true},${right.slice(1)}`,
  "a constructor's prototype in metadata": and('"metadata":{"constructor":{"prototype":{"polluted":true}}}'),
  'a constructor in metadata': and('"metadata":{"constructor":{"name":"x"}}'),
  'a getter': and('"__defineGetter__":"x","__lookupSetter__":1'),
  toJSON: and('"metadata":{"toJSON":"x","valueOf":1,"then":{"a":1}}'),
  'names of every object': and('"toString":1,"hasOwnProperty":2,"isPrototypeOf":3'),
}

const numerals = [
  ...'1e300 1e400 -1e999 1e-400 9007199254740993 -9007199254740993 0.1 -0 5e-324 NaN 0x10 ١'.split(' '),
  `1${'0'.repeat(300)}`,
  `1.${'0'.repeat(100_000)}1${'0'.repeat(100_000)}`,
]
const numbers: Record<string, Hostile> = Object.fromEntries(
  numerals.flatMap((number) => {
    const name = number.slice(0, 12)
    return [
      [`${name} as an amount`, and(`"total":${number},"price":${number},"amount_off":${number}`)],
      [`${name} in metadata`, and(`"metadata":{"n":${number}}`)],
    ]
  }),
)

const shapes: Record<string, Hostile> = {
  'a list 20,000 deep': () => deep(20_000, '[', ']'),
  'an object 20,000 deep': () => deep(20_000, '{"a":', '}'),
  'metadata 20,000 deep': and(`"metadata":${deep(20_000, '{"a":', '}')}`),
  'metadata of lists 20,000 deep': and(`"metadata":{"a":${deep(20_000, '[', ']')}}`),
  'a name 20,000 deep': and(`"name":${deep(20_000, '{"a":', '}')},"currency":${deep(20_000, '[', ']')}`),
  '20,000 bad numbers 60,000 deep': and(`"x":${deep(60_000, '[', ']', Array(20_000).fill('1e999').join())}`),
  'an escape beside metadata 20,000 deep': and(`"metadata":{"\\n":${deep(20_000, '[', ']')}}`),
  '20,000 unknown fields': (right) =>
    `${right.slice(0, -1)}${Array.from({ length: 20_000 }, (_, n) => `,"f${n}":1`).join('')}}`,
  '20,000 keys of metadata': and(`"metadata":{${Array.from({ length: 20_000 }, (_, n) => `"${n}":1`)}}`),
  '40,000 lines': and(`"line_items":[${Array(40_000).fill('{}')}]`),
  '250 lines of unknown fields': and(
    `"line_items":[${Array(250).fill(`{${Array.from({ length: 100 }, (_, n) => `"${n}":1`)}}`)}]`,
  ),
  '40,000 discounts': and(`"discounts":[${Array(40_000).fill('"x"')}]`),
  'a key of 200,000 characters': and(`"${'k'.repeat(200_000)}":1`),
  'a text of 200,000 characters': and(`"description":"${'x'.repeat(200_000)}"`),
  '100,000 escapes': and(`"description":"${'\\"'.repeat(100_000)}"`),
  'the id 20,000 times': (right) => `${right.slice(0, -1)}${',"id":"x"'.repeat(20_000)}}`,
  'the right body as text': (right) => JSON.stringify(right),
  'null alone': () => 'null',
}

const texts: Record<string, Hostile> = {
  'a byte order mark': (right) => `\ufeff${right}`,
  'UTF-16, little end first': utf16,
  'Latin 1': (right) => bytes(right.slice(0, -1), ',"title":"', Uint8Array.of(0xe9), '"}'),
  'an overlong encoding': (right) => bytes(right.slice(0, -1), ',"title":"', Uint8Array.of(0xc0, 0xaf), '"}'),
  'a surrogate in UTF-8': (right) =>
    bytes(right.slice(0, -1), ',"title":"', Uint8Array.of(0xed, 0xa0, 0x80), '"}'),
  'a character cut in half': (right) => bytes(right, Uint8Array.of(0xf0, 0x9f)),
  'compressed bytes': () => Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3),
  'a zero byte at the end': (right) => bytes(right, Uint8Array.of(0)),
  'a lone high surrogate': and('"name":"\\ud83d","title":"\\ud83d","metadata":{"a":"\\ud83d"}'),
  'a lone low surrogate as key': and('"metadata":{"\\ude00":1}'),
  'an escaped zero': and('"description":"\\u0000"'),
  'a broken escape': and('"description":"\\x41"'),
  'no end': (right) => right.slice(0, -1),
  XML: () => '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>',
  'an expression': () => '{"id":"#{1+1}","name":"{{7*7}}"}',
  'a condition of the database': () => '{"id":{"S":"1"},"name":{"$ne":null},"product_id":{"$gt":""}}',
  'a marshalled item': and('"metadata":{"M":{"pk":{"S":"x"}},"N":"1","NULL":true}'),
  '300,000 bytes': () => 'x'.repeat(300_000),
  '10 MB': () => 'x'.repeat(10_000_000),
  'more than 10 MB': () => `{"id":"${'x'.repeat(11_000_000)}"}`,
}

/** The hostile bodies by description. */
export const hostile: Readonly<Record<string, Hostile>> = { ...prototypes, ...numbers, ...shapes, ...texts }
