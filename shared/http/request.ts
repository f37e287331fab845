import type { APIGatewayProxyEvent } from 'aws-lambda'

const valuesIn = <T>(headers: Readonly<Record<string, T>>, name: string): NonNullable<T>[] => {
  const values: NonNullable<T>[] = []
  for (const key of Object.keys(headers)) {
    // Comparing lengths first avoids lower-casing most names.
    const value = key.length === name.length && key.toLowerCase() === name ? headers[key] : undefined
    if (value !== undefined && value !== null) values.push(value)
  }
  return values
}

/** Returns all values of a header. Names are case-insensitive: REST APIs pass on the client's spelling. */
export const headerValues = (event: APIGatewayProxyEvent, name: string): string[] => {
  const multi = valuesIn(event.multiValueHeaders ?? {}, name)
  if (multi.length > 0) return multi.flat()
  return valuesIn(event.headers ?? {}, name)
}

/** Returns all decoded values of each query parameter. */
export const queryValues = (event: APIGatewayProxyEvent): [string, string[]][] => {
  const values = new Map<string, string[]>()
  for (const [name, value] of Object.entries(event.queryStringParameters ?? {}))
    values.set(name, value == null ? [] : [value])
  // A hand-written event may have single values only.
  for (const [name, several] of Object.entries(event.multiValueQueryStringParameters ?? {}))
    if (several) values.set(name, several)
  return [...values]
}

/** Returns the request id: the client's if it is well-formed, otherwise the gateway's. */
export const requestIdFrom = (sent: string | undefined, assigned: string | undefined): string =>
  sent && /^[\w.:-]{1,128}$/.test(sent) ? sent : (assigned ?? crypto.randomUUID())

/** Returns the request id. */
export const requestIdOf = (event: APIGatewayProxyEvent): string =>
  requestIdFrom(headerValues(event, 'x-request-id')[0], event.requestContext?.requestId)

/**
 * Returns the base URL of a request for `path`: scheme, host and, if the address has one, the stage, without a slash at the
 * end.
 */
export const baseUrlOf = (event: APIGatewayProxyEvent, path: string): string => {
  const [scheme = 'http'] = headerValues(event, 'x-forwarded-proto')
  const [host = 'localhost'] = headerValues(event, 'host')
  const { path: whole = path } = event.requestContext ?? {}
  const before = whole.slice(0, whole.lastIndexOf(path)).split('/').filter(Boolean)
  return [`${scheme}://${host}`, ...before].join('/')
}
