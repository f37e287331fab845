import { randomUUID } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { headersOf, type Load, type LoadRequest, type LoadResult, type Served } from './traffic.ts'

/** A load of requests at even intervals, independent of the latency of answers. */
export interface PacedLoad extends Load {
  /** Requests per second. */
  readonly rate: number
}

interface Sender {
  readonly served: Served
  readonly agent: Agent
}

/** Sends one request. Resolves with its status, or with the error code if there is no answer. */
const statusOf = ({ served, agent }: Sender, { method, path, body }: LoadRequest): Promise<number | string> =>
  new Promise((resolve) => {
    httpRequest(served.url + path, { agent, method, headers: headersOf(served) }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
      .once('error', ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message))
      .end(body)
  })

/**
 * Sends a request every 1/rate seconds, over up to 32 connections. (autocannon sends the requests of each second in one
 * burst, which is full load for half of the time.)
 */
export const pacedLoad = async (
  served: Served,
  { requests, seconds, rate }: PacedLoad,
): Promise<LoadResult> => {
  const sender = { served, agent: new Agent({ keepAlive: true, maxSockets: 32 }) }
  const run = randomUUID()
  const times: number[] = []
  const failed = new Map<number | string, number>()
  const one = async (number: number): Promise<void> => {
    const { body, ...request } = requests[number % requests.length] as LoadRequest
    const sent = performance.now()
    const status = await statusOf(sender, {
      ...request,
      ...(body === undefined ? {} : { body: body.replace('[<id>]', `paced-${run}-${number}`) }),
    })
    times.push(performance.now() - sent)
    if (typeof status === 'string' || status < 200 || status > 299)
      failed.set(status, (failed.get(status) ?? 0) + 1)
  }
  const started = performance.now()
  // Keeps only open requests: a promise for every request would burden the garbage collector more and more.
  const open = new Set<Promise<void>>()
  for (let number = 0; number < seconds * rate; number += 1) {
    const wait = (number / rate) * 1_000 - (performance.now() - started)
    if (wait > 1) await pause(wait)
    const answer = one(number)
    open.add(answer)
    answer.then(() => open.delete(answer))
  }
  await Promise.all(open)
  sender.agent.destroy()
  for (const [status, count] of failed) console.error(`${served.url} failed ${count} times with ${status}`)
  const errors = [...failed.values()].reduce((sum, count) => sum + count, 0)
  return { perSecond: times.length / ((performance.now() - started) / 1_000), errors, times }
}
