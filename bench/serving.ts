import { createServer, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { keepAlive } from '../tools/local/server.ts'
import { startService } from '../tools/local/service.ts'
import type { BareCommand } from './baseline.ts'

/** A server in a process of its own: our local service, or the bare SDK call behind a bare Node server. */

/** What the bare server sends for a GET and, with the id of the body in its key, for a POST. */
export interface BareServing {
  readonly side: 'bare'
  readonly file: string
  readonly get: Record<string, unknown>
  readonly put: Record<string, unknown>
}
export type Serving =
  | { readonly side: 'ours'; readonly endpoint: string; readonly table: string }
  | BareServing

/** What it answers with when it listens. */
export interface Listening {
  readonly url: string
  /** Credentials; a bare server takes any. */
  readonly appId: string
  readonly apiKey: string
}

const read = async (request: IncomingMessage): Promise<{ id: string }> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString())
}

const bare = async ({ file, get, put }: BareServing): Promise<Listening> => {
  const { send } = createRequire(import.meta.url)(file) as {
    send: (name: BareCommand, input: unknown) => Promise<{ Item?: unknown }>
  }
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    if (request.method === 'GET') return (await send('GetItemCommand', get)).Item
    const { id } = await read(request)
    const Item = { ...(put.Item as object), pk: { S: id }, order: { S: id } }
    await send('PutItemCommand', { ...put, Item })
    return Item
  }
  const server = createServer(keepAlive, (request, response) => {
    answer(request).then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, appId: 'any', apiKey: 'any' }
}

const ours = async ({ endpoint, table }: Extract<Serving, { side: 'ours' }>): Promise<Listening> => {
  const { baseUrl, demo } = await startService({
    host: '127.0.0.1',
    port: 0,
    enginePort: 0,
    dataDir: undefined,
    endpoint,
    table,
  })
  return { url: baseUrl, appId: demo.app_id, apiKey: demo.api_key }
}

// Nobody is left to serve when the parent has ended.
process.on('disconnect', () => process.exit())
process.on('message', (message: Serving | 'memory') => {
  if (message === 'memory') process.send?.(process.memoryUsage().rss)
  else
    (message.side === 'ours' ? ours(message) : bare(message)).then((listening) => process.send?.(listening))
})
