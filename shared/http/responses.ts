import type { APIGatewayProxyResult } from 'aws-lambda'
import { corsOrigin } from '../config.ts'
import { ApiError, errorEnvelope, errorKinds } from '../errors.ts'
import { corsHeadersFor } from './cors.ts'

const RETRY_AFTER_SECONDS = '1'

/** A response, all of whose headers are text. */
type Response = APIGatewayProxyResult & { readonly headers: Record<string, string> }

/** Returns a response with the common headers. */
export const respond = (
  statusCode: number,
  body: string,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): Response => ({
  statusCode,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': requestId,
    ...corsHeadersFor(corsOrigin()),
    ...headers,
  },
  body,
})

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
  return respond(status, JSON.stringify(errorEnvelope(status, title, details)), requestId, {
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(status === 429 || status === 503 ? { 'retry-after': RETRY_AFTER_SECONDS } : {}),
    ...headers,
  })
}
