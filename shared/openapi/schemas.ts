import { type Properties, type Schema, TEXT_PATTERN, typesOf } from '../contract/schema.ts'
import { capitalised } from '../text/capitalised.ts'
import { componentRef, type JsonObject } from './document-parts.ts'
import { formatKeywords, portablePattern } from './patterns.ts'

/** The message that a schema belongs to. Requests are closed; later versions may add fields to responses. */
type Message = 'request' | 'response'

const INT32_MAX = 2 ** 31 - 1

/** The format of an integer that may need 64 bits, which generators of typed languages use. */
const integerFormat = (schema: Schema): JsonObject => {
  const isInteger = typesOf(schema).every((type) => type === 'integer' || type === 'null')
  const maximum = typeof schema.maximum === 'number' ? schema.maximum : Number.POSITIVE_INFINITY
  return isInteger && maximum > INT32_MAX ? { format: 'int64' } : {}
}

/** Whether the keywords of a schema express everything in `expects`. */
const isExpressed = (schema: Schema): boolean => {
  const types = typesOf(schema)
  const isTextOrInteger = types.includes('string') && types.includes('integer')
  const isUnboundedInteger = types.includes('integer') && schema.minimum === undefined
  const hasOwnKeyword = schema.format !== undefined || schema.propertyNames !== undefined
  return !hasOwnKeyword && !isTextOrInteger && !isUnboundedInteger
}

/** The description of a schema: its own and, unless keywords express it, what it expects. */
const describe = (schema: Schema): JsonObject => {
  const expects = schema.expects && !isExpressed(schema) ? `${capitalised(schema.expects)}.` : ''
  const description = [schema.description, expects].filter(Boolean).join(' ')
  return description ? { description } : {}
}

/** A rule between fields without the keyword `expects`, which is this project's own. */
const condition = (schema: Schema): JsonObject => {
  const replacer = (key: string, value: unknown) => {
    if (key === 'expects') return undefined
    // Explicit, because linters assume that a partial schema is closed.
    if (key === 'if' || key === 'then') return { ...(value as JsonObject), additionalProperties: true }
    return value
  }
  return JSON.parse(JSON.stringify(schema, replacer))
}

/** For each type of a schema with several: the suffix of its component's name, meaning and keywords. */
const alternatives = {
  string: {
    suffix: 'Text',
    meaning: 'As text.',
    keywords: ['minLength', 'maxLength', 'pattern', 'format', 'enum'],
  },
  integer: { suffix: 'Integer', meaning: 'As an integer.', keywords: ['minimum', 'maximum'] },
} as const

/** Translates schemas of the contract into those of the document. One with a name becomes a component. */
export class Translator {
  /** The components so far, by name. */
  readonly components: Record<string, JsonObject> = {}
  readonly #message: Message

  constructor(message: Message) {
    this.#message = message
  }

  /** A reference to a component if the schema has a name, otherwise the schema itself. */
  translate(schema: Schema): JsonObject {
    const { component: name, description } = schema
    if (!name || (this.#message === 'response' && schema.format)) return this.#plain(schema)
    if (!(name in this.components)) {
      // Reserved before it is translated, because a schema can contain itself.
      this.components[name] = {}
      this.components[name] = this.#component(name, asComponent(schema))
    }
    const described = description ? { description } : {}
    const reference = componentRef('schemas', name)
    return typesOf(schema).includes('null')
      ? { anyOf: [reference, { type: 'null' }], ...described }
      : { ...reference, ...described }
  }

  #component(name: string, schema: Schema): JsonObject {
    return typesOf(schema).length > 1 ? this.#union(schema, name) : this.#plain(schema)
  }

  #plain(schema: Schema): JsonObject {
    if (schema.format) return this.#withFormat(schema)
    const { expects, component, kind, properties, items, allOf, pattern, propertyNames, ...rest } = schema
    const { additionalProperties, ...keywords } = rest
    const isRequest = this.#message === 'request'
    const translated: Record<string, unknown> = { ...keywords, ...integerFormat(schema) }
    // An extension, because a schema has only one format, and generators need the width.
    if (kind) translated['x-kind'] = kind
    // A response may have a text that was recorded before this pattern.
    if (pattern !== undefined && (isRequest || pattern !== TEXT_PATTERN))
      Object.assign(translated, portablePattern(pattern))
    if (additionalProperties || (additionalProperties === false && isRequest))
      translated.additionalProperties = additionalProperties
    if (propertyNames && isRequest) translated.propertyNames = this.translate(propertyNames)
    Object.assign(translated, describe(schema))
    if (items) translated.items = this.translate(items)
    if (properties) translated.properties = this.#properties(properties)
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    if (allOf) Object.assign(translated, { if: { type: 'object' }, then: { allOf: allOf.map(condition) } })
    return translated
  }

  #properties(properties: Properties): JsonObject {
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, this.translate(property)]),
    )
  }

  #withFormat(schema: Schema): JsonObject {
    if (this.#message === 'request') return formatKeywords[schema.format ?? '']?.() ?? {}
    // The only format in responses is `currency`: dates are returned as integers.
    return { type: schema.type, pattern: '^[A-Z]{3}$', examples: ['EUR'], ...describe(schema) }
  }

  /** Returns several types as named alternatives, which more generators support than a list of types. */
  #union(schema: Schema, name: string): JsonObject {
    const anyOf = typesOf(schema).map((type) => {
      const { suffix, meaning, keywords } = alternatives[type as keyof typeof alternatives]
      const alternative: Record<string, unknown> = { type, component: `${name}${suffix}`, meaning }
      for (const keyword of keywords) if (keyword in schema) alternative[keyword] = schema[keyword]
      return this.translate(alternative)
    })
    return { anyOf, ...describe(schema) }
  }
}

/**
 * The schema of a component: without description and null, which belong to the property that uses it. An
 * enumeration keeps the description of its first property.
 */
const asComponent = ({ component, description, meaning, ...schema }: Schema): Schema => {
  const shared = meaning ?? (schema.enum && description)
  const types = typesOf(schema).filter((type) => type !== 'null')
  return {
    ...schema,
    ...(shared ? { description: shared } : {}),
    type: types.length === 1 ? types[0]! : types,
    ...(schema.enum ? { enum: schema.enum.filter((value) => value !== null) } : {}),
    expects: schema.expects?.replace(/, or null$/, '') ?? '',
  }
}
