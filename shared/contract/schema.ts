/** The part of JSON Schema that fields use. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Properties
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly items?: Schema
  readonly propertyNames?: Schema
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly allOf?: readonly Schema[]
  readonly if?: Schema
  readonly then?: Schema
  /** The unit of an integer: minor units of a currency, or seconds since the epoch. */
  readonly kind?: 'money' | 'time'
  /** Completes the sentence "<field> must be …" in an error's detail. */
  readonly expects?: string
  readonly [keyword: string]: unknown
}
export type Properties = Readonly<Record<string, Schema>>

/** A closed object schema. */
export interface ObjectSchema extends Schema {
  readonly type: 'object'
  readonly properties: Properties
  readonly required: readonly string[]
}

/** Values by name, such as a body, the content of an entity, or the options of a query. */
export type Values = Readonly<Record<string, unknown>>

/** Returns whether a JSON value is an object. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A closed object of `properties`; `conditions` are rules between them, made by `when`. */
export const objectSchema = (
  properties: Properties,
  required: readonly string[],
  conditions: readonly Schema[] = [],
): ObjectSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  ...(conditions.length > 0 ? { allOf: conditions } : {}),
  expects: 'a JSON object',
})

/** A closed object all of whose properties are required. */
export const completeObjectSchema = (properties: Properties): ObjectSchema =>
  objectSchema(properties, Object.keys(properties))

/** A list of at most `maxItems` items. */
export const arraySchema = (items: Schema, maxItems: number): Schema => ({
  type: 'array',
  items,
  maxItems,
  expects: `a list of at most ${maxItems} items`,
})

/** Returns the types that a schema names; an empty list if it allows any. */
export const typesOf = ({ type }: Schema): readonly string[] => {
  if (type === undefined) return []
  return typeof type === 'string' ? [type] : type
}

/** The same schema, which also allows null. */
export const nullableSchema = (schema: Schema): Schema => ({
  ...schema,
  type: [...typesOf(schema), 'null'],
  ...(schema.enum ? { enum: [...schema.enum, null] } : {}),
  expects: `${schema.expects}, or null`,
})

/** The schema of a field that another field excludes. */
export const absentSchema: Schema = { type: 'null', expects: 'absent or null' }

/**
 * Returns a rule between fields: if `condition` holds for `field` (one of some values, "given", or "absent" meaning absent
 * or null), the `required` fields must be present and not null, and the `forbidden` ones absent or null.
 */
export const when = (
  field: string,
  condition: readonly string[] | 'given' | 'absent',
  { required = {}, forbidden = [] }: { required?: Properties; forbidden?: readonly string[] },
): Schema => ({
  if:
    condition === 'absent'
      ? { properties: { [field]: { type: 'null' } } }
      : {
          required: [field],
          properties: {
            [field]: condition === 'given' ? { type: ['string', 'number'] } : { enum: condition },
          },
        },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: {
    required: Object.keys(required),
    properties: {
      ...Object.fromEntries(
        Object.entries(required).map(([name, { type = [], expects = '' }]) => [name, { type, expects }]),
      ),
      ...Object.fromEntries(forbidden.map((name) => [name, absentSchema])),
    },
  },
})

/** Returns whether a schema allows values of a type. */
export const allowsType = ({ type }: Schema, wanted: string): boolean =>
  typeof type === 'string' ? type === wanted : (type?.includes(wanted) ?? false)

/** Returns whether a schema describes objects or lists, which are stored as JSON text to keep them exactly. */
export const isComposite = (schema: Schema): boolean =>
  allowsType(schema, 'object') || allowsType(schema, 'array')

/**
 * The pattern of every text. Lone surrogates are not Unicode text and would be changed by storing them as UTF-8. PostgreSQL and
 * BigQuery cannot store U+0000, so a copy there would fail.
 */
export const TEXT_PATTERN = '^[^\\u0000\\uD800-\\uDFFF]*$'
