import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Application } from '../store/service.ts'

/** `name` is in lower case. */
const valuesOf = <T>(headers: Readonly<Record<string, T>>, name: string): NonNullable<T>[] => {
  const values: NonNullable<T>[] = []
  for (const key of Object.keys(headers)) {
    // Comparing lengths first avoids lower-casing most names.
    const value = key.length === name.length && key.toLowerCase() === name ? headers[key] : undefined
    if (value !== undefined && value !== null) values.push(value)
  }
  return values
}

/** All values of a header. Names are case-insensitive: REST APIs pass on the client's spelling. */
export const headerValues = (event: APIGatewayProxyEvent, name: string): string[] => {
  const multiValues = valuesOf(event.multiValueHeaders ?? {}, name)
  return multiValues.length > 0 ? multiValues.flat() : valuesOf(event.headers ?? {}, name)
}

/** All decoded values of each query parameter. */
export const queryValues = (event: APIGatewayProxyEvent): [name: string, values: string[]][] => {
  const parameters = new Map<string, string[]>()
  // A hand-written event may have single values only.
  for (const [name, value] of Object.entries(event.queryStringParameters ?? {}))
    parameters.set(name, value === undefined || value === null ? [] : [value])
  for (const [name, values] of Object.entries(event.multiValueQueryStringParameters ?? {}))
    if (values) parameters.set(name, values)
  return [...parameters]
}

/** The id that the client sent, if it is well-formed, otherwise the one that the gateway assigned. */
export const requestIdFrom = (sent: string | undefined, assigned: string | undefined): string =>
  sent && /^[\w.:-]{1,128}$/.test(sent) ? sent : (assigned ?? crypto.randomUUID())

export const requestIdOf = (event: APIGatewayProxyEvent): string =>
  requestIdFrom(headerValues(event, 'x-request-id')[0], event.requestContext?.requestId)

/** The base URL of a request for `path`: scheme, host and, if the address has one, the stage. */
export const baseUrlOf = (event: APIGatewayProxyEvent, path: string): string => {
  const [scheme = 'http'] = headerValues(event, 'x-forwarded-proto')
  const [host = 'localhost'] = headerValues(event, 'host')
  const { path: fullPath = path } = event.requestContext ?? {}
  const prefix = fullPath.slice(0, fullPath.lastIndexOf(path)).split('/').filter(Boolean)
  return [`${scheme}://${host}`, ...prefix].join('/')
}

/** A request that is being answered, and what its log line says of its sender, even if it is refused. */
export interface ReceivedRequest {
  readonly event: APIGatewayProxyEvent
  /** The client's own id of the request, or the gateway's. */
  readonly id: string
  /** By `performance.now()`. */
  readonly startedAt: number
  /** The value of `x-app-id` if it is well-formed; not authenticated. */
  claimedAppId?: string
  /** The authenticated application. */
  app?: Application
}
