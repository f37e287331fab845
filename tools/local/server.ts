import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { APIGatewayProxyResult, Context } from 'aws-lambda'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { deployables } from '../../shared/catalogue.ts'
import { type Deployable, routesOf } from '../../shared/contract/deployable.ts'
import { ApiError, errorEnvelope } from '../../shared/errors.ts'
import { asApiError, errorResponse, respond } from '../../shared/http/responses.ts'
import type { Handler } from '../../shared/http/serve.ts'
import { logRequest, millisSince } from '../../shared/log.ts'
import type { Pages } from './docs.ts'
import {
  eventOf,
  exceedsEvent,
  GATEWAY_BODY_BYTES,
  matchedPath,
  route,
  targetOf,
  tooLargeForGateway,
} from './gateway.ts'
import { StartError } from './settings.ts'

/** Loads the handler of a deployed function. */
export type HandlerLoader = (deployable: Deployable) => Promise<Handler>

const loaded = new Map<string, Promise<{ handler: Handler }>>()

/** Loads the handlers of this source tree, each from its own file at its first request. */
export const sourceHandlers: HandlerLoader = async ({ id }) => {
  // A repeated import is cached too, but slower. The folder is literal so that bundlers find the files.
  const found = loaded.get(id) ?? import(`../../functions/${id.replace('.', '/')}.ts`)
  loaded.set(id, found)
  return (await found).handler
}

/** The request body, or undefined if it is larger than the gateway accepts. */
const readBytes = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = []
  let size = 0
  // Reads on beyond the limit: a client that is still sending would not see the answer.
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size <= GATEWAY_BODY_BYTES) chunks.push(chunk as Buffer)
    else chunks.length = 0
  }
  return size <= GATEWAY_BODY_BYTES ? Buffer.concat(chunks) : undefined
}

const lambdaContext = (): Context => {
  const startedAt = performance.now()
  return {
    getRemainingTimeInMillis: () => Math.max(0, FUNCTION_TIMEOUT_MILLIS - (performance.now() - startedAt)),
  } as Context
}

interface Arrival {
  readonly startedAt: number
  /** The gateway's own request id, which its own answers carry (S3). */
  readonly requestId: string
}

/** Logs an answer that the gateway gives itself, as the deployed gateway does in its access log. */
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

const withoutPages = deployables.flatMap((each) => routesOf(each, false))
const withPages = deployables.flatMap((each) => routesOf(each, true))

interface Serving {
  readonly load: HandlerLoader
  readonly pages: Pages | undefined
}

const answer = async (
  { load, pages }: Serving,
  request: IncomingMessage,
  arrival: Arrival,
): Promise<APIGatewayProxyResult> => {
  const { url = '/', method = 'GET' } = request
  const { requestId } = arrival
  const target = targetOf(url)
  const page = pages?.(request, matchedPath(target.path))
  if (page) return page
  const found = route(pages ? withPages : withoutPages, { method, path: target.path, requestId })
  if ('statusCode' in found) return logged(arrival, found)
  const body = await readBytes(request)
  if (!body) return logged(arrival, tooLargeForGateway)
  const event = eventOf(request, target, { ...found, body, requestId })
  if (exceedsEvent(event)) throw new ApiError('body_too_large', 'The body is too large.')
  const handler = await load(found.endpoint)
  return handler(event, lambdaContext())
}

const send = (
  request: IncomingMessage,
  response: ServerResponse,
  { statusCode, headers, body, isBase64Encoded = false }: APIGatewayProxyResult,
): void => {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  // The unread rest of a refused body would be parsed as the next request.
  if (!request.complete) response.setHeader('connection', 'close')
  response.writeHead(statusCode, {
    ...(headers as Record<string, string>),
    'content-length': bytes.length,
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

const parseErrorStatuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Answers what Node cannot parse as a request, or does not receive in time, with the error envelope. */
const answerParseError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (!socket.writable) return void socket.destroy()
  const code = parseErrorStatuses[error.code ?? ''] ?? 400
  const title = STATUS_CODES[code] as string
  const body = JSON.stringify(errorEnvelope(code, title, ['This is not a readable HTTP request.']))
  const headers = Object.entries(respond(code, body, randomUUID()).headers ?? {})
  socket.end(
    `HTTP/1.1 ${code} ${title}\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
}

/** Keeps idle connections open for longer than clients do, so that none sends a request on a closing connection. */
export const keepAlive = { keepAliveTimeout: 75_000 } as const

/** An HTTP server that routes as the deployed gateway does and calls the handlers; with `pages`, as one with `docs` does. */
export const createGateway = (load: HandlerLoader = sourceHandlers, pages?: Pages): Server =>
  createServer(keepAlive, (request, response) => {
    const arrival = { startedAt: performance.now(), requestId: randomUUID() }
    answer({ load, pages }, request, arrival)
      .catch((error: unknown) => {
        const result = errorResponse(asApiError(error), arrival.requestId)
        // A client that disconnects within its body receives no answer, and that is no error to log.
        return request.complete ? logged(arrival, result, error) : result
      })
      .then((result) => send(request, response, result))
      .catch((error: unknown) => response.destroy(error as Error))
  }).on('clientError', answerParseError)

/** Where a server listens. */
export interface ListenAddress {
  /** An address or a host name. */
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
}

const urlOf = (server: Server, host: string): string => {
  const { port } = server.address() as AddressInfo
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/**
 * Starts a server and returns its base URL. Throws StartError when it cannot listen there; if the port is taken, that
 * names the `setting` to change.
 */
export const listen = (server: Server, { host, port }: ListenAddress, setting = 'PORT'): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const problem =
        cause.code === 'EADDRINUSE'
          ? `port ${port} is taken; set ${setting} to a free one`
          : `cannot listen on host ${host}, port ${port}: ${cause.message}`
      reject(new StartError(problem, { cause }))
    })
    server.listen(port, host, () => resolve(urlOf(server, host)))
  })
