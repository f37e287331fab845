import { Ajv, type ValidateFunction } from 'ajv'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { formats } from '../../../shared/contract/formats.ts'
import { errorKinds } from '../../../shared/errors.ts'
import { errorKindsOf } from '../../../shared/openapi/errors.ts'
import { errorSchema, successSchema } from '../../../shared/openapi/response-schema.ts'
import { routedEndpoint } from './endpoints.ts'

// Without validating the schemas, which a test of the document does: that took a tenth of a second of each file.
const ajv = new Ajv({ strict: false, allErrors: true, formats, meta: false, validateSchema: false })
const validators = new Map<string, ValidateFunction>()

/** Of the endpoint's success. */
const successValidator = (endpoint: Endpoint): ValidateFunction => {
  const validator = validators.get(endpoint.id) ?? ajv.compile(successSchema(endpoint))
  validators.set(endpoint.id, validator)
  return validator
}
const errorValidator = ajv.compile(errorSchema)

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
  const validator = endpoint && status === 200 ? successValidator(endpoint) : errorValidator
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
