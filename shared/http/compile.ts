import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import type { Endpoint } from '../contract/endpoint.ts'
import { formats } from '../contract/formats.ts'

/** The ajv options, shared by validators compiled at run time and validators generated at build time. */
export const ajvOptions: Options = {
  allErrors: true,
  // Without it, "toString" counts as a property of every object.
  ownProperties: true,
  // Error details are written from the schema.
  messages: false,
  allowUnionTypes: true,
  strictTypes: false,
  strictRequired: false,
  formats,
  keywords: ['expects', 'component', 'kind'],
}

/** The schema of a body and the id of its validator, of an endpoint or of another kind of body. */
export type BodySchema = Pick<Endpoint, 'id' | 'body'>

const compiled = new Map<string, ValidateFunction>()
let ajv: Ajv | undefined

/**
 * Returns the schema errors of a body, empty if it is valid. Development and tests compile the schema on first use; a
 * build replaces this module with generated validators (`#validators`).
 */
export const schemaErrors = ({ id, body: schema }: BodySchema, body: unknown): ErrorObject[] => {
  ajv ??= new Ajv(ajvOptions)
  let validate = compiled.get(id)
  if (!validate) {
    validate = ajv.compile(schema ?? {})
    compiled.set(id, validate)
  }
  return validate(body) ? [] : (validate.errors ?? [])
}
