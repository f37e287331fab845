/** The HTTP status and the fixed title of each kind of error. */
export const errorKinds = {
  unreadable_body: { status: 400, title: 'Unreadable body' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  /** A write with a read-only key, or a request that the firewall refused. */
  forbidden: { status: 403, title: 'Forbidden' },
  entity_not_found: { status: 404, title: 'Entity not found' },
  route_not_found: { status: 404, title: 'Route not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'Conflict' },
  body_too_large: { status: 413, title: 'Body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  invalid: { status: 422, title: 'Invalid request' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Service unavailable' },
} as const

/** A kind of error, such as `conflict`. */
export type ErrorKind = keyof typeof errorKinds

/** The body has one entry per detail. */
export const errorEnvelope = (code: number, title: string, details: readonly string[]) => ({
  errors: details.map((detail) => ({ code, title, detail })),
})

/** The details of errors that the gateway returns itself, without invoking a function. */
export const gatewayDetails = {
  firewall: 'The firewall refused this request.',
  tooManyRequests: 'Too many requests at once; send it again a little later.',
} as const

/** The maximum number of details in an error response. */
export const MAX_DETAILS = 50

/**
 * The error that handlers and middlewares throw for a request that failed. The envelope formats it, one entry
 * per detail. Details beyond `MAX_DETAILS` are dropped.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly kind: ErrorKind
  readonly details: readonly string[]

  constructor(kind: ErrorKind, details: string | readonly string[], options?: { cause?: unknown }) {
    super(kind, options)
    this.kind = kind
    this.details = typeof details === 'string' ? [details] : details.slice(0, MAX_DETAILS)
  }
}
