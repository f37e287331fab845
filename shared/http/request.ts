import type { APIGatewayProxyEvent } from 'aws-lambda'

const valuesIn = <T>(headers: Readonly<Record<string, T>>, name: string): NonNullable<T>[] => {
  const values: NonNullable<T>[] = []
  for (const key of Object.keys(headers)) {
    // Most names have another length, and need no change of case to be told apart.
    const value = key.length === name.length && key.toLowerCase() === name ? headers[key] : undefined
    if (value !== undefined && value !== null) values.push(value)
  }
  return values
}

/** All values of a header, whatever the case of its name; REST APIs keep the client's. */
export const headerValues = (event: APIGatewayProxyEvent, name: string): string[] => {
  const multi = valuesIn(event.multiValueHeaders ?? {}, name)
  return multi.length > 0 ? multi.flat() : valuesIn(event.headers ?? {}, name)
}

/** All values of each query parameter, decoded; none where an event says null. */
export const queryValues = (event: APIGatewayProxyEvent): [string, string[]][] => {
  const values = new Map<string, string[]>()
  for (const [name, value] of Object.entries(event.queryStringParameters ?? {}))
    values.set(name, [value ?? []].flat())
  // An event made by hand may say in single values what it does not say in several.
  for (const [name, several] of Object.entries(event.multiValueQueryStringParameters ?? {}))
    if (several) values.set(name, several)
  return [...values]
}

/** A request's id: a sane one of the client's, else the one given by the gateway (S3). */
export const requestIdFrom = (sent: string | undefined, given: string | undefined): string =>
  sent && /^[\w.:-]{1,128}$/.test(sent) ? sent : (given ?? crypto.randomUUID())

/** The id of a function's request. */
export const requestIdOf = (event: APIGatewayProxyEvent): string =>
  requestIdFrom(headerValues(event, 'x-request-id')[0], event.requestContext?.requestId)

/**
 * The base URL under which a request for `path` came in, with the stage where the address has one. Slashes before and
 * after the path are not part of it.
 */
export const baseUrlOf = (event: APIGatewayProxyEvent, path: string): string => {
  const [scheme = 'http'] = headerValues(event, 'x-forwarded-proto')
  const [host = 'localhost'] = headerValues(event, 'host')
  const { path: whole = path } = event.requestContext ?? {}
  const before = whole.slice(0, whole.lastIndexOf(path)).split('/').filter(Boolean)
  return [`${scheme}://${host}`, ...before].join('/')
}
