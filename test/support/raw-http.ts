import { request } from 'node:http'
import type { Client } from './service.ts'

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

interface RawCall {
  readonly method?: string
  /** The request target, sent as it is. */
  readonly path: string
  /** Names and values in turn; a name may be there twice and in any case. */
  readonly headers: readonly string[]
  readonly body?: string | Uint8Array
}

/** A request just as it is said here: `fetch` joins doubled headers, changes their case and tidies paths. */
export const rawCall = (
  baseUrl: string,
  { method = 'GET', path, headers, body }: RawCall,
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl)
    const length = body === undefined ? [] : ['content-length', String(Buffer.byteLength(body))]
    const all = ['host', hostname, 'connection', 'close', ...length, ...headers]
    const sent = request({ hostname, port, path, method, headers: all as never }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })

/** The same with a client's credentials before the other headers. */
export const rawCallAs = (
  { baseUrl, credentials }: Client,
  { headers, ...call }: RawCall,
): Promise<RawAnswer> => {
  const own = ['authorization', `Bearer ${credentials.api_key}`, 'x-app-id', credentials.app_id]
  return rawCall(baseUrl, { ...call, headers: [...own, ...headers] })
}
