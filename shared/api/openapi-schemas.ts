import { currencies } from '../contract/currencies.ts'
import { date } from '../contract/fields.ts'
import type { Properties, Schema } from '../contract/schema.ts'
import { fieldTexts } from './openapi-texts.ts'

/** A JSON value of the document. */
export type Json = Readonly<Record<string, unknown>>

/** Which way a schema's values go: requests are closed (R2), answers may gain fields in later versions. */
export type Side = 'request' | 'response'

/** The name of a component for a schema, or undefined where it is written in place. */
export type Naming = (schema: Schema) => string | undefined

const anyCase = (text: string): string =>
  [...text].map((letter) => `[${letter}${letter.toLowerCase()}]`).join('')

const currencyPattern = (): string => {
  const byFirst = Map.groupBy([...currencies], ([first]) => first as string)
  const groups = [...byFirst].map(
    ([first, codes]) => `${anyCase(first)}(?:${codes.map((code) => anyCase(code.slice(1))).join('|')})`,
  )
  return `^(?:${groups.join('|')})$`
}

const day =
  '(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))' +
  '|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)'
const hour = '(?:[01][0-9]|2[0-3])'
const time = `${hour}:[0-5][0-9]:[0-5][0-9]`
const offset = `(?:[Zz]|[+-]${hour}:[0-5][0-9])`

/** Our own formats, as components that every tool understands. */
const formatComponents: Readonly<Record<string, { readonly name: string; readonly schema: () => Json }>> = {
  currency: {
    name: 'CurrencyCode',
    schema: () => ({
      type: 'string',
      description: 'An active ISO 4217 code in any case; answers have it in upper case.',
      pattern: currencyPattern(),
      examples: ['EUR', 'usd'],
    }),
  },
  'billing-date': {
    name: 'BillingDate',
    schema: () => ({
      type: 'string',
      description:
        'A day (midnight UTC), a day and time in UTC, or an RFC 3339 date-time with its offset. Answers carry seconds since the epoch.',
      pattern: `^${day}(?:[Tt]${time}(?:\\.[0-9]+)?${offset}| ${time})?$`,
      maxLength: date.maxLength,
      examples: ['2026-01-31', '2026-01-31 09:30:00', '2026-01-31T09:30:00+02:00'],
    }),
  },
}

/** The components that stand for our own string formats. */
export const formatSchemas = (): Record<string, Json> =>
  Object.fromEntries(Object.values(formatComponents).map(({ name, schema }) => [name, schema()]))

/** A reference to a component. */
export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

// Texts in JSON are Unicode, so a range of surrogates says nothing; \x is what all dialects of patterns know.
const portable = (pattern: string): Json => {
  const text = pattern.replace('\\uD800-\\uDFFF', '').replaceAll('\\u00', '\\x')
  return text === '^[^]*$' ? {} : { pattern: text }
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const typesOf = ({ type }: Schema): readonly unknown[] => [type].flat()

/** What JSON Schema cannot say, so that the description has to. */
const isSaid = (schema: Schema): boolean =>
  schema.format === undefined &&
  schema.propertyNames === undefined &&
  !(typesOf(schema).includes('string') && typesOf(schema).includes('integer')) &&
  !(typesOf(schema).includes('integer') && schema.minimum === undefined)

const describe = (schema: Schema, key: string): Json => {
  const text = fieldTexts[key] ?? fieldTexts[key.replace(/^.*\./, '')]
  const expects = schema.expects && !isSaid(schema) ? `${capitalised(schema.expects)}.` : undefined
  const description = [text, expects].filter(Boolean).join(' ')
  return description ? { description } : {}
}

const formatted = (schema: Schema, side: Side): Json | undefined => {
  const component = formatComponents[schema.format ?? '']
  if (!component) return undefined
  if (side === 'response') {
    const { type } = schema
    return { type, pattern: '^[A-Z]{3}$', examples: ['EUR'] }
  }
  const reference = ref('schemas', component.name)
  return typesOf(schema).includes('null') ? { anyOf: [reference, { type: 'null' }] } : reference
}

/** Translates our schemas into those of the document. */
export interface Translator {
  readonly side: Side
  readonly naming: Naming
}

// Said outright, since linters take a part of a schema for one that is closed.
const open = { additionalProperties: true }

const INT32_MAX = 2 ** 31 - 1

/** Tells generators of typed languages where 32 bits are too few. */
const width = (schema: Schema): Json => {
  const isInteger = typesOf(schema).every((type) => type === 'integer' || type === 'null')
  const { maximum = Number.POSITIVE_INFINITY } = schema as { maximum?: number }
  return isInteger && maximum > INT32_MAX ? { format: 'int64' } : {}
}

/** A rule between fields, without our own keyword. */
const condition = (schema: Schema): Json =>
  JSON.parse(
    JSON.stringify(schema, (key, value: Json) =>
      key === 'expects' ? undefined : key === 'if' || key === 'then' ? { ...value, ...open } : value,
    ),
  ) as Json

const place = (schema: Schema, key: string, by: Translator): Json => {
  const name = by.naming(schema)
  return name ? { ...ref('schemas', name), ...describe({}, key) } : translate(schema, key, by)
}

const within = (properties: Properties, key: string, by: Translator): Json =>
  Object.fromEntries(
    Object.entries(properties).map(([field, schema]) => [field, place(schema, `${key}.${field}`, by)]),
  )

/** The document's schema for the place `key` (`Component.field`); what is inside refers to components by name. */
export const translate = (schema: Schema, key: string, by: Translator): Json => {
  const own = formatted(schema, by.side)
  if (own) return { ...own, ...describe(schema, key) }
  const { expects, properties, items, allOf, pattern, additionalProperties, propertyNames, ...plain } = schema
  const isClosed = additionalProperties === false && by.side === 'request'
  return {
    ...plain,
    ...width(schema),
    ...(pattern === undefined ? {} : portable(pattern as string)),
    ...(isClosed || additionalProperties ? { additionalProperties } : {}),
    ...(propertyNames && by.side === 'request'
      ? { propertyNames: translate(propertyNames as Schema, '', by) }
      : {}),
    ...describe(schema, key),
    ...(items ? { items: place(items, `${key}[]`, by) } : {}),
    ...(properties ? { properties: within(properties, key, by) } : {}),
    ...(allOf ? { allOf: allOf.map(condition) } : {}),
  }
}
