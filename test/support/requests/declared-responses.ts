import { Ajv, type ValidateFunction } from 'ajv'
import { catalogue } from '../../../shared/catalogue.ts'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { formats } from '../../../shared/contract/formats.ts'
import { errorKinds } from '../../../shared/errors.ts'
import { errorKindsOf } from '../../../shared/openapi/errors.ts'
import { errorSchema, successSchema } from '../../../shared/openapi/response-schema.ts'
import { route } from '../../../tools/local/gateway.ts'

const ajv = new Ajv({ strict: false, allErrors: true, formats })
const compiled = new Map<string, ValidateFunction>()

/** Returns the validator of an endpoint's success or, if not `ok` or without an endpoint, of an error. */
const validatorOf = (endpoint: Endpoint | undefined, ok: boolean): ValidateFunction => {
  const key = ok && endpoint ? endpoint.id : 'error'
  const validate = compiled.get(key) ?? ajv.compile(ok && endpoint ? successSchema(endpoint) : errorSchema)
  compiled.set(key, validate)
  return validate
}

/** Returns the endpoint of a request, or undefined. */
export const routedEndpoint = (method: string, path: string): Endpoint | undefined => {
  const found = route(catalogue, { method, path: new URL(path, 'http://x').pathname, requestId: '-' })
  return 'endpoint' in found ? found.endpoint : undefined
}

/** Fails the test unless status, headers and body of a response match the declaration of its endpoint. */
export const expectDeclared = (
  method: string,
  path: string,
  response: { status: number; headers: Headers; json: unknown },
): void => {
  const { status, headers, json } = response
  const endpoint = routedEndpoint(method, path)
  const errors = endpoint ? errorKindsOf(endpoint).map((kind) => errorKinds[kind].status as number) : [status]
  if (endpoint && status !== 200 && !errors.includes(status))
    throw new Error(`${method} ${path} responded with ${status}, which ${endpoint.id} does not declare`)
  const validate = validatorOf(endpoint, status === 200)
  if (!validate(json))
    throw new Error(
      `${method} ${path} responded with ${status} against its schema: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(json).slice(0, 500)}`,
    )
  const codes =
    status === 200 ? [status] : (json as { errors: { code: number }[] }).errors.map(({ code }) => code)
  const header = (name: string): string => headers.get(name) ?? ''
  // One expect() for all of these checks, because one for each took a twentieth of the time of all tests of the API.
  const isDeclared =
    codes.includes(status) &&
    header('content-type') === 'application/json; charset=utf-8' &&
    header('cache-control') === 'no-store' &&
    header('x-content-type-options') === 'nosniff' &&
    /^[\w.:-]{1,128}$/.test(header('x-request-id')) &&
    header('www-authenticate') === (status === 401 ? 'Bearer' : '') &&
    Number(header('retry-after')) > 0 === (status === 429 || status === 503) &&
    (status !== 405 || /GET|POST|PUT/.test(header('allow')))
  expect(
    isDeclared || `${method} ${path}: ${status}, errors ${codes}, headers ${JSON.stringify([...headers])}`,
  ).toBe(true)
}
