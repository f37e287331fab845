import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import type { Endpoint } from '../../contract/endpoint.ts'
import { formats } from '../../contract/formats.ts'

/** The options of ajv, for the validators that are compiled at run time and those that a build generates. */
export const ajvOptions: Options = {
  allErrors: true,
  // Otherwise "toString" counts as a property of every object.
  ownProperties: true,
  // Error details are composed from the schema.
  messages: false,
  allowUnionTypes: true,
  strictTypes: false,
  strictRequired: false,
  formats,
  keywords: ['expects', 'component', 'kind'],
}

/** The schema of a body, and the id of its validator: an endpoint, or another kind of body. */
export type BodySchema = Pick<Endpoint, 'id' | 'body'>

const validators = new Map<string, ValidateFunction>()
let ajv: Ajv | undefined

/**
 * Validates a body with ajv, and returns the errors, none for a valid body. In development and tests, a schema is
 * compiled when it is first used. A build replaces this module, which is imported as `#validators`, with
 * generated validators.
 */
export const schemaErrors = ({ id, body: schema }: BodySchema, body: unknown): ErrorObject[] => {
  // The build validates the schemas, which takes a tenth of a second at every start.
  ajv ??= new Ajv({ ...ajvOptions, meta: false, validateSchema: false })
  let validate = validators.get(id)
  if (!validate) {
    validate = ajv.compile(schema ?? {})
    validators.set(id, validate)
  }
  return validate(body) ? [] : (validate.errors ?? [])
}
