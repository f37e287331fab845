import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Client } from './service.ts'

interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

interface RawCall {
  readonly method?: string
  /** Sent as it is. */
  readonly path: string
  /** In turn. A name may occur twice and in any case. */
  readonly headers: readonly string[]
  readonly body?: string | Uint8Array
}

/** `fetch` joins repeated headers, changes their case and normalises paths. */
export const rawCall = async (
  baseUrl: string,
  { method = 'GET', path, headers, body }: RawCall,
): Promise<RawResponse> => {
  const { hostname, port } = new URL(baseUrl)
  const length = body === undefined ? [] : ['content-length', String(Buffer.byteLength(body))]
  const host = headers.includes('host') ? [] : ['host', hostname]
  const all = [...host, 'connection', 'close', ...length, ...headers]
  const sent = request({ hostname, port, path, method, headers: all }).end(body)
  // The server may close the connection after its response, while the body is still being sent.
  sent.on('error', () => undefined)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) }
}

/** After the client's credentials. */
export const rawCallAs = (
  { baseUrl, credentials }: Client,
  { headers, ...call }: RawCall,
): Promise<RawResponse> => {
  const own = ['authorization', `Bearer ${credentials.api_key}`, 'x-app-id', credentials.app_id]
  return rawCall(baseUrl, { ...call, headers: [...own, ...headers] })
}
