import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda'
import { traceId } from '../config.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { logRequest, millisSince } from '../log.ts'
import { type CursorScope, encodeCursor, type Position } from '../pagination/cursor.ts'
import { fitting, type Page } from '../pagination/page.ts'
import { type Answer, isPage, present, type WithIncludes } from './present.ts'
import { requestIdOf } from './request.ts'
import { asApiError, errorResponse, respond } from './responses.ts'
import { type State, stateOf } from './state.ts'

/** The most that a list answers with, in bytes: Lambda's own limit is 6 MB (L3). */
export const MAX_ANSWER_BYTES = 5 * 1024 * 1024
/** More than a list's envelope and its two cursors take. */
const ENVELOPE_BYTES = 1_000

const cursors = (scope: CursorScope, { items, hasNewer, hasOlder }: Page<WithIncludes>) => {
  const cursor = (direction: Position['direction'], beside: WithIncludes | undefined) =>
    beside ? encodeCursor(scope, { direction, order: beside.entity.order }) : null
  return {
    has_more: hasOlder,
    next_cursor: hasOlder ? cursor('older', items.at(-1)) : null,
    previous_cursor: hasNewer ? cursor('newer', items[0]) : null,
  }
}

const pageBody = (endpoint: Endpoint, page: Page<WithIncludes>, scope: CursorScope): string =>
  JSON.stringify({
    data: { [endpoint.resource.plural]: page.items.map((item) => present(endpoint, item)) },
    pagination: cursors(scope, page),
  })

const bodyOf = (endpoint: Endpoint, answer: Answer, { app, input }: State): string => {
  if (!isPage(answer))
    return JSON.stringify({ data: { [endpoint.resource.name]: present(endpoint, answer) } })
  const scope = { app: app!.id, list: endpoint.id, secret: app!.cursorSecret }
  const body = pageBody(endpoint, answer, scope)
  if (Buffer.byteLength(body) <= MAX_ANSWER_BYTES) return body
  const sizes = answer.items.map((item) => Buffer.byteLength(JSON.stringify(present(endpoint, item))) + 1)
  return pageBody(endpoint, fitting(input!.page, answer, sizes, MAX_ANSWER_BYTES - ENVELOPE_BYTES), scope)
}

/** The outermost middleware: puts results and errors into the specification's envelopes and writes the log line. */
export const envelope = (endpoint: Endpoint): MiddlewareObj<APIGatewayProxyEvent, unknown> => {
  const finish = (state: State, result: APIGatewayProxyResult, error?: unknown): APIGatewayProxyResult => {
    logRequest({
      request_id: state.requestId,
      gateway_request_id: state.gatewayRequestId,
      trace_id: traceId(),
      app_id: state.app?.id,
      key_id: state.app?.keyId,
      claimed_app_id: result.statusCode === 401 ? state.claimedAppId : undefined,
      route: endpoint.id,
      status: result.statusCode,
      ms: millisSince(state.startedAt),
      error,
    })
    return result
  }
  return {
    before: (request) => {
      Object.assign(stateOf(request), {
        requestId: requestIdOf(request.event),
        gatewayRequestId: request.event.requestContext?.requestId,
        startedAt: performance.now(),
      })
    },
    after: (request) => {
      const state = stateOf(request)
      request.response = finish(
        state,
        respond(200, bodyOf(endpoint, request.response as Answer, state), state.requestId),
      )
    },
    onError: (request) => {
      const state = stateOf(request)
      const error = asApiError(request.error)
      request.response = finish(state, errorResponse(error, state.requestId), request.error)
    },
  }
}
