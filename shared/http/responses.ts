import type { APIGatewayProxyResult } from 'aws-lambda'
import { corsOrigin } from '../config.ts'
import type { Deployable } from '../contract/deployable.ts'
import { ApiError, errorEnvelope, errorKinds } from '../errors.ts'

/** The CORS headers that allow pages of `origin` to read a response; none without an origin. */
export const corsHeadersFor = (origin: string | undefined): Record<string, string> =>
  origin
    ? {
        'access-control-allow-origin': origin,
        'access-control-expose-headers':
          'x-request-id, retry-after, allow, idempotent-replayed, create-outcome, application-name, changes-held-back',
      }
    : {}

/** The time for which a browser caches the response to a preflight, in seconds. */
const PREFLIGHT_CACHE_SECONDS = 3_600

/** They answer a CORS preflight with the methods and headers that a page of `origin` is allowed to send. */
export const preflightHeadersFor = (origin: string, methods: readonly string[]): Record<string, string> => ({
  ...corsHeadersFor(origin),
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': 'authorization, x-app-id, content-type, accept, x-request-id',
  'access-control-max-age': String(PREFLIGHT_CACHE_SECONDS),
})

const RETRY_AFTER_SECONDS = '1'

/** A response whose headers are all text. */
type TextHeadersResponse = APIGatewayProxyResult & { readonly headers: Record<string, string> }

export const createResponse = (
  statusCode: number,
  body: string,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): TextHeadersResponse => ({
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

/** The methods that a route accepts. A route with GET also accepts HEAD. */
export const acceptedMethods = ({ method }: Pick<Deployable, 'method'>): readonly string[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method]

/**
 * The response to a request with `method`, given the response to GET or to a write. The response to HEAD is
 * the response to GET without its body, but with the length of the body.
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

/** A thrown value as an ApiError: a timeout becomes 503, any other unexpected error 500. */
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

export const errorHeaders = (status: number): Record<string, string> => {
  if (status === 401) return { 'www-authenticate': 'Bearer' }
  return status === 429 || status === 503 ? { 'retry-after': RETRY_AFTER_SECONDS } : {}
}

/** Only this function formats errors. */
export const errorResponse = (
  { kind, details }: ApiError,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): TextHeadersResponse => {
  const { status, title } = errorKinds[kind]
  const body = JSON.stringify(errorEnvelope(status, title, details))
  return createResponse(status, body, requestId, { ...errorHeaders(status), ...headers })
}
