import { Ajv } from 'ajv'
import secure from 'ajv/lib/refs/json-schema-secure.json'
import { catalogue } from '../../shared/catalogue.ts'
import { type Schema, typesOf } from '../../shared/contract/schema.ts'

const endpointsWithBody = catalogue.filter(({ body }) => body)
const isSecure = new Ajv({ strict: false }).compile(secure)

const schemasIn = (schema: Schema): Schema[] => {
  const { properties = {}, items } = schema
  const children = items ? [...Object.values(properties), items] : Object.values(properties)
  return [schema, ...children.flatMap(schemasIn)]
}

/** By type: length or size, and the fields or the number of keys of an object. */
const isBounded: Readonly<Record<string, (schema: Schema) => boolean>> = {
  array: ({ maxItems = 0 }) => maxItems > 0,
  string: ({ maxLength, enum: values = [] }) => maxLength !== undefined || values.length > 0,
  integer: ({ minimum, maximum }) => minimum !== undefined && maximum !== undefined,
  object: ({ additionalProperties, maxProperties = 0 }) =>
    additionalProperties === false || maxProperties > 0,
}

it.each(endpointsWithBody)('the schema of $id satisfies ajv’s meta-schema for secure schemas', ({ body }) => {
  isSecure(body)
  expect(isSecure.errors).toBeNull()
})

it.each(endpointsWithBody)('the schema of $id bounds every list, text, integer and object', ({ body }) => {
  const unbounded = schemasIn(body!).filter((schema) =>
    typesOf(schema).some((type) => isBounded[type]?.(schema) === false),
  )
  expect(unbounded).toEqual([])
})
