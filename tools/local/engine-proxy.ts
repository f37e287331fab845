import { Agent, request as httpRequest, type Server } from 'node:http'
import { pipeline } from 'node:stream'
import { ApiError } from '../../shared/errors.ts'
import { errorResponse } from '../../shared/http/responses.ts'
import { createLocalServer } from './http-server.ts'
import { sendResponse } from './send.ts'

/**
 * Creates a proxy for an engine, for tools such as the AWS CLI. It refuses requests of web pages, since the engine accepts any
 * signature and lets every page read its responses.
 */
export const createEngineProxy = (endpoint: string): Server => {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(endpoint)
  const server = createLocalServer((request, response) => {
    // The target is forwarded unchanged: "*" or an absolute one cannot be appended to an address.
    const { method, url: path, headers } = request
    if (headers.origin !== undefined) {
      const error = new ApiError('forbidden', 'The DynamoDB engine serves no web page.')
      return sendResponse(response, errorResponse(error, crypto.randomUUID()))
    }
    const forwarded = httpRequest({ hostname, port, path, method, headers, agent }, (reply) => {
      response.writeHead(reply.statusCode!, reply.headers)
      pipeline(reply, response, () => undefined)
    })
    // A connection that breaks on one side is closed on the other.
    pipeline(request, forwarded, (error) => error && response.destroy())
  })
  return server.on('close', () => agent.destroy())
}
