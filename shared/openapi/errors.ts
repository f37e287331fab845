import type { Endpoint } from '../contract/endpoint.ts'
import { type ApiError, type ErrorKind, errorEnvelope, errorKinds, gatewayDetails } from '../errors.ts'
import { readOnlyKeyError, wrongCredentialsError } from '../http/authenticate.ts'
import { bodyTooLargeError, parseBody, wrongContentTypeError } from '../http/body.ts'
import { readQuery } from '../http/query.ts'
import { asApiError, errorHeaders } from '../http/responses.ts'
import { validContent } from '../http/validate.ts'
import { jsonSyntaxDetail } from '../http/validation/json-syntax-error.ts'
import { violationDetail } from '../http/validation/violations.ts'
import { customer } from '../resources/customer.ts'
import { product, products } from '../resources/product.ts'
import { idConflictError, notFoundError, otherValuesOf, UNUSED_OR_SAME } from '../store/entities.ts'
import { unavailableError } from '../store/send.ts'
import { tooManyUpdatesError, wrongBodyIdError } from '../store/updates.ts'
import { componentRef, type JsonObject, jsonContent } from './document-parts.ts'
import { pascalCase } from './names.ts'
import { errorTexts } from './texts.ts'

/** The kinds of errors that operations return. The other kinds are for requests that match no operation. */
export type DocumentedError = keyof typeof errorTexts

/** Returns, for each kind of error, whether an endpoint can return it. */
const possibleErrors = ({ body, path }: Endpoint): Record<ErrorKind, boolean> => ({
  unreadable_body: body !== undefined,
  unauthorized: true,
  forbidden: true,
  entity_not_found: path.includes('{id}'),
  // Responses to requests that match no operation.
  route_not_found: false,
  method_not_allowed: false,
  conflict: body !== undefined,
  body_too_large: body !== undefined,
  unsupported_media_type: body !== undefined,
  invalid: true,
  too_many_requests: true,
  internal: true,
  unavailable: true,
})

/** The kinds of errors that an endpoint can return, in the order of their statuses. */
export const errorKindsOf = (endpoint: Endpoint): ErrorKind[] => {
  const isPossible = possibleErrors(endpoint)
  return (Object.keys(isPossible) as ErrorKind[]).filter((kind) => isPossible[kind])
}

/** The server ids in the examples, which no entity has. */
const PRODUCT_ID = 'prod_0123456789abcdefghijkl'
const CUSTOMER_ID = 'cus_0123456789abcdefghijkl'

const misspeltNameDetails = (): readonly string[] => {
  try {
    validContent(products.create, parseBody('{"id":"plan-pro","nmae":"Pro"}'), {})
  } catch (error) {
    return (error as ApiError).details
  }
  throw new Error('A product without a name should be invalid')
}

const largeLimitDetails = (): readonly string[] => {
  const scopeOf = () => ({ app: '', list: '', secret: '' })
  return readQuery([['limit', ['500']]], products.list, scopeOf).violations.map(violationDetail)
}

const otherContentError = idConflictError(
  { resource: product, externalId: 'plan-pro' },
  { id: PRODUCT_ID },
  UNUSED_OR_SAME,
  otherValuesOf(['name']),
)

/** Example details of errors by kind and name, which the code of the service returns. */
export const errorDetails: Readonly<Record<DocumentedError, Readonly<Record<string, readonly string[]>>>> = {
  unreadable_body: { not_json: [jsonSyntaxDetail('{"id":')] },
  unauthorized: { credentials: wrongCredentialsError().details },
  forbidden: { read_only_key: readOnlyKeyError().details, firewall: [gatewayDetails.firewall] },
  entity_not_found: { unknown_id: notFoundError(product, 'plan-x').details },
  conflict: {
    other_content: otherContentError.details,
    other_id: wrongBodyIdError(customer, CUSTOMER_ID, 1043).details,
  },
  body_too_large: { too_large: bodyTooLargeError(300_000).details },
  unsupported_media_type: { not_json: wrongContentTypeError('text/plain').details },
  invalid: { body: misspeltNameDetails(), query: largeLimitDetails() },
  too_many_requests: {
    limit: [gatewayDetails.tooManyRequests],
    updates: tooManyUpdatesError(customer, undefined).details,
  },
  internal: { fault: asApiError(new Error('a fault')).details },
  unavailable: { busy: unavailableError(undefined).details },
}

export const errorExample = (kind: ErrorKind, details: readonly string[]): JsonObject => {
  const { status, title } = errorKinds[kind]
  return errorEnvelope(status, title, details)
}

/** The components of the headers that the response of an error has because of its status. */
const headerComponents: Readonly<Record<string, string>> = {
  'www-authenticate': 'Authenticate',
  'retry-after': 'RetryAfter',
}

const responseHeaders = (status: number): JsonObject => {
  const headers: Record<string, JsonObject> = { 'x-request-id': componentRef('headers', 'RequestId') }
  for (const name of Object.keys(errorHeaders(status)))
    headers[name] = componentRef('headers', headerComponents[name]!)
  return headers
}

const errorComponent = (kind: DocumentedError): JsonObject => {
  const { status, title } = errorKinds[kind]
  const examples: Record<string, JsonObject> = {}
  for (const [name, details] of Object.entries(errorDetails[kind]))
    examples[name] = { value: errorExample(kind, details) }
  return {
    description: `${title}. ${errorTexts[kind]}`,
    headers: responseHeaders(status),
    content: jsonContent('ErrorResponse', examples),
  }
}

/** The components are named by their kind, in Pascal case. */
export const errorResponses = (): Record<string, JsonObject> => {
  const kinds = Object.keys(errorDetails) as DocumentedError[]
  return Object.fromEntries(kinds.map((kind) => [pascalCase(kind), errorComponent(kind)]))
}
