import { Agent, request as httpRequest, type Server } from 'node:http'
import { pipeline } from 'node:stream'
import { ApiError } from '../../shared/errors.ts'
import { errorResponse } from '../../shared/http/responses.ts'
import { createLocalServer } from './http-server.ts'
import { send } from './send.ts'

/**
 * A server that passes requests on to an engine, for tools such as the AWS command line. It refuses what a web page can
 * send, since the engine takes any signature and lets every page read its answers.
 */
export const createEngineFront = (endpoint: string): Server => {
  const agent = new Agent({ keepAlive: true })
  const server = createLocalServer((request, response) => {
    const { method, url, headers } = request
    if (headers.origin !== undefined) {
      const error = new ApiError('forbidden', 'The DynamoDB engine answers no web page.')
      return send(request, response, errorResponse(error, crypto.randomUUID()))
    }
    const passed = httpRequest(endpoint + url, { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      pipeline(answer, response, () => undefined)
    })
    // A connection that breaks on one side is closed on the other.
    pipeline(request, passed, (error) => error && response.destroy())
  })
  return server.on('close', () => agent.destroy())
}
