import fc from 'fast-check'
import { type Schema, typesOf } from '../../../shared/contract/schema.ts'
import { anyCharacter } from '../any-character.ts'

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

const mostly = (usual: fc.Arbitrary<unknown>, rare: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: usual, weight: 30 }, { arbitrary: rare, weight: 1 })

/** Valid and invalid dates in many notations. */
const anyDate = fc
  .tuple(
    fc.constantFrom('2024-01-31', '2024-02-29', '2023-02-29', '2024-1-31'),
    fc.constantFrom('T', 't', ' ', '  ', ''),
    fc.constantFrom('09:30', '09:30:15', '09:30:15.123456', '09:30:15,5', '09:30.5', '9:30', '24:00', ''),
    fc.constantFrom(...',Z,z, Z, UTC,UTC,+01,-0130,+01:30, +0100, +0000 UTC,+24:00,+1, CET'.split(',')),
  )
  .map((parts) => parts.join(''))

const valueOfType = (type: string, schema: Schema): fc.Arbitrary<unknown> => {
  if (type === 'integer') return mostly(fc.integer({ min: 1, max: 120 }), anyNumber)
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'array') return fc.array(valueFor(schema.items ?? {}), { maxLength: 5 })
  if (type === 'object' && schema.properties) return randomBody(schema)
  if (type === 'object') return fc.dictionary(anyText, anything, { maxKeys: 60 })
  if (schema.format === 'currency') return fc.constantFrom('EUR', 'usd', 'JPY')
  if (schema.format === 'billing-date')
    return fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      anyDate,
    )
  return mostly(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), anyText)
}

const valueFor = (schema: Schema): fc.Arbitrary<unknown> => {
  const valid = schema.enum
    ? fc.constantFrom(...schema.enum)
    : fc.oneof(...typesOf(schema).map((type) => valueOfType(type, schema)))
  return mostly(valid, anything)
}

/** Mostly valid values, some invalid, missing or unknown. */
export const randomBody = ({ properties = {} }: Schema): fc.Arbitrary<Record<string, unknown>> => {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valueFor(schema)]),
  )
  const others = mostly(fc.constant({}), fc.dictionary(anyText, anything, { maxKeys: 3 }))
  return fc
    .tuple(fc.record(fields, { requiredKeys: Object.keys(fields).filter((_, n) => n % 2 === 0) }), others)
    .map(([declaredFields, otherFields]) => ({ ...declaredFields, ...(otherFields as object) }))
}
