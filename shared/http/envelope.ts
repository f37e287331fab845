import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda'
import { functionVersion, traceId } from '../config.ts'
import type { Result, WithIncludes } from '../contract/call.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { logRequest, millisSince, type RequestLog } from '../log.ts'
import { encodeCursor, type Position } from '../pagination/cursor.ts'
import { fitting, type Page, type PageRequest } from '../pagination/page.ts'
import { isPage, present } from './present.ts'
import { refusalOf } from './refusal.ts'
import { requestIdOf } from './request.ts'
import { asApiError, errorResponse, respond } from './responses.ts'
import { type State, stateOf } from './state.ts'

/**
 * The maximum size of a list's response in bytes, below Lambda's limit of 6 MB. Lambda limits the function's result as JSON,
 * in which the body is a string with escaped quotes and backslashes.
 */
export const MAX_PAYLOAD_BYTES = 5 * 1024 * 1024
/** An upper bound for the bytes of headers, envelope and two cursors. */
const ENVELOPE_BYTES = 2_000
/** The maximum bytes of a character of the body in that result: two escaped ASCII characters, or three bytes of UTF-8. */
const MAX_CHARACTER_BYTES = 3

/** An entity of a page with its JSON text. */
interface Row {
  readonly item: WithIncludes
  readonly json: string
}

const cursors = ({ scope, call }: State, { items, hasPrevious, hasNext }: Page<Row>) => {
  const cursor = (direction: Position['direction'], beside: Row | undefined) => {
    if (!beside) return null
    const { order, changed = order } = beside.item.entity
    return encodeCursor(scope!, { direction, order: changed, walk: call!.page.walk })
  }
  return {
    has_more: hasNext,
    next_cursor: hasNext ? cursor('next', items.at(-1)) : null,
    previous_cursor: hasPrevious ? cursor('previous', items[0]) : null,
  }
}

/** Returns the bytes of a row in the payload, including its comma. */
const payloadBytes = ({ json }: Row): number => Buffer.byteLength(JSON.stringify(json)) + 1

/** Returns the part of a page that Lambda can return. Only large pages are measured, which costs as much as serialising. */
const bounded = (request: PageRequest, page: Page<Row>): Page<Row> => {
  const most = MAX_PAYLOAD_BYTES - ENVELOPE_BYTES
  const characters = page.items.reduce((sum, { json }) => sum + json.length + 1, 0)
  return characters * MAX_CHARACTER_BYTES <= most ? page : fitting(request, page, payloadBytes, most)
}

const bodyOf = (endpoint: Endpoint, result: Result, state: State): string => {
  const json = (item: WithIncludes) => JSON.stringify(present(endpoint, item))
  if (!isPage(result)) return `{"data":{"${endpoint.resource.name}":${json(result)}}}`
  const rows = result.items.map((item) => ({ item, json: json(item) }))
  const page = bounded(state.call!.page, { ...result, items: rows })
  const items = page.items.map((row) => row.json).join()
  const pagination = JSON.stringify(cursors(state, page))
  return `{"data":{"${endpoint.resource.plural}":[${items}]},"pagination":${pagination}}`
}

/** Returns the headers with the outcome of a create. */
const headersOf = (result: Result): Record<string, string> =>
  isPage(result)
    ? {}
    : {
        ...(result.replayed ? { 'idempotent-replayed': 'true' } : {}),
        ...(result.outcome ? { 'create-outcome': result.outcome } : {}),
      }

/** The outermost middleware: formats results and errors in the specification's envelopes, and logs the request. */
export const envelope = (endpoint: Endpoint): MiddlewareObj<APIGatewayProxyEvent, unknown> => {
  const finish = (
    state: State,
    result: APIGatewayProxyResult,
    failure: Pick<RequestLog, 'kind' | 'fields' | 'error'> = {},
  ): APIGatewayProxyResult => {
    logRequest({
      request_id: state.requestId,
      gateway_request_id: state.gatewayRequestId,
      trace_id: traceId(),
      app_id: state.app?.id,
      key_id: state.app?.keyId,
      claimed_app_id: result.statusCode === 401 ? state.claimedAppId : undefined,
      route: endpoint.id,
      version: functionVersion(),
      status: result.statusCode,
      ms: millisSince(state.startedAt),
      ...failure,
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
      const result = request.response as Result
      request.response = finish(
        state,
        respond(200, bodyOf(endpoint, result, state), state.requestId, headersOf(result)),
      )
    },
    onError: (request) => {
      const state = stateOf(request)
      const error = asApiError(request.error)
      request.response = finish(state, errorResponse(error, state.requestId), {
        ...refusalOf(endpoint, error),
        error: request.error,
      })
    },
  }
}
