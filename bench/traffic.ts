import autocannon from 'autocannon'
import { startChild } from './child.ts'
import type { Listening, Serving } from './serving.ts'
import { customerBody, type World } from './world.ts'

/** A running server process. */
export interface Served extends Listening {
  end(): void
}

/** Starts a server process. */
export const serve = async (serving: Serving, env: NodeJS.ProcessEnv): Promise<Served> => {
  const { ask, end } = startChild<Serving>('serving.ts', env)
  return { ...(await ask<Listening>(serving)), end }
}

/** A request of a load. `[<id>]` in its body is replaced by a new id each time. */
interface LoadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

/** The requests of every load. */
export const requests = {
  retrieve: { method: 'GET', path: '/api/customers/customer-1' },
  create: { method: 'POST', path: '/api/customers', body: JSON.stringify(customerBody('[<id>]')) },
} as const satisfies Record<string, LoadRequest>

/**
 * Sends a server as many requests as it can serve over 32 connections. Returns the responses per second. Throws Error
 * if a request fails.
 */
export const load = async (
  { url, appId, apiKey }: Served,
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

/** Starts our local service on a world's table, with an application of its own. */
export const serveOurs = ({ endpoint, table, env }: World): Promise<Served> =>
  serve({ side: 'ours', endpoint, table }, env)
