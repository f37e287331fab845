import type { APIGatewayProxyResult } from 'aws-lambda'
import { corsOrigin } from '../config.ts'
import { ApiError, errorEnvelope, errorKinds } from '../errors.ts'

/** Returns the CORS headers that let pages of `origin` read a response; none without an origin. */
export const corsHeadersFor = (origin: string | undefined): Record<string, string> =>
  origin
    ? {
        'access-control-allow-origin': origin,
        'access-control-expose-headers':
          'x-request-id, retry-after, allow, idempotent-replayed, create-outcome, application-name, changes-held-back',
      }
    : {}

/** How long a browser may cache the response to a preflight, in seconds. */
const KEPT_SECONDS = 3_600

/** Returns the headers of the response to a CORS preflight: the methods and headers that a page of `origin` may send. */
export const preflightHeadersFor = (origin: string, methods: readonly string[]): Record<string, string> => ({
  ...corsHeadersFor(origin),
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': 'authorization, x-app-id, content-type, accept, x-request-id',
  'access-control-max-age': String(KEPT_SECONDS),
})

const RETRY_AFTER_SECONDS = '1'

/** A response, all of whose headers are text. */
type Response = APIGatewayProxyResult & { readonly headers: Record<string, string> }

/** Returns a response with the common headers. */
export const createResponse = (
  statusCode: number,
  body: string,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): Response => ({
  statusCode,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    ...corsHeadersFor(corsOrigin()),
    ...headers,
  },
  body,
})

/**
 * Returns the response to a request with this method. The response to HEAD is the response to GET without its body, whose
 * length it states.
 */
export const responseForMethod = (
  method: string | undefined,
  response: APIGatewayProxyResult,
): APIGatewayProxyResult => {
  if (method !== 'HEAD') return response
  const { headers, body, isBase64Encoded } = response
  const length = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8')
  const withLength = { ...headers, 'content-length': String(length) }
  return { ...response, headers: withLength, body: '', isBase64Encoded: false }
}

/** Converts anything thrown to an ApiError: a timeout becomes 503, any other unexpected error 500. */
export const asApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error
  if (error instanceof Error && error.name === 'TimeoutError')
    return new ApiError('unavailable', 'The request took too long; send it again.', { cause: error })
  return new ApiError(
    'internal',
    'Something went wrong on our side. Quote the x-request-id header when you report it.',
    { cause: error },
  )
}

/** Formats an error as a response. No other code does. */
export const errorResponse = (
  { kind, details }: ApiError,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): Response => {
  const { status, title } = errorKinds[kind]
  return createResponse(status, JSON.stringify(errorEnvelope(status, title, details)), requestId, {
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(status === 429 || status === 503 ? { 'retry-after': RETRY_AFTER_SECONDS } : {}),
    ...headers,
  })
}
