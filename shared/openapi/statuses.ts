import type { Endpoint } from '../contract/endpoint.ts'
import { type ErrorKind, errorKinds } from '../errors.ts'

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

/** The kinds of error that an endpoint can return, by status. */
export const errorsOf = (endpoint: Endpoint): ErrorKind[] =>
  Object.entries(kindsFor(endpoint)).flatMap(([kind, possible]) => (possible ? [kind as ErrorKind] : []))

/** Every status that an endpoint can return, ascending. */
export const statusesOf = (endpoint: Endpoint): number[] => [
  200,
  ...errorsOf(endpoint).map((kind) => errorKinds[kind].status),
]
