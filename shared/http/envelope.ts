import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda'
import { functionVersion, traceId } from '../config.ts'
import type { WithIncludes, WorkResult } from '../contract/call.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { present } from '../contract/present.ts'
import { ApiError } from '../errors.ts'
import { logLine, millisSince, type RequestLog } from '../log.ts'
import { encodeCursor, type Position } from '../pagination/cursor.ts'
import { fittingPage, MAX_PAYLOAD_BYTES, type Page, type PageRequest } from '../pagination/page.ts'
import { currentService } from '../store/service.ts'
import { refusalLogFields } from './refusal.ts'
import { requestIdOf } from './request.ts'
import { asApiError, createResponse, errorResponse } from './responses.ts'
import { type RequestState, requestState } from './state.ts'

/** An upper bound for the bytes of headers, envelope and two cursors. */
const ENVELOPE_BYTES = 2_000
const MAX_ROWS_BYTES = MAX_PAYLOAD_BYTES - ENVELOPE_BYTES
/** The maximum bytes of a character of the body in Lambda's result: two escaped ASCII characters, or three bytes of UTF-8. */
const MAX_CHARACTER_BYTES = 3

interface Row {
  readonly item: WithIncludes
  readonly json: string
}

/** Returns the bytes of a row in the payload, including its comma. */
const payloadBytes = ({ json }: Row): number => Buffer.byteLength(JSON.stringify(json)) + 1

/**
 * Returns the 422 error for an entity that alone exceeds a response, because of its children or of what its listed objects embed.
 * The name of an include of children is their plural.
 */
const tooLarge = ({ include, resource }: Endpoint, { entity, embedded = {} }: WithIncludes): ApiError => {
  const refuse = (name: string, what: string, advice: string) => {
    const problem = `must not name ${name} for ${resource.name} ${entity.id}, whose ${what} take more than 5 MiB`
    return new ApiError('invalid', `include ${problem}; ${advice}.`)
  }
  for (const [name, how] of Object.entries(include)) {
    if (!(name in embedded)) continue
    if (how.from === 'children')
      return refuse(name, name, `read them with GET /api/${name}?${how.field}=${entity.id}`)
    if (how.from === 'listed')
      return refuse(name, `${how.list} with ${name}`, `name ${how.list} without ${name}`)
  }
  throw new Error(`${resource.name} ${entity.id} exceeds a response, although it embeds nothing large`)
}

/**
 * Returns the part of a page that Lambda can return. Throws ApiError `invalid` if its first entity alone is too large. Measures
 * only large pages, since it costs as much as serialising.
 */
const payloadPage = (endpoint: Endpoint, request: PageRequest, page: Page<Row>): Page<Row> => {
  const characters = page.items.reduce((sum, { json }) => sum + json.length + 1, 0)
  if (characters * MAX_CHARACTER_BYTES <= MAX_ROWS_BYTES) return page
  const fits = fittingPage(request, page, payloadBytes, MAX_ROWS_BYTES)
  const [first] = fits.items
  if (first && fits.items.length === 1 && payloadBytes(first) > MAX_ROWS_BYTES)
    throw tooLarge(endpoint, first.item)
  return fits
}

const isPage = (result: WorkResult | Page<WithIncludes>): result is Page<WithIncludes> => 'items' in result

const cursors = ({ scope, call }: RequestState, { items, hasPrevious, hasNext }: Page<Row>) => {
  const cursor = (direction: Position['direction'], beside: Row | undefined) => {
    if (!beside) return null
    const { order, changed = order } = beside.item.entity
    return encodeCursor(scope!, { direction, order: changed, feed: call!.page.feed })
  }
  return {
    has_more: hasNext,
    next_cursor: hasNext ? cursor('next', items.at(-1)) : null,
    previous_cursor: hasPrevious ? cursor('previous', items[0]) : null,
  }
}

const successBody = (endpoint: Endpoint, result: WorkResult, state: RequestState): string => {
  const json = (item: WithIncludes) => JSON.stringify(present(endpoint, item))
  const rows = (items: readonly WithIncludes[]) => items.map((item) => ({ item, json: json(item) }))
  const { page: request } = state.call!
  if (!isPage(result)) {
    const alone = { items: rows([result]), hasPrevious: false, hasNext: false }
    const [row] = payloadPage(endpoint, request, alone).items
    return `{"data":{"${endpoint.resource.name}":${row!.json}}}`
  }
  const page = payloadPage(endpoint, request, { ...result, items: rows(result.items) })
  const items = page.items.map((row) => row.json).join()
  const pagination = JSON.stringify(cursors(state, page))
  return `{"data":{"${endpoint.resource.plural}":[${items}]},"pagination":${pagination}}`
}

/** The most characters of an application's name in a header, whose length is limited. */
const MAX_NAME_CHARACTERS = 200

/** Returns a text as a header: percent-encoded, since a header has no letters outside Latin-1. */
const inHeader = (text: string): string =>
  encodeURIComponent([...text].slice(0, MAX_NAME_CHARACTERS).join(''))

/** Returns the headers of a page of changes: their hold-back, and the application's name, if its key has it. */
const feedHeaders = ({ app }: RequestState): Record<string, string> => ({
  'changes-held-back': String(currentService().settings().holdBack),
  ...(app?.name === undefined ? {} : { 'application-name': inHeader(app.name) }),
})

/** Returns the headers of a result: the outcome of a create, or the hold-back of a page of changes. */
const headersOf = (result: WorkResult, state: RequestState): Record<string, string> => {
  if (isPage(result)) return state.call!.page.feed ? feedHeaders(state) : {}
  return {
    ...(result.replayed ? { 'idempotent-replayed': 'true' } : {}),
    ...(result.outcome ? { 'create-outcome': result.outcome } : {}),
  }
}

/** The outermost middleware: formats results and errors in the specification's envelopes, and logs the request. */
export const envelope = (endpoint: Endpoint): MiddlewareObj<APIGatewayProxyEvent, unknown> => {
  const finish = (
    state: RequestState,
    result: APIGatewayProxyResult,
    failure: Pick<RequestLog, 'kind' | 'fields' | 'error'> = {},
  ): APIGatewayProxyResult => {
    const line = logLine({
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
    currentService().log(line)
    return result
  }
  return {
    before: (request) => {
      Object.assign(requestState(request), {
        requestId: requestIdOf(request.event),
        gatewayRequestId: request.event.requestContext?.requestId,
        startedAt: performance.now(),
      })
    },
    after: (request) => {
      const state = requestState(request)
      const result = request.response as WorkResult
      request.response = finish(
        state,
        createResponse(200, successBody(endpoint, result, state), state.requestId, headersOf(result, state)),
      )
    },
    onError: (request) => {
      const state = requestState(request)
      const error = asApiError(request.error)
      request.response = finish(state, errorResponse(error, state.requestId), {
        ...refusalLogFields(endpoint, error),
        error: request.error,
      })
    },
  }
}
