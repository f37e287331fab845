import { Ajv, type ValidateFunction } from 'ajv'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { formats } from '../../../shared/contract/formats.ts'
import { errorKinds } from '../../../shared/errors.ts'
import { openApiDocument } from '../../../shared/openapi/document.ts'
import { errorKindsOf } from '../../../shared/openapi/errors.ts'
import { errorSchema, successSchema } from '../../../shared/openapi/response-schema.ts'
import { routedEndpoint } from './endpoints.ts'

// Schemas are not validated, which a test of the document does, nor is their code optimised: compiling took longer than
// validating with it.
const ajv = new Ajv({ strict: false, formats, meta: false, validateSchema: false, code: { optimize: false } })
const validators = new Map<string, ValidateFunction>()

const errorValidator = ajv.compile(errorSchema)

/** The operations of a path of the document, by their method. */
type PathItem = Readonly<
  Record<string, { responses: { 200?: { content: { 'application/json': { schema: object } } } } }>
>

/** The schema of a success: that of an endpoint or, if none belongs to the path, that of its item in the document. */
const schemaOfSuccess = (endpoint: Endpoint | undefined, method: string, path: string): object => {
  if (endpoint) return successSchema(endpoint)
  const paths = openApiDocument('').paths as Readonly<Record<string, PathItem>>
  const { pathname } = new URL(path, 'http://localhost')
  const success = paths[pathname]?.[method.toLowerCase()]?.responses[200]
  if (!success)
    throw new Error(`${method} ${path} responded with 200, which no path of the document declares`)
  return success.content['application/json'].schema
}

const successValidator = (endpoint: Endpoint | undefined, method: string, path: string): ValidateFunction => {
  const key = endpoint?.id ?? `${method} ${path}`
  const validator = validators.get(key) ?? ajv.compile(schemaOfSuccess(endpoint, method, path))
  validators.set(key, validator)
  return validator
}

/** Without an endpoint, the gateway itself responds, with any status. */
const declaresStatus = (endpoint: Endpoint | undefined, status: number): boolean =>
  endpoint === undefined ||
  status === 200 ||
  errorKindsOf(endpoint).some((kind) => errorKinds[kind].status === status)

const brokenRules = (status: number, headers: Headers, codes: readonly number[]): string[] => {
  const header = (name: string): string => headers.get(name) ?? ''
  const rules = {
    'an error of the body has the status as its code': status === 200 || codes.includes(status),
    'content-type is JSON in UTF-8': header('content-type') === 'application/json; charset=utf-8',
    'cache-control is no-store': header('cache-control') === 'no-store',
    'x-content-type-options is nosniff': header('x-content-type-options') === 'nosniff',
    'x-request-id is a valid id': /^[\w.:-]{1,128}$/.test(header('x-request-id')),
    'only a 401 has www-authenticate': header('www-authenticate') === (status === 401 ? 'Bearer' : ''),
    'only a 429 and a 503 have retry-after':
      Number(header('retry-after')) > 0 === (status === 429 || status === 503),
    'a 405 has the allowed methods': status !== 405 || /GET|POST|PUT/.test(header('allow')),
  }
  return Object.entries(rules).flatMap(([rule, isKept]) => (isKept ? [] : [rule]))
}

export const expectDeclared = (
  method: string,
  path: string,
  { status, headers, json }: { status: number; headers: Headers; json: unknown },
): void => {
  const response = `${method} ${path} responded with ${status}`
  const endpoint = routedEndpoint(method, path)
  if (!declaresStatus(endpoint, status))
    throw new Error(`${response}, which ${endpoint?.id} does not declare`)
  const validator = status === 200 ? successValidator(endpoint, method, path) : errorValidator
  if (!validator(json))
    throw new Error(
      `${response} against its schema: ${ajv.errorsText(validator.errors)}\n${JSON.stringify(json).slice(0, 500)}`,
    )
  const { errors = [] } = json as { errors?: readonly { code: number }[] }
  const broken = brokenRules(
    status,
    headers,
    errors.map(({ code }) => code),
  )
  // One expect() for all rules, because one for each took a twentieth of the time of all tests of the API.
  expect(broken.map((rule) => `${response} against the rule that ${rule}`)).toEqual([])
}
