import fc from 'fast-check'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Schema } from '../../shared/contract/schema.ts'
import { anyCharacter } from '../support/any-character.ts'

/** Random requests that are similar enough to valid ones to pass the first checks. */

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'x'.repeat(5000),
    ...'% null 2024-01-31 2024-02-30 EUR uſd month ١'.split(' '),
  ),
)
const anyNumber = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, 1, -1, 2 ** 53, 1e300, 5e-324),
)
const anything = fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 4 }))

const mostly = (right: fc.Arbitrary<unknown>, wrong: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: right, weight: 30 }, { arbitrary: wrong, weight: 1 })

const ofType = (type: string, schema: Schema): fc.Arbitrary<unknown> => {
  if (type === 'integer') return mostly(fc.integer({ min: 1, max: 120 }), anyNumber)
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'array') return fc.array(valueFor(schema.items ?? {}), { maxLength: 5 })
  if (type === 'object' && schema.properties) return bodyOf(schema)
  if (type === 'object') return fc.dictionary(anyText, anything, { maxKeys: 60 })
  if (schema.format === 'currency') return fc.constantFrom('EUR', 'usd', 'JPY')
  if (schema.format === 'billing-date')
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  return mostly(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), anyText)
}

const valueFor = (schema: Schema): fc.Arbitrary<unknown> => {
  const right = schema.enum
    ? fc.constantFrom(...schema.enum)
    : fc.oneof(...[schema.type ?? []].flat().map((type) => ofType(String(type), schema)))
  return mostly(right, anything)
}

/** Bodies for a schema: mostly valid values, some invalid, missing or unknown. */
export const bodyOf = ({ properties = {} }: Schema): fc.Arbitrary<Record<string, unknown>> => {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valueFor(schema)]),
  )
  const unknown = mostly(fc.constant({}), fc.dictionary(anyText, anything, { maxKeys: 3 }))
  return fc
    .tuple(fc.record(fields, { requiredKeys: Object.keys(fields).filter((_, n) => n % 2 === 0) }), unknown)
    .map(([known, more]) => ({ ...known, ...(more as object) }))
}

/** Damaged JSON text: a part is removed, duplicated or replaced. */
export const damaged = (body: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc
    .tuple(body, fc.nat(), fc.nat(5), fc.constantFrom('', '"', '{', '}', ',', '\\', 'e9', '\u0000', '\ud800'))
    .map(([value, place, length, piece]) => {
      const text = JSON.stringify(value)
      const at = place % (text.length + 1)
      return text.slice(0, at) + piece + text.slice(at + length)
    })

/** Ids in a path: valid, percent-encoded, and malformed. */
export const pathId: fc.Arbitrary<string> = fc.oneof(
  anyText.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.stringMatching(/^[\w%.~!$&'()*+,;=:@-]{1,40}$/),
  fc.stringMatching(/^(cus|prod|inv)_[0-9A-Za-z]{21,23}$/),
)

const parameter = fc.tuple(
  fc.oneof(fc.constantFrom('limit', 'cursor', 'include', 'Limit', 'limit[]'), anyText),
  fc.oneof(fc.constantFrom('1', '100', 'null', 'prices', 'customer', ''), fc.base64String(), anyText),
)

/** Query strings, correctly and incorrectly encoded. */
export const queryString: fc.Arbitrary<string> = fc.oneof(
  fc.array(parameter, { maxLength: 4 }).map((pairs) => `${new URLSearchParams(pairs as [string, string][])}`),
  fc.stringMatching(/^[\w%&=+;.\-\\/]{0,60}$/),
)

/** Values that HTTP allows in a header. */
export const headerValue: fc.Arbitrary<string> = fc.stringMatching(/^[\x21-\x7e\xa1-\xff ]{0,200}$/)

/** Returns the path of an endpoint with an id. */
export const pathFor = ({ path }: Endpoint, id: string): string => path.replace('{id}', () => id)
