import { GatewayResponse, type IRestApi, ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway'
import { Construct } from 'constructs'
import { ApiError, type ErrorKind } from '../../shared/errors.ts'
import { bodyTooLarge } from '../../shared/http/body.ts'
import { errorResponse } from '../../shared/http/responses.ts'
import { type FixedResponse, literals } from './mock-method.ts'

/** An error that the gateway itself makes, and the kind and detail of its response. */
interface GatewayError {
  readonly type: ResponseType
  readonly kind: ErrorKind
  readonly detail: string
}

const BUSY = 'The service is busy; send the same request again.'

/**
 * All errors of the gateway except those of features that the API does not use. Statuses are fixed, since `code` in the
 * envelope repeats the status. Temporary errors are 503 with Retry-After, which clients retry. They include
 * API_CONFIGURATION_ERROR, which the gateway may report when Lambda throttles a function.
 */
const errors = (noSuchRoute: string): readonly GatewayError[] => [
  {
    type: ResponseType.DEFAULT_4XX,
    kind: 'unreadable_body',
    detail: 'The request cannot be read, or is too large.',
  },
  { type: ResponseType.WAF_FILTERED, kind: 'forbidden', detail: 'The firewall refused this request.' },
  // No route requires a signature, so only methods that no route has, such as TRACE, fail for a missing or wrong one.
  { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, kind: 'route_not_found', detail: noSuchRoute },
  { type: ResponseType.INVALID_SIGNATURE, kind: 'route_not_found', detail: noSuchRoute },
  { type: ResponseType.RESOURCE_NOT_FOUND, kind: 'route_not_found', detail: noSuchRoute },
  // Functions receive every content type, since a proxy integration has no templates. Only the fixed responses refuse
  // one, for lack of a template (PassthroughBehavior.NEVER), and they are for requests without a route.
  { type: ResponseType.UNSUPPORTED_MEDIA_TYPE, kind: 'route_not_found', detail: noSuchRoute },
  { type: ResponseType.REQUEST_TOO_LARGE, kind: 'body_too_large', detail: bodyTooLarge().details[0]! },
  {
    type: ResponseType.THROTTLED,
    kind: 'too_many_requests',
    detail: 'Too many requests at once; send it again a little later.',
  },
  {
    type: ResponseType.DEFAULT_5XX,
    kind: 'internal',
    detail: 'Something went wrong; quote x-request-id when you report it.',
  },
  { type: ResponseType.API_CONFIGURATION_ERROR, kind: 'unavailable', detail: BUSY },
  { type: ResponseType.INTEGRATION_FAILURE, kind: 'unavailable', detail: BUSY },
  {
    type: ResponseType.INTEGRATION_TIMEOUT,
    kind: 'unavailable',
    detail: 'The request took too long; send it again.',
  },
]

/** Returns the fixed response of an error, with the gateway's request id. */
export const gatewayError = (
  kind: ErrorKind,
  detail: string,
  headers: Readonly<Record<string, string>>,
): FixedResponse => {
  const response = errorResponse(new ApiError(kind, detail), '', headers)
  return {
    status: String(response.statusCode),
    body: response.body,
    headers: { ...literals(response.headers), 'x-request-id': 'context.requestId' },
  }
}

/** The gateway's own errors, formatted in the specification's envelope. */
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
    for (const { type, kind, detail } of errors(noSuchRoute)) {
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
