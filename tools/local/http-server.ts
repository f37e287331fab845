import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError } from '../../shared/errors.ts'
import { errorResponse } from '../../shared/http/responses.ts'
import { CommandError } from '../cli/command.ts'
import { hostOf, isLoopbackAddress, isLoopbackHost, type ListenAddress } from './loopback.ts'
import { sendResponse } from './send.ts'

/** The limit of the deployed gateway, for request line and headers together. */
const MAX_HEAD_BYTES = 10_240

/** A server that is open to other machines would otherwise let them take all its memory. */
const MAX_CONNECTIONS = 1_000

/** Longer than clients do, so that none sends a request on a connection that is closing. */
export const keepAlive = { keepAliveTimeout: 75_000 } as const

const otherHostError = (host = '', openSetting?: string): ApiError => {
  const problem = `This server answers only at the names of this machine, such as localhost (got the host "${host.slice(0, 100)}").`
  const remedy = openSetting ? ` To open it to other machines, start it with ${openSetting}.` : ''
  return new ApiError('forbidden', problem + remedy)
}

/**
 * On a loopback address, only accepts requests whose host is a loopback name. Otherwise, a web page whose
 * domain name was rebound to this machine (DNS rebinding) could use it. `openSetting` is the setting with
 * which it listens for other machines.
 */
export const createLocalServer = (listener: RequestListener, openSetting?: string): Server => {
  let isLoopback = false
  const server = createServer({ ...keepAlive, maxHeaderSize: MAX_HEAD_BYTES }, (request, response) => {
    const host = hostOf(request)
    if (!isLoopback || isLoopbackHost(host)) return listener(request, response)
    return sendResponse(response, errorResponse(otherHostError(host, openSetting), randomUUID()))
  })
  server.on('listening', () => {
    isLoopback = isLoopbackAddress((server.address() as AddressInfo).address)
    if (!isLoopback) server.maxConnections = MAX_CONNECTIONS
  })
  return server
}

const urlOf = (server: Server, host: string): string => {
  const { port } = server.address() as AddressInfo
  const isAnyAddress = host === '0.0.0.0' || host === '::'
  const name = isAnyAddress ? 'localhost' : host
  const isIpv6 = name.includes(':')
  return `http://${isIpv6 ? `[${name}]` : name}:${port}`
}

/**
 * Throws CommandError if it cannot listen; if the port is taken, the message names the `setting` to change.
 */
export const listen = (server: Server, { host, port }: ListenAddress, setting = 'PORT'): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const problem =
        cause.code === 'EADDRINUSE'
          ? `port ${port} is taken; set ${setting} to a free one`
          : `cannot listen on host ${host}, port ${port}: ${cause.message}`
      reject(new CommandError(problem, { cause }))
    })
    server.listen(port, host, () => resolve(urlOf(server, host)))
  })
