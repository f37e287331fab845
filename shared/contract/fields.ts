import { lineItemIdFor } from '../ids.ts'
import type { About } from './about.ts'
import { parseDate } from './dates.ts'
import {
  type Field,
  type Fields,
  type RequestValues,
  requiredAndVisible,
  type StoredValues,
  storedContent,
} from './field.ts'
import { metadataProblem } from './metadata.ts'
import {
  arraySchema,
  completeObjectSchema,
  type ObjectSchema,
  objectSchema,
  type Schema,
  TEXT_PATTERN,
} from './schema.ts'

/** The kinds of fields. Each has a schema for requests and a conversion to its stored form. */

/** A required field whose stored form has the type of the sent value. */
type SimpleField<Value> = Field<Value, Value, true, true>

/** The largest integer. Larger JSON numbers lose digits. */
const MAX_INTEGER = Number.MAX_SAFE_INTEGER

/** The mark of a field that is not text: it reads an empty text as null. */
const emptyTextIsNull = { filler: '' } as const

/** A field whose stored form is the sent value or, in a derived resource, the derived value. */
export const unchanged = <Value>(schema: Schema, about: About | undefined): SimpleField<Value> => ({
  ...requiredAndVisible,
  request: schema,
  response: schema,
  toStored: (sent) => sent,
  about,
})

/** Text of at most `maxLength` characters. */
export const text = (maxLength: number, about: About | undefined): SimpleField<string> =>
  unchanged(
    {
      type: 'string',
      maxLength,
      pattern: TEXT_PATTERN,
      expects: `a string of at most ${maxLength} characters`,
    },
    about,
  )

/** A code of ISO 4217, stored in upper case. `hint` is the end of what an error expects. */
export const currency = (about: About | undefined, hint = ''): SimpleField<string> => ({
  ...unchanged(
    {
      type: 'string',
      minLength: 3,
      maxLength: 3,
      format: 'currency',
      component: 'CurrencyCode',
      expects: `an ISO 4217 code, such as "EUR"${hint}`,
    },
    about,
  ),
  ...emptyTextIsNull,
  toStored: (sent) => sent.toUpperCase(),
})

const integerSchema = (minimum: number, maximum: number, expects: string): Schema => ({
  type: 'integer',
  minimum,
  maximum,
  expects,
})

const integerField = (schema: Schema, about: About | undefined): SimpleField<number> => ({
  ...unchanged<number>(schema, about),
  ...emptyTextIsNull,
})

const moneySchema = (minimum: number, expects: string): Schema => ({
  ...integerSchema(minimum, MAX_INTEGER, `an integer in minor units (cents) ${expects}`),
  kind: 'money',
})

/** An amount: an integer in the currency's minor unit (cents), stored and returned as sent. */
export const minorUnits = (about: About | undefined): SimpleField<number> =>
  integerField(moneySchema(-MAX_INTEGER, 'within ±(2^53−1)'), about)

/** An amount of at least zero, in the currency's minor unit (cents). */
export const minorUnitsFromZero = (about: About | undefined): SimpleField<number> =>
  integerField(moneySchema(0, 'from 0 to 2^53−1'), about)

/** An integer from 1 to 100. */
export const percent = (about: About | undefined): SimpleField<number> =>
  integerField(integerSchema(1, 100, 'an integer from 1 to 100'), about)

/** An integer that a double holds exactly. */
export const integer = (about: About | undefined): SimpleField<number> =>
  integerField(integerSchema(-MAX_INTEGER, MAX_INTEGER, 'an integer within ±(2^53−1)'), about)

/** A number of things, such as intervals: an integer of at least 1. */
export const count = (about: About | undefined): SimpleField<number> =>
  integerField(integerSchema(1, MAX_INTEGER, 'an integer of at least 1'), about)

/** A number of months, sent as an integer or a string of digits. */
export const months = (about: About | undefined): Field<number | string, number, true, true> => ({
  ...count(about),
  request: {
    ...integerSchema(1, MAX_INTEGER, 'an integer of at least 1, or a string of its digits'),
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

/** The date that Go and .NET send for a date that was never set. */
const UNSET_DATE = '0001-01-01T00:00:00Z'

/** A required date cannot be unset. An optional one is stored as sent: only the client knows its meaning. */
const dateProblem = (sent: unknown, isRequired: boolean): string | undefined =>
  isRequired && typeof sent === 'string' && parseDate(sent) === parseDate(UNSET_DATE)
    ? `must be a date that was set (got "${sent}", which Go and .NET send for a date that was not)`
    : undefined

/** A date, stored and returned as seconds since the epoch, UTC. */
export const timestamp = (about: About | undefined): Field<string, number, true, true> => ({
  ...requiredAndVisible,
  ...emptyTextIsNull,
  request: dateSchema,
  response: { type: 'integer', kind: 'time', expects: 'seconds since the epoch, UTC' },
  // Never undefined, since the text has been validated as a date.
  toStored: (sent) => parseDate(sent) as number,
  problem: dateProblem,
  about,
})

/** True or false. */
export const flag = (about: About | undefined): SimpleField<boolean> => ({
  ...unchanged<boolean>({ type: 'boolean', expects: 'true or false' }, about),
  ...emptyTextIsNull,
})

/** One of several words. `name` is the name of its schema in the OpenAPI document. */
export const oneOf = <const Words extends readonly string[]>(
  name: string,
  words: Words,
  about: About | undefined,
): SimpleField<Words[number]> => {
  const quoted = words.map((word) => `"${word}"`).join(', ')
  const expects = words.length === 1 ? quoted : `one of ${quoted}`
  const schema: Schema = { type: 'string', enum: words, component: name, expects }
  return { ...unchanged<Words[number]>(schema, about), ...emptyTextIsNull }
}

/** A map of the client's own keys to any JSON values, returned exactly as sent. */
export const metadata = (about: About | undefined): SimpleField<Record<string, unknown>> => ({
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
  // An empty map in a language with one type for maps and lists.
  filler: [],
  problem: metadataProblem,
})

const mapFields = <T>(fields: Fields, convert: (field: Field) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, convert(field)]))

export const requestSchema = (fields: Fields): ObjectSchema =>
  objectSchema(
    mapFields(fields, ({ request }) => request),
    Object.keys(fields).filter((name) => fields[name]!.required),
  )

const visibleFields = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, { visible }]) => visible))

/** At most `max` objects, in the order sent. They are stored whole and returned with their visible fields. */
export const objectList = <Fs extends Fields>(
  { name, fields }: { readonly name: string; readonly fields: Fs },
  max: number,
  about: About | undefined,
): Field<RequestValues<Fs>[], StoredValues<Fs>[], true, true> => ({
  ...requiredAndVisible,
  request: arraySchema(requestSchema(fields), max),
  response: arraySchema(
    completeObjectSchema(mapFields(visibleFields(fields), ({ response }) => response)),
    max,
  ),
  toStored: (sent, id) => sent.map((item, index) => storedContent(fields, item, lineItemIdFor(id, index))),
  items: { name, fields },
  about,
})
