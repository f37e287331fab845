import middy, { type MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda'
import { budget } from '../budget.ts'
import { functionVersion, traceId } from '../config.ts'
import type { Work, WorkResult } from '../contract/call.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { logLine, millisSince, type RequestLog } from '../log.ts'
import type { PageRequest } from '../pagination/page.ts'
import { type Application, currentService, withinBudget } from '../store/service.ts'
import { authenticate } from './authenticate.ts'
import { readBody } from './body.ts'
import { refusalLogFields } from './refusal-log-fields.ts'
import { type ReceivedRequest, requestIdOf } from './request.ts'
import { asApiError, createResponse, errorResponse, responseForMethod } from './responses.ts'
import { isPage, successBody } from './success-body.ts'
import { validate } from './validate.ts'

/** An application's name is cut to as many characters, since the length of headers is limited. */
const MAX_NAME_CHARACTERS = 200

/** The value is percent-encoded, since a header cannot contain letters outside Latin-1. */
const headerValue = (text: string): string =>
  encodeURIComponent([...text].slice(0, MAX_NAME_CHARACTERS).join(''))

/** The headers of a page of changes: their hold-back, and the application's name, if its key has it. */
const feedHeaders = ({ name }: Application): Record<string, string> => ({
  'changes-held-back': String(currentService().settings().holdBackSeconds),
  ...(name === undefined ? {} : { 'application-name': headerValue(name) }),
})

/** The headers that describe a result: the outcome of a create, or the hold-back of a page of changes. */
const resultHeaders = (
  result: WorkResult,
  { feed }: PageRequest,
  app: Application,
): Record<string, string> => {
  if (isPage(result)) return feed ? feedHeaders(app) : {}
  return {
    ...(result.replayed ? { 'idempotent-replayed': 'true' } : {}),
    ...(result.outcome ? { 'create-outcome': result.outcome } : {}),
  }
}

/** The log fields of a request that failed. */
type FailureLog = Pick<RequestLog, 'kind' | 'fields' | 'error'>

const logRequest = (
  endpoint: Endpoint,
  { event, id, startedAt, app, claimedAppId }: ReceivedRequest,
  { statusCode: status, body }: APIGatewayProxyResult,
  failure: FailureLog = {},
): void => {
  const line = logLine({
    request_id: id,
    gateway_request_id: event.requestContext?.requestId,
    trace_id: traceId(),
    app_id: app?.id,
    key_id: app?.keyId,
    claimed_app_id: status === 401 ? claimedAppId : undefined,
    route: endpoint.id,
    version: functionVersion(),
    status,
    ms: millisSince(startedAt),
    bytes: Buffer.byteLength(body),
    ...failure,
  })
  currentService().log(line)
}

/** The outermost middleware: turns errors into responses, and logs the request. */
const envelope = (endpoint: Endpoint): MiddlewareObj<ReceivedRequest, APIGatewayProxyResult> => ({
  after: ({ event: request, response }) => {
    if (response) logRequest(endpoint, request, response)
  },
  onError: (failed) => {
    const { event: request } = failed
    const error = asApiError(failed.error)
    const response = errorResponse(error, request.id)
    failed.response = response
    logRequest(endpoint, request, response, { ...refusalLogFields(endpoint, error), error: failed.error })
  },
})

/** The function that answers a request, in steps that each receive what the steps before have returned. */
const answer =
  <E extends Endpoint>(endpoint: E, work: Work<E>) =>
  async (request: ReceivedRequest): Promise<APIGatewayProxyResult> => {
    const { event } = request
    const app = await authenticate(endpoint, request)
    const body = endpoint.body && (await readBody(event, endpoint.body, endpoint.bodyMayBeAbsent))
    const { call, scope } = validate(endpoint, { event, app, body })
    // The work receives only the validated call, and has no access to the event.
    const result: WorkResult = await work(call)
    const json = successBody({ endpoint, page: call.page, scope }, result)
    return createResponse(200, json, request.id, resultHeaders(result, call.page, app))
  }

/** A Lambda handler. Without a context, as in a unit test, only the budget of a request limits its time. */
export type Handler = (event: APIGatewayProxyEvent, context?: Context) => Promise<APIGatewayProxyResult>

/** With the remaining time, middy ends a request early; without it, the context must be empty. */
const contextWithTime = (context: Context | undefined): Partial<Context> => {
  const remaining = context?.getRemainingTimeInMillis?.() ?? 0
  return context && remaining > 0 ? context : {}
}

/** The Lambda handler of an endpoint: its steps within the envelope and the time budget. */
export const serve = <E extends Endpoint>(endpoint: E, work: Work<E>): Handler => {
  const pipeline = middy<ReceivedRequest, APIGatewayProxyResult>({
    timeoutEarlyInMillis: budget.responseReserve,
  })
    .use(envelope(endpoint))
    .handler(answer(endpoint, work))
  return async (received, lambdaContext) => {
    // An absent event becomes one without credentials.
    const event = { ...received }
    const request = { event, id: requestIdOf(event), startedAt: performance.now() }
    const context = contextWithTime(lambdaContext)
    const response = await withinBudget(context.getRemainingTimeInMillis?.(), () =>
      pipeline(request, context as Context),
    )
    return responseForMethod(event.httpMethod, response)
  }
}
