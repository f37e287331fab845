import middy from '@middy/core'
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda'
import { budget, withinBudget } from '../budget.ts'
import { functionVersion, traceId } from '../config.ts'
import type { Call, Work, WorkResult } from '../contract/call.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { logLine, millisSince, type RequestLog } from '../log.ts'
import { currentService } from '../store/service.ts'
import { authenticate } from './authenticate.ts'
import { jsonBody } from './body.ts'
import { refusalLogFields } from './refusal-log-fields.ts'
import { requestIdOf } from './request.ts'
import { asApiError, createResponse, errorResponse, responseForMethod } from './responses.ts'
import type { PipelineMiddleware, RequestState } from './state.ts'
import { isPage, successBody } from './success-body.ts'
import { validate } from './validate.ts'

/** The maximum number of characters of an application's name in a header, because the length of headers is limited. */
const MAX_NAME_CHARACTERS = 200

/** Returns a text as the value of a header: percent-encoded, since a header cannot contain letters outside Latin-1. */
const headerValue = (text: string): string =>
  encodeURIComponent([...text].slice(0, MAX_NAME_CHARACTERS).join(''))

/** Returns the headers of a page of changes: their hold-back, and the application's name, if its key has it. */
const feedHeaders = ({ app }: RequestState): Record<string, string> => ({
  'changes-held-back': String(currentService().settings().holdBackSeconds),
  ...(app?.name === undefined ? {} : { 'application-name': headerValue(app.name) }),
})

/** Returns the headers that describe a result: the outcome of a create, or the hold-back of a page of changes. */
const resultHeaders = (result: WorkResult, state: RequestState): Record<string, string> => {
  if (isPage(result)) return state.call!.page.feed ? feedHeaders(state) : {}
  return {
    ...(result.replayed ? { 'idempotent-replayed': 'true' } : {}),
    ...(result.outcome ? { 'create-outcome': result.outcome } : {}),
  }
}

/** The log fields of a request that failed. */
type FailureLog = Pick<RequestLog, 'kind' | 'fields' | 'error'>

const logRequest = (
  endpoint: Endpoint,
  state: RequestState,
  { statusCode: status, body }: APIGatewayProxyResult,
  failure: FailureLog = {},
): void => {
  const line = logLine({
    request_id: state.requestId,
    gateway_request_id: state.gatewayRequestId,
    trace_id: traceId(),
    app_id: state.app?.id,
    key_id: state.app?.keyId,
    claimed_app_id: status === 401 ? state.claimedAppId : undefined,
    route: endpoint.id,
    version: functionVersion(),
    status,
    ms: millisSince(state.startedAt),
    bytes: Buffer.byteLength(body),
    ...failure,
  })
  currentService().log(line)
}

/** The outermost middleware: formats results and errors in the specification's envelopes, and logs the request. */
export const envelope = (endpoint: Endpoint): PipelineMiddleware<WorkResult | APIGatewayProxyResult> => ({
  before: (request) => {
    Object.assign(request.internal, {
      requestId: requestIdOf(request.event),
      gatewayRequestId: request.event.requestContext?.requestId,
      startedAt: performance.now(),
    })
  },
  after: (request) => {
    const { internal: state } = request
    const result = request.response as WorkResult
    const body = successBody(endpoint, result, state)
    const response = createResponse(200, body, state.requestId, resultHeaders(result, state))
    request.response = response
    logRequest(endpoint, state, response)
  },
  onError: (request) => {
    const { internal: state } = request
    const error = asApiError(request.error)
    const response = errorResponse(error, state.requestId)
    request.response = response
    logRequest(endpoint, state, response, {
      ...refusalLogFields(endpoint, error),
      error: request.error,
    })
  },
})

/** A Lambda handler. Without a context, as in a unit test, only the budget of a request limits its time. */
export type Handler = (event: APIGatewayProxyEvent, context?: Context) => Promise<APIGatewayProxyResult>

/** Returns the context if it has the remaining time, with which middy ends a request early; otherwise an empty context. */
const contextWithTime = (context: Context | undefined): Partial<Context> => {
  const remaining = context?.getRemainingTimeInMillis?.() ?? 0
  return context && remaining > 0 ? context : {}
}

/** Returns the Lambda handler of an endpoint: the pipeline of middlewares around its work, in the order of execution. */
export const serve = <E extends Endpoint>(endpoint: E, work: Work<E>): Handler => {
  const pipeline = middy({ timeoutEarlyInMillis: budget.responseReserve })
    .use(envelope(endpoint))
    .use(authenticate(endpoint))
    .use(jsonBody(endpoint))
    .use(validate(endpoint))
    // The work receives only the validated call, and has no access to the event.
    .before((request) => {
      Object.assign(request, { event: request.internal.call })
    })
    .handler((call: unknown) => work(call as Call<E>))
  return async (event, lambdaContext) => {
    // A copy, because the pipeline changes the body. It also turns an absent event into one without credentials.
    const received = { ...event }
    const context = contextWithTime(lambdaContext)
    const response = await withinBudget(context.getRemainingTimeInMillis?.(), () =>
      pipeline(received, context as Context),
    )
    return responseForMethod(received.httpMethod, response as APIGatewayProxyResult)
  }
}
