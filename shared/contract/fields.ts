import { lineItemIdFor } from '../ids.ts'
import type { About } from './about.ts'
import { parseDate } from './dates.ts'
import { type Field, type Fields, type RequestValues, type StoredValues, storedContent } from './field.ts'
import { metadataProblem } from './metadata.ts'
import { arraySchema, completeObjectSchema, objectSchema, type Schema, TEXT_PATTERN } from './schema.ts'

/** The types of fields. Each has a schema for requests and a conversion to its stored form. */

type Plain<Value> = Field<Value, Value, true, true>

/** The largest absolute amount. JSON numbers beyond it lose digits. */
const MAX_AMOUNT = Number.MAX_SAFE_INTEGER

const required = { required: true, visible: true } as const

/** A field that is not text reads an empty text as null. */
const notText = { filler: '' } as const

/** A field whose stored form is the sent value or, in a resource that is derived, the derived value. */
export const unchanged = <Value>(schema: Schema, about: About | undefined): Plain<Value> => ({
  ...required,
  request: schema,
  response: schema,
  toStored: (sent) => sent,
  about,
})

/** Text of at most `maxLength` characters. */
export const text = (maxLength: number, about: About | undefined): Plain<string> =>
  unchanged(
    {
      type: 'string',
      maxLength,
      pattern: TEXT_PATTERN,
      expects: `a string of at most ${maxLength} characters`,
    },
    about,
  )

/** A code of ISO 4217, active or withdrawn, in any case; stored in upper case. */
export const currency = (about: About | undefined): Plain<string> => ({
  ...unchanged(
    {
      type: 'string',
      minLength: 3,
      maxLength: 3,
      format: 'currency',
      component: 'CurrencyCode',
      expects: 'an ISO 4217 code, such as "EUR"',
    },
    about,
  ),
  ...notText,
  toStored: (sent) => sent.toUpperCase(),
})

const integerFrom = (minimum: number, maximum: number, expects: string): Schema => ({
  type: 'integer',
  minimum,
  maximum,
  expects,
})

const integerField = (schema: Schema, about: About | undefined): Plain<number> => ({
  ...unchanged<number>(schema, about),
  ...notText,
})

const moneyFrom = (minimum: number, expects: string): Schema => ({
  ...integerFrom(minimum, MAX_AMOUNT, `an integer in minor units (cents) ${expects}`),
  kind: 'money',
})

/** An integer in the currency's minor unit (cents), passed through untouched. */
export const minorUnits = (about: About | undefined): Plain<number> =>
  integerField(moneyFrom(-MAX_AMOUNT, 'within ±(2^53−1)'), about)

/** Like `minorUnits`, but at least zero. */
export const minorUnitsFromZero = (about: About | undefined): Plain<number> =>
  integerField(moneyFrom(0, 'from 0 to 2^53−1'), about)

/** An integer from 1 to 100. */
export const percent = (about: About | undefined): Plain<number> =>
  integerField(integerFrom(1, 100, 'an integer from 1 to 100'), about)

/** An integer that a double holds exactly. */
export const integer = (about: About | undefined): Plain<number> =>
  integerField(integerFrom(-MAX_AMOUNT, MAX_AMOUNT, 'an integer within ±(2^53−1)'), about)

/** A multiplier or a number of months: at least 1. */
export const count = (about: About | undefined): Plain<number> =>
  integerField(integerFrom(1, MAX_AMOUNT, 'an integer of at least 1'), about)

/** A number of months, sent as an integer or a string of digits. */
export const months = (about: About | undefined): Field<number | string, number, true, true> => ({
  ...count(about),
  request: {
    ...integerFrom(1, MAX_AMOUNT, 'an integer of at least 1, or a string of its digits'),
    type: ['integer', 'string'],
    component: 'Months',
    minLength: 1,
    maxLength: 15,
    pattern: '^0*[1-9][0-9]*$',
  },
  toStored: Number,
})

/** The schema of a date, see `parseDate`. */
export const dateSchema = {
  type: 'string',
  maxLength: 40,
  format: 'billing-date',
  component: 'BillingDate',
  expects: 'a date such as "2024-01-31", "2024-01-31 09:30:00" (UTC) or "2024-01-31T09:30:00+01:00"',
} as const satisfies Schema

/** A date, stored and returned as seconds since the epoch, UTC. */
export const timestamp = (about: About | undefined): Field<string, number, true, true> => ({
  ...required,
  ...notText,
  request: dateSchema,
  response: { type: 'integer', kind: 'time', expects: 'seconds since the epoch, UTC' },
  // Never undefined, since the date has been validated.
  toStored: (sent) => parseDate(sent) as number,
  about,
})

/** True or false. */
export const flag = (about: About | undefined): Plain<boolean> => ({
  ...unchanged<boolean>({ type: 'boolean', expects: 'true or false' }, about),
  ...notText,
})

/** One of several words. `name` is the name of the enumeration in the OpenAPI document. */
export const oneOf = <const Words extends readonly string[]>(
  name: string,
  words: Words,
  about: About | undefined,
): Plain<Words[number]> => {
  const quoted = words.map((word) => `"${word}"`).join(', ')
  const expects = words.length === 1 ? quoted : `one of ${quoted}`
  const schema: Schema = { type: 'string', enum: words, component: name, expects }
  return { ...unchanged<Words[number]>(schema, about), ...notText }
}

/** A map of the client's own keys to any JSON values, returned exactly as sent. */
export const metadata = (about: About | undefined): Plain<Record<string, unknown>> => ({
  ...unchanged(
    {
      type: 'object',
      component: 'Metadata',
      maxProperties: 50,
      propertyNames: {
        type: 'string',
        maxLength: 100,
        pattern: TEXT_PATTERN,
        expects: 'at most 100 characters',
      },
      additionalProperties: true,
      expects: 'an object of at most 50 keys',
    },
    about,
  ),
  // An empty map in a language that has only one type for maps and lists.
  filler: [],
  problem: metadataProblem,
})

/** The schema of an object of `fields` in a request. */
export const requestSchema = (fields: Fields): ReturnType<typeof objectSchema> =>
  objectSchema(
    mapFields(fields, ({ request }) => request),
    Object.keys(fields).filter((name) => fields[name]?.required),
  )

const mapFields = <T>(fields: Fields, convert: (field: Field) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, convert(field)]))

const visibleFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, { visible }]) => visible))

/** A list of at most `max` objects in the order sent. Each is stored with all its fields and returned with the visible ones. */
export const objectList = <Fs extends Fields>(
  { name, fields }: { readonly name: string; readonly fields: Fs },
  max: number,
  about: About | undefined,
): Field<RequestValues<Fs>[], StoredValues<Fs>[], true, true> => ({
  ...required,
  request: arraySchema(requestSchema(fields), max),
  response: arraySchema(
    completeObjectSchema(mapFields(visibleFields(fields), ({ response }) => response)),
    max,
  ),
  toStored: (sent, id) => sent.map((item, index) => storedContent(fields, item, lineItemIdFor(id, index))),
  items: { name, fields },
  about,
})
