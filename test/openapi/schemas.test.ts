import { Ajv } from 'ajv'
import secure from 'ajv/lib/refs/json-schema-secure.json'
import fc from 'fast-check'
import { catalogue } from '../../shared/catalogue.ts'
import { type Schema, typesOf } from '../../shared/contract/schema.ts'
import { schemaErrors } from '../../shared/http/validation/schema-errors.ts'
import { documentedOperation, validatorOfMedia } from '../support/requests/openapi-document.ts'
import { randomBody } from '../support/requests/random-bodies.ts'
import { writeOperations } from '../support/requests/write-operations.ts'
import { runs } from '../support/runs.ts'

/**
 * Not for half of a character, which is no JSON text, and for a leap second, whose time of day depends on the
 * offset.
 */
const isComparable = (value: unknown): boolean =>
  typeof value !== 'string' || (value.isWellFormed() && !value.includes(':60'))

describe.each(catalogue.filter(({ body }) => body))('the document of $id', (endpoint) => {
  const allows = (body: object): { readonly document: boolean; readonly service: boolean } => {
    const { requestBody } = documentedOperation(endpoint.method, endpoint.path)
    const validate = validatorOfMedia(requestBody!.content['application/json'])
    return { document: validate(body), service: schemaErrors(endpoint, body).length === 0 }
  }

  it('allows exactly the random bodies that the service’s own schema allows', () => {
    const property = fc.property(randomBody(endpoint.body!), (body) => {
      const { document, service } = allows(body)
      expect({ body, document }).toEqual({ body, document: service })
    })
    fc.assert(property, { numRuns: runs(400, 100_000) })
  })

  it.each(Object.entries(writeOperations[endpoint.id]!.fields))(
    'allows exactly the values of %s that the service’s own schema allows',
    (field, values) => {
      const { body } = writeOperations[endpoint.id]!
      for (const value of [undefined, null, ...values.valid, ...values.invalid].filter(isComparable)) {
        const { document, service } = allows(body({ [field]: value }))
        expect({ value, document }).toEqual({ value, document: service })
      }
    },
  )
})

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
