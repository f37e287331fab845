import { Ajv } from 'ajv'
import secure from 'ajv/lib/refs/json-schema-secure.json'
import { catalogue } from '../../shared/catalogue.ts'
import type { Schema } from '../../shared/contract/schema.ts'

const writing = catalogue.filter(({ body }) => body)
const isSecure = new Ajv({ strict: false }).compile(secure)

/** Returns a schema with all schemas nested in it. */
const within = (schema: Schema): Schema[] => [
  schema,
  ...[...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])].flatMap(within),
]

/** Returns whether a schema bounds its values: their length, or that an object is closed or limited in keys. */
const isBounded: Readonly<Record<string, (schema: Schema) => boolean>> = {
  array: ({ maxItems = 0 }) => maxItems > 0,
  string: ({ maxLength, enum: values = [] }) => maxLength !== undefined || values.length > 0,
  integer: ({ minimum, maximum }) => minimum !== undefined && maximum !== undefined,
  object: ({ additionalProperties, maxProperties = 0 }) =>
    additionalProperties === false || maxProperties > 0,
}

it.each(writing)('the schema of $id satisfies ajv’s meta-schema for secure schemas', ({ body }) => {
  expect(isSecure(body)).toBe(true)
  expect(isSecure.errors).toBe(null)
})

it.each(writing)(
  'the schema of $id bounds every list, text and integer, and closes every object',
  ({ body }) => {
    const unbounded = within(body!).filter((schema) =>
      [schema.type].flat().some((type) => isBounded[String(type)]?.(schema) === false),
    )
    expect(unbounded).toEqual([])
  },
)
