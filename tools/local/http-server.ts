import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { ApiError, errorEnvelope } from '../../shared/errors.ts'
import { errorResponse, respond } from '../../shared/http/responses.ts'
import { hostOf, isLoopbackAddress, isLoopbackHost, type ListenAddress } from './loopback.ts'
import { send } from './send.ts'
import { StartError } from './settings.ts'

/** The largest request line with headers that the deployed gateway accepts, in bytes. */
const MAX_HEAD_BYTES = 10_240

interface ParseError {
  readonly code: number
  readonly title: string
  readonly detail: string
}

const unreadable: ParseError = {
  code: 400,
  title: 'Unreadable request',
  detail: 'The request must be HTTP/1.1, with a percent-encoded path and query.',
}

/** The errors for Node's parse errors, by code; all others are unreadable requests. */
const parseErrors: Readonly<Record<string, ParseError>> = {
  HPE_HEADER_OVERFLOW: {
    code: 431,
    title: 'Headers too large',
    detail: `The request line and the headers must be at most ${MAX_HEAD_BYTES} bytes together.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 408,
    title: 'Request timeout',
    detail: 'The request must arrive completely within five minutes, its headers within one.',
  },
}

/** Sends the error envelope for a request that Node cannot parse or does not receive in time. */
const respondToParseError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (!socket.writable) return void socket.destroy()
  const { code, title, detail } = parseErrors[error.code ?? ''] ?? unreadable
  const body = JSON.stringify(errorEnvelope(code, title, [detail]))
  const headers = Object.entries(respond(code, body, randomUUID()).headers ?? {})
  socket.end(
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
}

/** A request and the response to it. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Sends the responses to parse errors of a server after the requests that came before them on the same connection. */
const respondToParseErrors = (server: Server): void => {
  const pending = new WeakMap<Duplex, Set<Exchange>>()
  server.on('request', (request, response) => {
    const exchanges = pending.get(request.socket) ?? new Set()
    const exchange = { request, response }
    pending.set(request.socket, exchanges.add(exchange))
    response.once('close', () => exchanges.delete(exchange))
  })
  server.on('clientError', (error, socket) => {
    // The error is in the body of a request that is not complete.
    const before = [...(pending.get(socket) ?? [])].filter(({ request }) => request.complete)
    void Promise.all(before.map(({ response }) => once(response, 'close'))).then(() =>
      respondToParseError(error, socket),
    )
  })
}

/** Keeps idle connections open for longer than clients do, so that none sends a request on a closing connection. */
export const keepAlive = { keepAliveTimeout: 75_000 } as const

const otherHost = (host = ''): ApiError =>
  new ApiError(
    'forbidden',
    `This server answers only at the names of this machine, such as localhost (got the host "${host.slice(0, 100)}").`,
  )

/**
 * Creates an HTTP server. On a loopback address, it refuses requests for any host but a loopback name: a page whose name
 * was rebound to this machine sends its own name.
 */
export const createLocalServer = (listener: RequestListener): Server => {
  let isLoopback = false
  const server = createServer({ ...keepAlive, maxHeaderSize: MAX_HEAD_BYTES }, (request, response) => {
    const host = hostOf(request)
    if (!isLoopback || isLoopbackHost(host)) return listener(request, response)
    return send(request, response, errorResponse(otherHost(host), randomUUID()))
  })
  server.on('listening', () => {
    isLoopback = isLoopbackAddress((server.address() as AddressInfo).address)
  })
  respondToParseErrors(server)
  return server
}

const urlOf = (server: Server, host: string): string => {
  const { port } = server.address() as AddressInfo
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/**
 * Starts a server and returns its base URL. Throws StartError if it cannot listen; if the port is taken, the message names
 * the `setting` to change.
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
