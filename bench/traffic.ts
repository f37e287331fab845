import autocannon from 'autocannon'
import { customerBody } from './bodies.ts'
import { startChild } from './child.ts'
import type { Listening, Serving } from './serving.ts'

/** A running server process. */
export interface Served extends Listening {
  /** Returns its resident memory in bytes. */
  memory(): Promise<number>
  end(): void
}

/** Starts a server process. */
export const serve = async (serving: Serving, env: NodeJS.ProcessEnv): Promise<Served> => {
  const { ask, end } = startChild<Serving | 'memory'>('serving.ts', env)
  return { ...(await ask<Listening>(serving)), memory: () => ask<number>('memory'), end }
}

/** A request of a load. `[<id>]` in its body is replaced by a new id each time. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

/** The requests of every load. */
export const requests = {
  retrieve: { method: 'GET', path: '/api/customers/customer-1' },
  list: { method: 'GET', path: '/api/customers?limit=20' },
  create: { method: 'POST', path: '/api/customers', body: JSON.stringify(customerBody('[<id>]')) },
} as const satisfies Record<string, LoadRequest>

export interface Load {
  readonly requests: readonly LoadRequest[]
  readonly seconds: number
}

export interface LoadResult {
  readonly perSecond: number
  /** The number of failed connections, timeouts, and answers other than 2xx. */
  readonly errors: number
  /** The latencies of all answers, in milliseconds. */
  readonly times: readonly number[]
}

const CONNECTIONS = 32

/** Returns the headers of a request to a server. */
export const headersOf = ({ appId, apiKey }: Served) => ({
  authorization: `Bearer ${apiKey}`,
  'x-app-id': appId,
  'content-type': 'application/json',
})

/** Loads a server with as many requests as it can answer over 32 connections. */
export const load = async (served: Served, { requests, seconds }: Load): Promise<LoadResult> => {
  const times: number[] = []
  const options = {
    url: served.url,
    connections: CONNECTIONS,
    duration: seconds,
    idReplacement: true,
    headers: headersOf(served),
    requests: requests.map((request) => ({ ...request })),
  }
  const result = await new Promise<autocannon.Result>((done, failed) => {
    const instance = autocannon(options as autocannon.Options, (error, value) =>
      error ? failed(error) : done(value),
    )
    instance.on('response', (_client, _status, _bytes, millis) => times.push(millis))
  })
  const errors = result.errors + result.timeouts + result.non2xx
  return { perSecond: times.length / result.duration, errors, times }
}
