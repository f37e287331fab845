import type { FromSchema, JSONSchema } from 'json-schema-to-ts'

/** The part of JSON Schema that our fragments use, as the validator and the documents read it. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Properties
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly items?: Schema
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly allOf?: readonly Schema[]
  readonly if?: Schema
  readonly then?: Schema
  readonly expects?: string
  readonly [keyword: string]: unknown
}
export type Properties = Readonly<Record<string, Schema>>

/** A list of items of one schema. */
export interface ArraySchema<S extends Schema = Schema> extends Schema {
  readonly type: 'array'
  readonly items: S
  readonly maxItems: number
  readonly expects: string
}

// FromSchema is applied to leaves only: over whole objects the compiler gives up ("excessively deep").
type Leaf<S> = Schema extends S
  ? unknown
  : S extends { readonly items: infer I; readonly type: infer T }
    ? ValueOf<I>[] | (T extends 'array' ? never : null)
    : S extends JSONSchema
      ? FromSchema<S>
      : never

/** The value of an object with all of these properties. */
export type Values<P> = { -readonly [K in keyof P]: Leaf<P[K]> }

/** A closed object schema: the properties and which of them are required. */
export interface ObjectSchema<
  P extends Properties = Properties,
  R extends keyof P & string = keyof P & string,
> extends Schema {
  readonly type: 'object'
  readonly properties: P
  readonly required: readonly R[]
  readonly additionalProperties: false
}

/** The value that an object schema describes: required properties present, the others maybe. */
export type ValueOf<S> =
  S extends ObjectSchema<infer P, infer R>
    ? { -readonly [K in R]: Leaf<P[K]> } & { -readonly [K in Exclude<keyof P, R>]?: Leaf<P[K]> }
    : Leaf<S>

/** A closed object of `properties`; `conditions` are rules between them, made by `when` (R7). */
export const object = <const P extends Properties, const R extends keyof P & string>(
  properties: P,
  required: readonly R[],
  conditions: readonly Schema[] = [],
): ObjectSchema<P, R> => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  ...(conditions.length > 0 ? { allOf: conditions } : {}),
  expects: 'a JSON object',
})

const absent = { type: 'null', expects: 'absent or null' }

/**
 * A rule between fields: where `condition` holds for `field` (one of some values, "given" or "absent", the last
 * meaning absent or null), the `required` fields must be there and not null and the `forbidden` ones absent or null.
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
      ...Object.fromEntries(forbidden.map((name) => [name, absent])),
    },
  },
})

/** A list of at most `maxItems` items. */
export const array = <S extends Schema>(items: S, maxItems: number): ArraySchema<S> => ({
  type: 'array',
  items,
  maxItems,
  expects: `a list of at most ${maxItems} items`,
})

/** Whether a schema allows values of a type. */
export const allows = ({ type }: Schema, wanted: string): boolean =>
  typeof type === 'string' ? type === wanted : (type?.includes(wanted) ?? false)

/** Whether the values of a schema are objects or lists, which are stored as JSON text and so kept exactly (R8). */
export const isComposite = (schema: Schema): boolean => allows(schema, 'object') || allows(schema, 'array')
