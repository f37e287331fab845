import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { APIGatewayProxyResult, Context } from 'aws-lambda'
import { deployables } from '../../shared/catalogue.ts'
import type { Deployable } from '../../shared/contract/deployable.ts'
import { ApiError } from '../../shared/errors.ts'
import { asApiError, errorResponse, respond } from '../../shared/http/responses.ts'
import type { Handler } from '../../shared/http/serve.ts'
import { logRequest, millisSince } from '../../shared/log.ts'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/store/budget.ts'
import type { Pages } from './docs.ts'
import { eventOf, exceedsEvent, GATEWAY_BODY_BYTES, matchedPath, route, targetOf, unread } from './gateway.ts'
import { StartError } from './settings.ts'

/** Loads the handler of what is deployed. */
export type HandlerLoader = (deployable: Deployable) => Promise<Handler>

const loaded = new Map<string, Promise<{ handler: Handler }>>()

/** The handlers of this source tree, each from its own file, loaded at its first request. */
export const sourceHandlers: HandlerLoader = async ({ id }) => {
  // An import finds what is loaded already too, but takes a while to. Bundlers see which folder it is from.
  const found = loaded.get(id) ?? import(`../../functions/${id.replace('.', '/')}.ts`)
  loaded.set(id, found)
  return (await found).handler
}

interface Serving {
  readonly load: HandlerLoader
  readonly pages: Pages | undefined
}

/** The body, or undefined where it is more than the gateway reads. */
const readBytes = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = []
  let size = 0
  // What is too much is read all the same: who still sends would not see the answer.
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size <= GATEWAY_BODY_BYTES) chunks.push(chunk as Buffer)
    else chunks.length = 0
  }
  return size <= GATEWAY_BODY_BYTES ? Buffer.concat(chunks) : undefined
}

const contextFrom = (startedAt: number): Context =>
  ({
    getRemainingTimeInMillis: () => Math.max(0, FUNCTION_TIMEOUT_MILLIS - (performance.now() - startedAt)),
  }) as Context

interface Arrival {
  readonly startedAt: number
  /** The gateway's own id of the request, which its own answers carry (S3). */
  readonly requestId: string
}

/** Writes the log's line of what no function has answered: of the deployed gateway, its access log tells that. */
const logged = (
  { startedAt, requestId }: Arrival,
  result: APIGatewayProxyResult,
  error?: unknown,
): APIGatewayProxyResult => {
  logRequest({
    request_id: requestId,
    route: 'gateway',
    status: result.statusCode,
    ms: millisSince(startedAt),
    error,
  })
  return result
}

const answer = async (
  { load, pages }: Serving,
  request: IncomingMessage,
  arrival: Arrival,
): Promise<APIGatewayProxyResult> => {
  const { url = '/', method = 'GET' } = request
  const { requestId } = arrival
  const target = targetOf(url)
  const page = await pages?.(request, matchedPath(target.path))
  if (page) return page
  const found = route(deployables, { method, path: target.path, requestId })
  if ('statusCode' in found) return logged(arrival, found)
  const body = await readBytes(request)
  if (!body) return logged(arrival, unread)
  const event = eventOf(request, target, { ...found, body, requestId })
  if (exceedsEvent(event)) throw new ApiError('body_too_large', 'The body is too large.')
  const handler = await load(found.endpoint)
  return handler(event, contextFrom(performance.now()))
}

const send = (
  request: IncomingMessage,
  response: ServerResponse,
  { statusCode, headers, body }: APIGatewayProxyResult,
): void => {
  // What was not read of a refused body would be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close')
  response.writeHead(statusCode, {
    ...(headers as Record<string, string>),
    'content-length': Buffer.byteLength(body),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

const unreadable: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Answers what is not a request, or takes too long to become one, in the envelope of all errors. */
const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (!socket.writable) return void socket.destroy()
  const code = unreadable[error.code ?? ''] ?? 400
  const title = STATUS_CODES[code] as string
  const body = JSON.stringify({ errors: [{ code, title, detail: 'This is not a readable HTTP request.' }] })
  const headers = Object.entries(respond(code, body, randomUUID()).headers ?? {})
  socket.end(
    `HTTP/1.1 ${code} ${title}\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
}

/** Longer than clients keep a connection that they do not use: none sends a request on one that we are closing. */
export const keptOpen = { keepAliveTimeout: 75_000 } as const

/** An HTTP server that does what the gateway does and calls the real handlers; `pages` are served beside the API. */
export const createGateway = (load: HandlerLoader = sourceHandlers, pages?: Pages): Server =>
  createServer(keptOpen, (request, response) => {
    const arrival = { startedAt: performance.now(), requestId: randomUUID() }
    answer({ load, pages }, request, arrival)
      .catch((error: unknown) => {
        const result = errorResponse(asApiError(error), arrival.requestId)
        // Who left in the middle of a body has got no answer.
        return request.complete ? logged(arrival, result, error) : result
      })
      .then((result) => send(request, response, result))
      .catch((error: unknown) => response.destroy(error as Error))
  }).on('clientError', refuse)

/** An address to listen on, or a name of it, and a port, 0 for any free one. */
export interface Where {
  readonly host: string
  readonly port: number
}

/** The base URL of a server that listens on `host`; one that listens on every address is reached at localhost. */
export const urlOf = (server: Server, host: string): string => {
  const { port } = server.address() as AddressInfo
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Starts a server and returns its base URL; throws StartError when the port is taken or the host is not this machine. */
export const listen = (server: Server, { host, port }: Where): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        cause.code === 'EADDRINUSE'
          ? new StartError(`port ${port} is taken; set PORT to a free one`, { cause })
          : new StartError(`cannot listen on HOST ${host}, PORT ${port}: ${cause.message}`, { cause }),
      ),
    )
    server.listen(port, host, () => resolve(urlOf(server, host)))
  })
