import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { ApiError } from '../../shared/errors.ts'
import { errorResponse } from '../../shared/http/responses.ts'
import { cut } from '../../shared/http/shown.ts'
import { suggestion } from '../../shared/http/suggest.ts'

/** What the deployed gateway does between HTTP and the functions; pure, with its routes from the catalogue. */

/** The most bytes of a body that the gateway reads, and of an event that it can hand on: Lambda's limit. */
export const GATEWAY_BODY_BYTES = 10 * 1024 * 1024
export const EVENT_BYTES = 6 * 1024 * 1024

/** What a request is matched against. */
export type Route = Pick<Endpoint, 'method' | 'path'>

/** Where a request goes. */
export interface Target {
  /** The path as it was sent, percent-encoded and with every dot and slash. */
  readonly sent: string
  /** The same with no more than one slash at its beginning, as functions are told it. */
  readonly path: string
  readonly query: URLSearchParams
}

/** The target of a request line, in its origin or its absolute form. A `URL` would tidy the path and change ids. */
export const targetOf = (url: string): Target => {
  const [text = ''] = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').split('#')
  const end = text.indexOf('?')
  const sent = end === -1 ? text : text.slice(0, end)
  const query = new URLSearchParams(end === -1 ? '' : text.slice(end + 1))
  return { sent, path: sent.replace(/^\/*/, '/'), query }
}

const grouped = (pairs: Iterable<readonly [string, string]>): Record<string, string[]> => {
  const all = new Map<string, string[]>()
  for (const [name, value] of pairs) all.set(name, [...(all.get(name) ?? []), value])
  // Unlike an assignment, this makes a property even of `__proto__`.
  return Object.fromEntries(all)
}

const lastOf = (multi: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(multi).map(([name, values]) => [name, values.at(-1)!]))

const headerPairs = function* (raw: readonly string[]): Iterable<readonly [string, string]> {
  for (let index = 0; index < raw.length; index += 2) yield [raw[index]!, raw[index + 1]!]
}

/** The id in a path that a template ends with, empty where it has none; undefined where the path is another. */
const matches = (template: string, path: string): string | undefined => {
  const start = template.indexOf('{id}')
  if (start === -1) return template === path ? '' : undefined
  const id = path.startsWith(template.slice(0, start)) ? path.slice(start) : ''
  return id === '' || id.includes('/') ? undefined : id
}

/** A path as it is matched: slashes at its end do not count. */
export const matchedPath = (path: string): string => {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** The endpoint of a request and the id in its path, or the gateway's own answer where there is none. */
export const route = <E extends Route>(
  endpoints: readonly E[],
  { method, path, requestId }: { method: string; path: string; requestId: string },
): { endpoint: E; id: string } | APIGatewayProxyResult => {
  const wanted = matchedPath(path)
  const here = endpoints.filter((endpoint) => matches(endpoint.path, wanted) !== undefined)
  const endpoint = here.find((each) => each.method === method)
  if (endpoint) return { endpoint, id: matches(endpoint.path, wanted) as string }
  if (here.length === 0) {
    const paths = [...new Set(endpoints.map((each) => each.path))]
    const detail = `There is no ${cut(path)}${suggestion(path, paths)}`
    return errorResponse(new ApiError('route_not_found', detail), requestId)
  }
  const allow = here.map((each) => each.method).join(', ')
  return errorResponse(
    new ApiError('method_not_allowed', `${method} is not allowed here; use ${allow}.`),
    requestId,
    { allow },
  )
}

/** A request as the REST API's proxy integration gives it to a function. */
export const eventOf = (
  request: IncomingMessage,
  target: Target,
  { endpoint, id, body, requestId }: { endpoint: Route; id: string; body: Buffer; requestId: string },
): APIGatewayProxyEvent => {
  const headers = grouped(headerPairs(request.rawHeaders))
  const query = grouped(target.query)
  const hasQuery = Object.keys(query).length > 0
  return {
    resource: endpoint.path,
    path: target.path,
    httpMethod: endpoint.method,
    headers: lastOf(headers),
    multiValueHeaders: headers,
    queryStringParameters: hasQuery ? lastOf(query) : null,
    multiValueQueryStringParameters: hasQuery ? query : null,
    // Handed on percent-encoded, as it was sent.
    pathParameters: id === '' ? null : { id },
    stageVariables: null,
    body: body.length > 0 ? body.toString('base64') : null,
    isBase64Encoded: body.length > 0,
    requestContext: {
      requestId,
      path: target.sent,
      httpMethod: endpoint.method,
      resourcePath: endpoint.path,
    } as APIGatewayProxyEvent['requestContext'],
  }
}

/** The 413 that the gateway gives without looking at the API: in its own words, outside the envelope. */
export const unread: APIGatewayProxyResult = {
  statusCode: 413,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `HTTP content length exceeded ${GATEWAY_BODY_BYTES} bytes.`,
}

/** Whether an event is larger than Lambda takes. */
export const exceedsEvent = (event: APIGatewayProxyEvent): boolean =>
  // Of small ones that is known without making text of them.
  (event.body ?? '').length > EVENT_BYTES / 2 && Buffer.byteLength(JSON.stringify(event)) > EVENT_BYTES
