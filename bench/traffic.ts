import autocannon from 'autocannon'
import { startChild } from './child.ts'
import { customerBody, type Fixture } from './fixture.ts'
import type { ServerAccess, ServerSpec } from './server.ts'

export interface RunningServer extends ServerAccess {
  end(): void
}

export const startServer = async (spec: ServerSpec, env: NodeJS.ProcessEnv): Promise<RunningServer> => {
  const { ask, end } = startChild<ServerSpec>('server.ts', env)
  return { ...(await ask<ServerAccess>(spec)), end }
}

/** A request of a load. `[<id>]` in its body is replaced by a new id each time. */
interface LoadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

export const loadRequests = {
  retrieve: { method: 'GET', path: '/api/customers/customer-1' },
  create: { method: 'POST', path: '/api/customers', body: JSON.stringify(customerBody('[<id>]')) },
} as const satisfies Record<string, LoadRequest>

/** Over 32 connections for some seconds. Throws Error if a request fails. */
export const responsesPerSecond = async (
  { url, appId, apiKey }: RunningServer,
  request: LoadRequest,
  seconds: number,
): Promise<number> => {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'x-app-id': appId,
    'content-type': 'application/json',
  }
  const { errors, timeouts, non2xx, requests, duration } = await autocannon({
    url,
    connections: 32,
    duration: seconds,
    idReplacement: true,
    headers,
    requests: [{ ...request }],
  })
  const failed = errors + timeouts + non2xx
  if (failed > 0) throw new Error(`${failed} requests failed`)
  return requests.total / duration
}

/** On a fixture's table, with an application of its own. */
export const serveOurs = ({ endpoint, table, env }: Fixture): Promise<RunningServer> =>
  startServer({ side: 'ours', endpoint, table }, env)
