import { SECONDS_DIGITS } from '../contract/query.ts'
import { type Schema, TEXT_PATTERN, typesOf } from '../contract/schema.ts'
import { currencies } from '../money/currencies.ts'
import { capitalised } from './names.ts'

/** A JSON value of the document. */
export type JsonObject = Readonly<Record<string, unknown>>

/** The direction of a schema: requests are closed, later versions may add fields to responses. */
type Side = 'request' | 'response'

/** A reference to a component. */
export const componentRef = (kind: string, name: string): JsonObject => ({
  $ref: `#/components/${kind}/${name}`,
})

/** A JSON body with the schema of a component. */
export const jsonContent = (name: string, examples: object): JsonObject => ({
  'application/json': { schema: componentRef('schemas', name), examples },
})

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
const time = `${hour}:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]+)?)?`
const zone = `(?: ?[Zz]| UTC| ?[+-]${hour}(?::?[0-5][0-9])?| [+-]0000 UTC)`

const date = `${day}(?:[Tt ]${time}${zone}?)?`

/** The schema of `changed_since`, which a query sends as text: seconds since the epoch, or a date. */
export const sinceSchema: JsonObject = {
  type: 'string',
  pattern: `^(?:[0-9]{1,${SECONDS_DIGITS}}|${date})$`,
  examples: ['1767225600', '2026-01-31T09:30:00Z'],
}

/** This project's own string formats as patterns, which every tool understands. */
const formatPatterns: Readonly<Record<string, () => JsonObject>> = {
  currency: () => ({
    type: 'string',
    description: 'Any code that ISO 4217 has ever assigned, in any case. Responses have it in upper case.',
    pattern: currencyPattern(),
    examples: ['EUR', 'usd'],
  }),
  'billing-date': () => ({
    type: 'string',
    description:
      'A day (midnight UTC), or a day and time with its offset; without an offset, it is UTC. The seconds can be left out. The offset can be `Z`, ` UTC`, `+01:00`, `+0100` or `+01`. Responses have seconds since the epoch.',
    pattern: `^${date}$`,
    maxLength: 40,
    examples: ['2026-01-31', '2026-01-31 09:30:00', '2026-01-31T09:30:00+02:00', '2026-01-31T09:30'],
  }),
}

/**
 * Returns the keyword `pattern` for every dialect of regular expressions: with \x in place of \u, and without surrogates, since
 * JSON strings are Unicode; nothing if the pattern then allows any text.
 */
export const portablePattern = (pattern: string): JsonObject => {
  const text = pattern.replace('\\uD800-\\uDFFF', '').replaceAll('\\u00', '\\x')
  return text === '^[^]*$' ? {} : { pattern: text }
}

const INT32_MAX = 2 ** 31 - 1

/** The format that makes generators of typed languages use 64 bits. */
const width = (schema: Schema): JsonObject =>
  typesOf(schema).every((type) => type === 'integer' || type === 'null') &&
  (typeof schema.maximum === 'number' ? schema.maximum : Number.POSITIVE_INFINITY) > INT32_MAX
    ? { format: 'int64' }
    : {}

/** Returns whether the keywords of a schema express everything in `expects`. */
const isExpressed = (schema: Schema): boolean =>
  schema.format === undefined &&
  schema.propertyNames === undefined &&
  !(typesOf(schema).includes('string') && typesOf(schema).includes('integer')) &&
  !(typesOf(schema).includes('integer') && schema.minimum === undefined)

const describe = (schema: Schema): JsonObject => {
  const expects = schema.expects && !isExpressed(schema) ? `${capitalised(schema.expects)}.` : ''
  const description = [schema.description, expects].filter(Boolean).join(' ')
  return description ? { description } : {}
}

// Explicit, because linters assume that a partial schema is closed.
const open = { additionalProperties: true }

/** A rule between fields, without our own keyword. */
const condition = (schema: Schema): JsonObject =>
  JSON.parse(
    JSON.stringify(schema, (key, value: JsonObject) =>
      key === 'expects' ? undefined : key === 'if' || key === 'then' ? { ...value, ...open } : value,
    ),
  ) as JsonObject

const keywordsOf = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'enum'],
  integer: ['minimum', 'maximum'],
} as const

