import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda'
import { corsOrigin } from '../../shared/config.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { ApiError } from '../../shared/errors.ts'
import { acceptedMethods, errorResponse, preflightHeadersFor } from '../../shared/http/responses.ts'
import { truncated } from '../../shared/http/validation/quoted.ts'
import { closestName, suggestion } from '../../shared/http/validation/suggest.ts'
import { ABSOLUTE_FORM } from './loopback.ts'

/** The conversions and checks of the deployed gateway between HTTP and the functions, as pure functions. */

/** The largest body that the gateway accepts, in bytes. */
export const GATEWAY_BODY_BYTES = 10 * 1024 * 1024
/** The limit of Lambda, in bytes. */
export const EVENT_BYTES = 6 * 1024 * 1024

type Route = Pick<Endpoint, 'method' | 'path'>

interface Routed<E extends Route> {
  readonly endpoint: E
  readonly method: string
  readonly id: string
}

/**
 * In origin or absolute form. `URL` would normalise the path and thereby change ids. `sentPath` is the
 * path exactly as sent; `path` has exactly one slash at its beginning, as functions receive it.
 */
export const targetOf = (url: string) => {
  const [text = ''] = url.replace(ABSOLUTE_FORM, '').split('#')
  const end = text.indexOf('?')
  const sentPath = end === -1 ? text : text.slice(0, end)
  const query = new URLSearchParams(end === -1 ? '' : text.slice(end + 1))
  return { sentPath, path: sentPath.replace(/^\/*/, '/'), query }
}

const grouped = (pairs: Iterable<readonly [string, string]>): Record<string, string[]> => {
  const groups = Map.groupBy(pairs, ([name]) => name)
  // Unlike an assignment, this creates a property for `__proto__` too.
  return Object.fromEntries(groups.entries().map(([name, group]) => [name, group.map(([, value]) => value)]))
}

const lastOf = (multi: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(multi).map(([name, values]) => [name, values.at(-1)!]))

const headerPairs = function* (raw: readonly string[]): Iterable<readonly [string, string]> {
  for (let index = 0; index < raw.length; index += 2) yield [raw[index]!, raw[index + 1]!]
}

/** The id in a path, '' for a template without one; undefined if the path does not match. */
const match = (template: string, path: string): string | undefined => {
  const start = template.indexOf('{id}')
  if (start === -1) return template === path ? '' : undefined
  const id = path.startsWith(template.slice(0, start)) ? path.slice(start) : ''
  return id === '' || id.includes('/') ? undefined : id
}

/** Without trailing slashes. */
export const matchedPath = (path: string): string => {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** Suggests the routes of the most similar collection or, if there is none, as `suggestion` does. */
const noSuchRoute = (path: string, templates: readonly string[]): string => {
  const collectionOf = (template: string): string | undefined => /^\/api\/(\w+)/.exec(template)?.[1]
  const collections = templates.map(collectionOf).filter((name) => name !== undefined)
  const similar = path.split('/').map((segment) => closestName(segment, collections))
  const collection = similar.find((name) => name !== undefined)
  const suggested = templates.filter(
    (template) => collection !== undefined && collectionOf(template) === collection,
  )
  const advice =
    suggested.length > 0 ? `; did you mean ${suggested.join(' or ')}?` : suggestion(path, templates)
  return `There is no ${truncated(path)}${advice}`
}

/**
 * Without an endpoint, returns the gateway's response: 404, 405, or the one to a browser's preflight request.
 */
export const route = <E extends Route>(
  endpoints: readonly E[],
  { method, path, requestId }: { method: string; path: string; requestId: string },
): Routed<E> | APIGatewayProxyResult => {
  const pathToMatch = matchedPath(path)
  const candidates = endpoints.filter((candidate) => match(candidate.path, pathToMatch) !== undefined)
  const endpoint = candidates.find((candidate) => acceptedMethods(candidate).includes(method))
  if (endpoint) return { endpoint, method, id: match(endpoint.path, pathToMatch) as string }
  if (candidates.length === 0) {
    const paths = [...new Set(endpoints.map((candidate) => candidate.path))]
    return errorResponse(new ApiError('route_not_found', noSuchRoute(path, paths)), requestId)
  }
  const methods = candidates.flatMap(acceptedMethods)
  const origin = corsOrigin()
  if (method === 'OPTIONS' && origin)
    return { statusCode: 204, headers: preflightHeadersFor(origin, methods), body: '' }
  const allow = methods.join(', ')
  return errorResponse(
    new ApiError('method_not_allowed', `${method} is not allowed here; use ${allow}.`),
    requestId,
    { allow },
  )
}

/** As the proxy integration of the REST API passes it to a function. */
export const eventOf = (
  { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>,
  target: ReturnType<typeof targetOf>,
  { endpoint, method, id, body, requestId }: Routed<Route> & { body: Buffer; requestId: string },
): APIGatewayProxyEvent => {
  const headers = grouped(headerPairs(rawHeaders))
  const query = grouped(target.query)
  const hasQuery = Object.keys(query).length > 0
  return {
    resource: endpoint.path,
    path: target.path,
    httpMethod: method,
    headers: lastOf(headers),
    multiValueHeaders: headers,
    queryStringParameters: hasQuery ? lastOf(query) : null,
    multiValueQueryStringParameters: hasQuery ? query : null,
    // Passed on percent-encoded, as sent.
    pathParameters: id === '' ? null : { id },
    stageVariables: null,
    body: body.length > 0 ? body.toString('base64') : null,
    isBase64Encoded: body.length > 0,
    requestContext: {
      requestId,
      path: target.sentPath,
      httpMethod: method,
      resourcePath: endpoint.path,
    } as APIGatewayProxyEvent['requestContext'],
  }
}

/** Before routing, and without the error envelope. */
export const tooLargeForGateway: APIGatewayProxyResult = {
  statusCode: 413,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `HTTP content length exceeded ${GATEWAY_BODY_BYTES} bytes.`,
}

export const isEventTooLarge = (event: APIGatewayProxyEvent): boolean =>
  // An event is serialised only if its body is so large that the event may be too large.
  (event.body ?? '').length > EVENT_BYTES / 2 && Buffer.byteLength(JSON.stringify(event)) > EVENT_BYTES
