import { Ajv } from 'ajv'
import secure from 'ajv/lib/refs/json-schema-secure.json'
import { catalogue } from '../../shared/catalogue.ts'
import type { Schema } from '../../shared/contract/schema.ts'
import { MOST_DETAILS } from '../../shared/errors.ts'
import { MAX_BODY_BYTES } from '../../shared/http/body.ts'
import { schemaErrors } from '../../shared/http/compile.ts'
import { faultsOf } from '../../shared/http/faults.ts'

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

describe.each(writing)('the schema of $id', ({ body }) => {
  it('satisfies ajv’s meta-schema for secure schemas', () => {
    expect([isSecure(body), isSecure.errors]).toEqual([true, null])
  })

  it('bounds every list, text and integer, and closes every object', () => {
    const unbounded = within(body!).filter((schema) =>
      [schema.type].flat().some((type) => isBounded[String(type)]?.(schema) === false),
    )
    expect(unbounded).toEqual([])
  })
})

it('the meta-schema refuses an insecure schema', () => {
  expect(isSecure({ type: 'string', pattern: '^(a+)+$' })).toBe(false)
})

describe('a body of maximum size', () => {
  const fill = (one: string) => Array(Math.floor(MAX_BODY_BYTES / (one.length + 1))).fill(one)
  const object = (of: (n: number) => string) =>
    `{${Array.from({ length: 20_000 }, (_, n) => of(n)).join()}}`.slice(0, MAX_BODY_BYTES)

  it.each<[string, string]>([
    ['unknown fields', object((n) => `"f${n}":1`)],
    ['keys of metadata', `{"id":1,"metadata":${object((n) => `"${n}":1`)}}`],
    ['wrong lines', `{"line_items":[${fill('1')}]}`],
    ['lines of wrong fields', `{"line_items":[${fill('{"amount":"x","quantity":"y","z":1}')}]}`],
    ['wrong discounts', `{"discounts":[${fill('true')}]}`],
  ])('of %s causes no more errors than fit into a response', (_, json) => {
    for (const endpoint of writing) {
      const body: unknown = JSON.parse(json)
      const faults = faultsOf(endpoint.body!, body, schemaErrors(endpoint, body))
      expect(faults.length).toBeGreaterThan(0)
      expect(faults.length).toBeLessThanOrEqual(MOST_DETAILS)
    }
  })
})
