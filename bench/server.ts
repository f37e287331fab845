import { createServer, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { json } from 'node:stream/consumers'
import { keepAlive, listen } from '../tools/local/http-server.ts'
import { startService } from '../tools/local/service.ts'
import { localSettings } from '../tools/local/settings.ts'
import type { BareCommand } from './baseline.ts'
import { serveParent } from './child.ts'

/** The script of a server process: our local service, or the bare SDK calls behind `node:http`. */

/** For GET, and for POST with the id in the body as key. */
interface BareServerSpec {
  readonly side: 'bare'
  readonly file: string
  readonly get: Record<string, unknown>
  readonly put: Record<string, unknown>
}
export type ServerSpec =
  | { readonly side: 'ours'; readonly endpoint: string; readonly table: string }
  | BareServerSpec

export interface ServerAccess {
  readonly url: string
  /** Credentials; a bare server accepts any. */
  readonly appId: string
  readonly apiKey: string
}

const bare = async ({ file, get, put }: BareServerSpec): Promise<ServerAccess> => {
  const { send } = createRequire(import.meta.url)(file) as {
    send: (name: BareCommand, input: unknown) => Promise<{ Item?: unknown }>
  }
  const respond = async (request: IncomingMessage): Promise<unknown> => {
    if (request.method === 'GET') return (await send('GetItemCommand', get)).Item
    const { id } = (await json(request)) as { id: string }
    const Item = { ...(put.Item as object), pk: { S: id }, order: { S: id } }
    await send('PutItemCommand', { ...put, Item })
    return Item
  }
  const server = createServer(keepAlive, (request, response) => {
    respond(request).then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  const url = await listen(server, { host: '127.0.0.1', port: 0 })
  return { url, appId: 'any', apiKey: 'any' }
}

const ours = async ({ endpoint, table }: Extract<ServerSpec, { side: 'ours' }>): Promise<ServerAccess> => {
  const env = { PORT: '0', DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table }
  const { baseUrl, demo } = await startService(localSettings(env, ['--memory']))
  return { url: baseUrl, appId: demo.app_id, apiKey: demo.api_key }
}

serveParent<ServerSpec>((spec) => (spec.side === 'ours' ? ours(spec) : bare(spec)))
