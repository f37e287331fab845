import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import type { Endpoint } from '../contract/endpoint.ts'
import { formats } from '../contract/formats.ts'

/** How request bodies are validated; the same for validators compiled here and for those generated at build. */
export const ajvOptions: Options = {
  allErrors: true,
  // Without it, "toString" counts as a property of every object.
  ownProperties: true,
  // Our sentences are made from the schema.
  messages: false,
  allowUnionTypes: true,
  strictTypes: false,
  strictRequired: false,
  formats,
  keywords: ['expects', 'component'],
}

const compiled = new Map<string, ValidateFunction>()
let ajv: Ajv | undefined

/**
 * What JSON Schema finds wrong with a body, nothing if it is right. Development and tests compile the schema at its
 * first use; a build puts generated validators in this module's place (`#validators`).
 */
export const schemaErrors = ({ id, body: schema }: Endpoint, body: unknown): ErrorObject[] => {
  ajv ??= new Ajv(ajvOptions)
  let validate = compiled.get(id)
  if (!validate) {
    validate = ajv.compile(schema ?? {})
    compiled.set(id, validate)
  }
  return validate(body) ? [] : (validate.errors ?? [])
}
