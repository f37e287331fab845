import { GatewayResponse, type IRestApi, ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway'
import { Construct } from 'constructs'
import { ApiError, type ErrorKind, gatewayDetails } from '../../shared/errors.ts'
import { bodyTooLargeError } from '../../shared/http/body.ts'
import { errorResponse } from '../../shared/http/responses.ts'
import { type FixedResponse, literalHeaders } from './fixed-response.ts'

const BUSY = 'The service is busy; send the same request again.'

/**
 * The errors of the gateway, except those of features that the API does not use, with the kind and the detail
 * of the response. Statuses are fixed, since `code` in the envelope repeats the status. Temporary errors are
 * 503 with Retry-After, which clients retry. They include API_CONFIGURATION_ERROR, which the gateway may
 * report when Lambda throttles a function, and INTEGRATION_FAILURE, which a crash of a function also causes:
 * only the access log can distinguish them, not the response.
 */
const gatewayErrors = (noSuchRoute: string): readonly [ResponseType, ErrorKind, detail: string][] => [
  [
    ResponseType.DEFAULT_4XX,
    'unreadable_body',
    'The request cannot be read, is too large, or has an unknown method.',
  ],
  [ResponseType.WAF_FILTERED, 'forbidden', gatewayDetails.firewall],
  // No route requires a signature. Only a method that no route has, such as TRACE, fails because its
  // signature is missing or invalid. With an API key instead of a signature, the error is DEFAULT_4XX.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'route_not_found', noSuchRoute],
  [ResponseType.INVALID_SIGNATURE, 'route_not_found', noSuchRoute],
  [ResponseType.RESOURCE_NOT_FOUND, 'route_not_found', noSuchRoute],
  // A proxy integration has no templates, so functions receive every content type. Only fixed responses, for
  // requests without a route, refuse a content type without a template (PassthroughBehavior.NEVER).
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, 'route_not_found', noSuchRoute],
  [ResponseType.REQUEST_TOO_LARGE, 'body_too_large', bodyTooLargeError().details[0]!],
  [ResponseType.THROTTLED, 'too_many_requests', gatewayDetails.tooManyRequests],
  [ResponseType.DEFAULT_5XX, 'internal', 'Something went wrong; quote x-request-id when you report it.'],
  [ResponseType.API_CONFIGURATION_ERROR, 'unavailable', BUSY],
  [ResponseType.INTEGRATION_FAILURE, 'unavailable', BUSY],
  [ResponseType.INTEGRATION_TIMEOUT, 'unavailable', 'The request took too long; send it again.'],
]

/** The error has the gateway's request id. */
export const gatewayError = (
  kind: ErrorKind,
  detail: string,
  headers: Readonly<Record<string, string>>,
): FixedResponse => {
  const response = errorResponse(new ApiError(kind, detail), '', headers)
  return {
    status: String(response.statusCode),
    body: response.body,
    headers: { ...literalHeaders(response.headers), 'x-request-id': 'context.requestId' },
  }
}

export class GatewayErrors extends Construct {
  constructor(
    scope: Construct,
    id: string,
    props: {
      readonly api: RestApi
      readonly headers: Readonly<Record<string, string>>
      readonly noSuchRoute: string
    },
  ) {
    super(scope, id)
    const { api, headers, noSuchRoute } = props
    for (const [type, kind, detail] of gatewayErrors(noSuchRoute)) {
      const { status: statusCode, body, headers: responseHeaders } = gatewayError(kind, detail, headers)
      new GatewayResponse(this, type.responseType, {
        restApi: api as IRestApi,
        type,
        statusCode,
        responseHeaders,
        templates: { 'application/json': body },
      })
    }
  }
}
