import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda'
import type { Endpoint } from '../contract/endpoint.ts'
import { ApiError } from '../errors.ts'
import { errorResponse } from '../http/responses.ts'

/** What the deployed gateway does between HTTP and the functions; pure, with its routes from the catalogue. */

/** The gateway's own limit of a request's body, in bytes. */
export const GATEWAY_BODY_BYTES = 10 * 1024 * 1024

/** What a request is matched against. */
export type Route = Pick<Endpoint, 'method' | 'path'>

/** Where a request goes: its path as it was sent, percent-encoded and with every dot and slash, and its query. */
export interface Target {
  readonly path: string
  readonly query: URLSearchParams
}

/** The target of a request line, in its origin or its absolute form. A `URL` would tidy the path and change ids. */
export const targetOf = (url: string): Target => {
  const [text = ''] = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').split('#')
  const end = text.indexOf('?')
  return end === -1
    ? { path: text, query: new URLSearchParams() }
    : { path: text.slice(0, end), query: new URLSearchParams(text.slice(end + 1)) }
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

/** The endpoint of a request and the id in its path, or the gateway's own answer where there is none. */
export const route = <E extends Route>(
  endpoints: readonly E[],
  { method, path, requestId }: { method: string; path: string; requestId: string },
): { endpoint: E; id: string } | APIGatewayProxyResult => {
  const here = endpoints.filter((endpoint) => matches(endpoint.path, path) !== undefined)
  const endpoint = here.find((each) => each.method === method)
  if (endpoint) return { endpoint, id: matches(endpoint.path, path) as string }
  if (here.length === 0)
    return errorResponse(new ApiError('route_not_found', `There is no ${path.slice(0, 200)}.`), requestId)
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
  { endpoint, id, body }: { endpoint: Route; id: string; body: Buffer },
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
      requestId: randomUUID(),
      httpMethod: endpoint.method,
      resourcePath: endpoint.path,
    } as APIGatewayProxyEvent['requestContext'],
  }
}
