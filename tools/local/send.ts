import type { IncomingMessage, ServerResponse } from 'node:http'
import type { APIGatewayProxyResult } from 'aws-lambda'
import { GATEWAY_BODY_BYTES } from './gateway.ts'

const LINGER_MILLIS = 1_000
const LINGER_BYTES = GATEWAY_BODY_BYTES

/** Reads the request body. Returns undefined, without reading the rest, if it is larger than the gateway accepts. */
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
 * Waits until a request ends, for at most a second and ten megabytes. If a connection closes while the client is still
 * sending, the client loses the response.
 */
const linger = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let left = LINGER_BYTES
    const late = setTimeout(resolve, LINGER_MILLIS)
    request
      .on('data', (chunk: Buffer) => {
        left -= chunk.length
        if (left < 0) resolve()
      })
      // The client has disconnected and cannot receive the response.
      .on('error', () => resolve())
      .once('close', () => {
        clearTimeout(late)
        resolve()
      })
  })

/** Sends a response. If the request body has not been read, closes the connection, which cannot be reused. */
export const send = async (
  request: IncomingMessage,
  response: ServerResponse,
  { statusCode, headers, body, isBase64Encoded = false }: APIGatewayProxyResult,
): Promise<void> => {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  const shown = request.method === 'HEAD' ? '' : bytes
  const all = { ...(headers as Record<string, string>), 'content-length': bytes.length }
  if (request.complete) return void response.writeHead(statusCode, all).end(shown)
  // The rest of the body would be parsed as the next request.
  response.writeHead(statusCode, { ...all, connection: 'close' }).write(shown)
  await linger(request)
  response.end()
}
