import type { Endpoint } from '../contract/endpoint.ts'
import { type ErrorKind, errorEnvelope, errorKinds } from '../errors.ts'
import { pascal } from './names.ts'
import { type Json, media, ref } from './schemas.ts'
import { errorTexts } from './texts.ts'

/** The kinds of error that operations return. The others are for requests that match no operation. */
export type DocumentedError = keyof typeof errorTexts

const kindsFor = ({ body, path, operation }: Endpoint): Record<ErrorKind, boolean> => ({
  unreadable_body: body !== undefined,
  unauthorized: true,
  forbidden: true,
  entity_not_found: path.includes('{id}'),
  // Responses to requests that match no operation.
  route_not_found: false,
  method_not_allowed: false,
  conflict: operation === 'create' || operation === 'update',
  body_too_large: body !== undefined,
  unsupported_media_type: body !== undefined,
  invalid: true,
  too_many_requests: true,
  internal: true,
  unavailable: true,
})

/** Returns the kinds of error that an endpoint can return, by status. */
export const errorsOf = (endpoint: Endpoint): ErrorKind[] => {
  const isPossible = kindsFor(endpoint)
  return (Object.keys(isPossible) as ErrorKind[]).filter((kind) => isPossible[kind])
}

/** Example details, verbatim from the service: a test provokes and compares each of them. */
export const errorDetails: Readonly<Record<DocumentedError, Readonly<Record<string, readonly string[]>>>> = {
  unreadable_body: {
    not_json: [
      'The body must be a JSON object such as {"id": "1"}; at line 1, column 7 it needs a value, not the end of the body.',
    ],
  },
  unauthorized: {
    credentials: [
      'Send "Authorization: Bearer <API key>" and "x-app-id: <application id>", once each, of one application. A key is "bdk_" or "bdr_" and 40 letters and digits, without quotes.',
    ],
  },
  forbidden: {
    read_only_key: [
      'This API key is read-only ("bdr_…"): it may send GET requests. To write, use a key that begins with "bdk_".',
    ],
    firewall: ['The firewall refused this request.'],
  },
  entity_not_found: { unknown_id: ['No product matches the id "plan-x".'] },
  conflict: {
    other_content: [
      'id must be unused, or sent with the values of its create: "plan-pro" is already the id of product prod_0123456789abcdefghijkl, created with other values of: name.',
    ],
    other_id: ['id must be that of customer cus_0123456789abcdefghijkl and never changes (got "1043").'],
  },
  body_too_large: { too_large: ['The body must be at most 262144 bytes (got 300000).'] },
  unsupported_media_type: {
    not_json: ['The content type must be application/json in UTF-8 (got "text/plain").'],
  },
  invalid: {
    body: [
      'name is required: a string of at most 255 characters.',
      'nmae is not a field here; did you mean name?',
    ],
    query: ['limit must be an integer from 1 to 100 (got "500").'],
  },
  too_many_requests: { limit: ['Too many requests at once; send it again a little later.'] },
  internal: {
    fault: ['Something went wrong on our side. Quote the x-request-id header when you report it.'],
  },
  unavailable: { busy: ['The service is busy; nothing is lost by sending the same request again.'] },
}

/** Returns the body of an error with these details. */
export const errorExample = (kind: ErrorKind, details: readonly string[]): Json => {
  const { status, title } = errorKinds[kind]
  return errorEnvelope(status, title, details)
}

const headersOf = (status: number): Json => ({
  'x-request-id': ref('headers', 'RequestId'),
  ...(status === 401 ? { 'www-authenticate': ref('headers', 'Authenticate') } : {}),
  ...(status === 429 || status === 503 ? { 'retry-after': ref('headers', 'RetryAfter') } : {}),
})

/** The response components of all errors that operations return, by kind in Pascal case. */
export const errorResponses = (): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(errorDetails).map(([name, examples]) => {
      const kind = name as DocumentedError
      const { status, title } = errorKinds[kind]
      const shown = Object.entries(examples).map(([key, details]) => [
        key,
        { value: errorExample(kind, details) },
      ])
      return [
        pascal(kind),
        {
          description: `${title}. ${errorTexts[kind]}`,
          headers: headersOf(status),
          content: media('ErrorResponse', Object.fromEntries(shown)),
        },
      ]
    }),
  )
