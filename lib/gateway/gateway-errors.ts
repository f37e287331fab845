import { GatewayResponse, type IRestApi, ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway'
import { Construct } from 'constructs'
import { ApiError, type ErrorKind } from '../../shared/errors.ts'
import { bodyTooLarge } from '../../shared/http/body.ts'
import { errorResponse } from '../../shared/http/responses.ts'
import { type FixedResponse, literals } from './mock-method.ts'

/**
 * The kind and detail of each error that the gateway itself makes, without those of features that the API does not use.
 * Statuses are fixed, since `code` in the envelope repeats the status. Temporary errors are 503 with Retry-After, which
 * clients retry. They include API_CONFIGURATION_ERROR, a name under which a function that Lambda throttles may appear.
 */
const errors = (noSuchRoute: string): readonly (readonly [ResponseType, ErrorKind, string])[] => [
  [ResponseType.DEFAULT_4XX, 'unreadable_body', 'The request cannot be read, or is too large.'],
  [ResponseType.WAF_FILTERED, 'forbidden', 'The firewall refused this request.'],
  // No route requires a signature, so only methods that no route has, such as TRACE, fail for a missing or wrong one.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'route_not_found', noSuchRoute],
  [ResponseType.INVALID_SIGNATURE, 'route_not_found', noSuchRoute],
  [ResponseType.RESOURCE_NOT_FOUND, 'route_not_found', noSuchRoute],
  // Functions check content types themselves. The gateway checks them only for its fixed responses to unknown routes.
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, 'route_not_found', noSuchRoute],
  [ResponseType.REQUEST_TOO_LARGE, 'body_too_large', bodyTooLarge().details[0]!],
  [ResponseType.THROTTLED, 'too_many_requests', 'Too many requests at once; send it again a little later.'],
  [ResponseType.DEFAULT_5XX, 'internal', 'Something went wrong; quote x-request-id when you report it.'],
  [ResponseType.API_CONFIGURATION_ERROR, 'unavailable', 'The service is busy; send the same request again.'],
  [ResponseType.INTEGRATION_FAILURE, 'unavailable', 'The service is busy; send the same request again.'],
  [ResponseType.INTEGRATION_TIMEOUT, 'unavailable', 'The request took too long; send it again.'],
]

/** Returns the fixed response of an error, with the gateway's request id. */
export const gatewayError = (
  kind: ErrorKind,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): FixedResponse => {
  const response = errorResponse(new ApiError(kind, detail), '', headers)
  return {
    status: String(response.statusCode),
    body: response.body,
    headers: { ...literals(response.headers), 'x-request-id': 'context.requestId' },
  }
}

/** Formats every error of the gateway in the specification's envelope. */
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
    for (const [type, kind, detail] of errors(noSuchRoute)) {
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
