import { Ajv } from 'ajv'
import secure from 'ajv/lib/refs/json-schema-secure.json'
import fc from 'fast-check'
import { catalogue, deployables } from '../../shared/catalogue.ts'
import { documentFunction } from '../../shared/contract/document-function.ts'
import { type Schema, typesOf } from '../../shared/contract/schema.ts'
import { schemaErrors } from '../../shared/http/validation/schema-errors.ts'
import {
  documentedEvent,
  documentedOperation,
  resolvedResponse,
  theDocument,
  validatorOfEvent,
  validatorOfMedia,
} from '../support/requests/openapi-document.ts'
import { randomBody } from '../support/requests/random-bodies.ts'
import { writeOperations } from '../support/requests/write-operations.ts'
import { runs } from '../support/runs.ts'

type Node = Readonly<Record<string, unknown>>

/** Each after its JSON pointer. */
const nodesIn = (value: unknown, pointer = '#'): [pointer: string, node: Node][] => {
  if (typeof value !== 'object' || value === null) return []
  const children = Object.entries(value).flatMap(([key, child]) =>
    nodesIn(child, `${pointer}/${key.replaceAll('/', '~1')}`),
  )
  return [[pointer, value as Node], ...children]
}

const partAt = (pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((value: unknown, key) => (value as Node | undefined)?.[key.replaceAll('~1', '/')], theDocument())

describe('the document', () => {
  it.each(deployables.filter((deployable) => deployable !== documentFunction))(
    'has the operation of $id',
    ({ method, path }) => expect(documentedOperation(method, path)).toBeDefined(),
  )

  it.each(catalogue)('has examples of $id that are valid by its schemas', ({ method, path }) => {
    const { requestBody, responses } = documentedOperation(method, path)
    const resolvedResponses = Object.values(responses).map(resolvedResponse)
    const bodies = requestBody ? [requestBody, ...resolvedResponses] : resolvedResponses
    for (const { content } of bodies) {
      const media = content['application/json']
      const validate = validatorOfMedia(media)
      expect(Object.keys(media.examples).length).toBeGreaterThan(0)
      for (const { value } of Object.values(media.examples)) {
        validate(value)
        expect(validate.errors).toBeNull()
      }
    }
  })

  it('has examples of the event of a change that are valid by its schema', () => {
    const { examples } = documentedEvent()
    const validate = validatorOfEvent()
    expect(Object.keys(examples).length).toBeGreaterThan(0)
    for (const { value } of Object.values(examples)) {
      validate(value)
      expect(validate.errors).toBeNull()
    }
  })

  it.each(catalogue)('describes each include of $id', ({ method, path, resource, include }) => {
    const { schema } = documentedOperation(method, path).responses[200]!.content['application/json']
    const { properties } = partAt(schema.$ref) as {
      properties: { data: { properties: Record<string, Node> } }
    }
    const { [resource.name]: entity, [resource.plural]: list } = properties.data.properties
    const entitySchema = String(entity?.$ref ?? (list?.items as Node | undefined)?.$ref)
    const missing = Object.entries(include).filter(([name, { path }]) => {
      const list = path?.within
      const object =
        list === undefined ? entitySchema : partAt(`${entitySchema}/properties/${list}/items/$ref`)
      return partAt(`${object}/properties/${name}`) === undefined
    })
    expect(missing).toEqual([])
  })

  it('has only standard keywords and formats', () => {
    const nonStandard = nodesIn(theDocument().components.schemas).filter(
      ([, node]) => 'expects' in node || node.format === 'currency' || node.format === 'billing-date',
    )
    expect(nonStandard).toEqual([])
  })

  it('describes every schema and field', () => {
    const schemas = theDocument().components.schemas ?? {}
    const entities = catalogue.flatMap(({ resource }) => [resource.name, resource.plural])
    const envelopeFields = new Set(['data', 'pagination', ...entities])
    const fields = nodesIn(schemas)
      .filter(([path]) => !/\/(if|then)/.test(path))
      .flatMap(([path, { properties }]) =>
        Object.entries(properties ?? {}).flatMap(([field, schema]) =>
          envelopeFields.has(field) ? [] : [[`${path}/${field}`, schema as Node] as const],
        ),
      )
    const withoutDescription = [...Object.entries(schemas), ...fields].filter(
      ([, { description }]) => !description,
    )
    expect(withoutDescription.map(([name]) => name)).toEqual([])
  })
})

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
