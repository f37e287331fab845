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
  readonly pattern?: string
  readonly allOf?: readonly Schema[]
  readonly if?: Schema
  readonly then?: Schema
  readonly description?: string | undefined
  /** The name of the schema in the OpenAPI document, in which it is then a component. */
  readonly component?: string | undefined
  /** The description of the component. `description` describes the property that uses it. */
  readonly meaning?: string | undefined
  /** The unit of an integer: minor units of a currency, or seconds since the epoch. */
  readonly kind?: 'money' | 'time'
  /** Completes the sentence "<field> must be …" in an error's detail. */
  readonly expects?: string
  readonly [keyword: string]: unknown
}

/** The schemas of an object's properties, by name. */
export type Properties = Readonly<Record<string, Schema>>

/** The schema of an object. */
export interface ObjectSchema extends Schema {
  readonly type: 'object'
  readonly properties: Properties
  readonly required: readonly string[]
}

/** Values by name, such as a body, the content of an entity, or the options of a query. */
export type Values = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `conditions` are rules between the properties, which `when` returns. */
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

/** All of these properties are required. */
export const completeObjectSchema = (properties: Properties): ObjectSchema =>
  objectSchema(properties, Object.keys(properties))

export const arraySchema = (items: Schema, maxItems: number): Schema => ({
  type: 'array',
  items,
  maxItems,
  expects: `a list of at most ${maxItems} items`,
})

/** The types of the values that a schema allows; an empty list if it allows any type. */
export const typesOf = ({ type }: Schema): readonly string[] => {
  if (type === undefined) return []
  return typeof type === 'string' ? [type] : type
}

export const nullableSchema = (schema: Schema): Schema => ({
  ...schema,
  type: [...typesOf(schema), 'null'],
  ...(schema.enum ? { enum: [...schema.enum, null] } : {}),
  expects: `${schema.expects}, or null`,
})

/** The schema of a field that must not be given, because of another field. */
export const absentSchema: Schema = { type: 'null', expects: 'absent or null' }

/** The schema of an object in which a field has one of some values, is given, or is absent or null. */
const conditionOn = (field: string, condition: readonly string[] | 'given' | 'absent'): Schema => {
  if (condition === 'absent') return { properties: { [field]: { type: 'null' } } }
  const value: Schema = condition === 'given' ? { type: ['string', 'number'] } : { enum: condition }
  return { required: [field], properties: { [field]: value } }
}

/**
 * A rule between fields: if `condition` holds for `field` (one of some values, "given", or "absent" meaning
 * absent or null), the `required` fields must be present and not null, and the `forbidden` fields absent or
 * null.
 */
export const when = (
  field: string,
  condition: readonly string[] | 'given' | 'absent',
  { required = {}, forbidden = [] }: { required?: Properties; forbidden?: readonly string[] },
): Schema => {
  const properties: Record<string, Schema> = {}
  for (const [name, { type = [], expects = '' }] of Object.entries(required))
    properties[name] = { type, expects }
  for (const name of forbidden) properties[name] = absentSchema
  return {
    if: conditionOn(field, condition),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: Object.keys(required), properties },
  }
}

/** Whether a schema allows values of a type. It builds no list, because every stored value is tested. */
export const allowsType = ({ type }: Schema, tested: string): boolean =>
  typeof type === 'string' ? type === tested : (type?.includes(tested) ?? false)

/** Whether a schema describes objects or lists, which are stored as JSON text to keep them exactly. */
export const isComposite = (schema: Schema): boolean =>
  allowsType(schema, 'object') || allowsType(schema, 'array')

/**
 * The pattern of every text. Lone surrogates are not Unicode text and would be changed by storing them as
 * UTF-8. PostgreSQL and BigQuery cannot store U+0000, so a copy there would fail.
 */
export const TEXT_PATTERN = '^[^\\u0000\\uD800-\\uDFFF]*$'
