import type { IncomingMessage, ServerResponse } from 'node:http'
import type { APIGatewayProxyResult } from 'aws-lambda'
import { GATEWAY_BODY_BYTES } from './gateway.ts'

/** The maximum time and size of the rest of a request that is read after its response. */
const LINGER_MILLIS = 1_000
const LINGER_BYTES = GATEWAY_BODY_BYTES

/** Undefined, without reading the rest, for a body that is larger than the gateway accepts. */
export const readBytes = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  if (Number(request.headers['content-length'] ?? 0) > GATEWAY_BODY_BYTES) return undefined
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length
    if (size > GATEWAY_BODY_BYTES) return undefined
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

/**
 * At most a second and 10 MiB. A client whose connection closes while it is sending does not get the
 * response.
 */
const linger = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let bytesLeft = LINGER_BYTES
    const timer = setTimeout(resolve, LINGER_MILLIS)
    request
      .on('data', (chunk: Buffer) => {
        bytesLeft -= chunk.length
        if (bytesLeft < 0) resolve()
      })
      // The client has disconnected and cannot receive the response.
      .on('error', () => resolve())
      .once('close', () => {
        clearTimeout(timer)
        resolve()
      })
  })

/** Closes the connection if the body of the request has not been read. */
export const sendResponse = async (
  response: ServerResponse,
  { statusCode, headers, body, isBase64Encoded = false }: APIGatewayProxyResult,
): Promise<void> => {
  const { req: request } = response
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  const sentBody = request.method === 'HEAD' ? '' : bytes
  // A function responds to HEAD without a body, and states the length of the body itself.
  const allHeaders = { 'content-length': bytes.length, ...(headers as Record<string, string>) }
  if (request.complete) return void response.writeHead(statusCode, allHeaders).end(sentBody)
  // If the connection were reused, the rest of the body would be parsed as the next request.
  response.writeHead(statusCode, { ...allHeaders, connection: 'close' }).write(sentBody)
  await linger(request)
  response.end()
}