/** How the component for each type of a schema with several types is named and described; `name` is a suffix. */
const alternatives: Readonly<Record<string, { readonly name: string; readonly meaning: string }>> = {
  string: { name: 'Text', meaning: 'As text.' },
  integer: { name: 'Integer', meaning: 'As an integer.' },
}

/** Translates the contract's schemas into schemas of the document. A named schema becomes a component. */
export class Translator {
  readonly components: Record<string, JsonObject> = {}
  readonly #side: Side

  constructor(side: Side) {
    this.#side = side
  }

  /** Returns the document's schema: a reference if the schema has a name, otherwise the schema itself. */
  translate(schema: Schema): JsonObject {
    const { component, description } = schema
    const name = component as string | undefined
    if (!name || (this.#side === 'response' && schema.format)) return this.#written(schema)
    if (!(name in this.components)) {
      // Reserved before it is written, because a schema can contain itself.
      this.components[name] = {}
      this.components[name] = this.#component(name, asComponent(schema))
    }
    const words = description ? { description } : {}
    const reference = componentRef('schemas', name)
    return typesOf(schema).includes('null')
      ? { anyOf: [reference, { type: 'null' }], ...words }
      : { ...reference, ...words }
  }

  #component(name: string, schema: Schema): JsonObject {
    return typesOf(schema).length > 1 ? this.#union(schema, name) : this.#written(schema)
  }

  #written(schema: Schema): JsonObject {
    if (schema.format) return this.#formatted(schema)
    const { expects, component, kind, properties, items, allOf, pattern, propertyNames, ...plain } = schema
    const { additionalProperties, ...keywords } = plain
    const isRequest = this.#side === 'request'
    return {
      ...keywords,
      ...width(schema),
      // An extension, because a schema has only one format, and generators need the width.
      ...(kind ? { 'x-kind': kind } : {}),
      // A response may have a text that was recorded before the pattern.
      ...(pattern === undefined || (pattern === TEXT_PATTERN && !isRequest)
        ? {}
        : portablePattern(pattern as string)),
      ...((additionalProperties === false && isRequest) || additionalProperties
        ? { additionalProperties }
        : {}),
      ...(propertyNames && isRequest ? { propertyNames: this.translate(propertyNames as Schema) } : {}),
      ...describe(schema),
      ...(items ? { items: this.translate(items) } : {}),
      ...(properties ? { properties: mapped(properties, (property) => this.translate(property)) } : {}),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      ...(allOf ? { if: { type: 'object' }, then: { allOf: allOf.map(condition) } } : {}),
    }
  }

  #formatted(schema: Schema): JsonObject {
    if (this.#side === 'request') return formatPatterns[schema.format ?? '']?.() ?? {}
    return { type: schema.type, pattern: '^[A-Z]{3}$', examples: ['EUR'], ...describe(schema) }
  }

  /** Several types as named alternatives, which more generators support than a list of types. */
  #union(schema: Schema, name: string): JsonObject {
    const anyOf = typesOf(schema).map((type) => {
      const keywords = keywordsOf[type as keyof typeof keywordsOf] as readonly string[]
      const part = Object.fromEntries(
        Object.entries(schema).filter(([keyword]) => keywords.includes(keyword)),
      )
      const { name: ending, meaning } = alternatives[type] as { name: string; meaning: string }
      return this.translate({ type, ...part, component: `${name}${ending}`, meaning })
    })
    return { anyOf, ...describe(schema) }
  }
}

const mapped = (
  properties: Readonly<Record<string, Schema>>,
  translate: (schema: Schema) => JsonObject,
): JsonObject =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, translate(schema)]))

/**
 * The schema of a component, without description and null, which belong to the property that uses it. An enumeration
 * keeps the description of its first property.
 */
const asComponent = ({ component, description, meaning, ...schema }: Schema): Schema => {
  const shared = (meaning ?? (schema.enum && description)) as string | undefined
  const types = typesOf(schema).filter((type) => type !== 'null')
  return {
    ...schema,
    ...(shared ? { description: shared } : {}),
    type: types.length === 1 ? (types[0] as string) : types,
    ...(schema.enum ? { enum: schema.enum.filter((value) => value !== null) } : {}),
    expects: schema.expects?.replace(/, or null$/, '') ?? '',
  }
}
