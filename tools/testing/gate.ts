import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { catalogue } from '../../shared/catalogue.ts'
import { ApiError } from '../../shared/errors.ts'
import { requestIdFrom } from '../../shared/http/request.ts'
import { errorResponse } from '../../shared/http/responses.ts'
import { errorDetails } from '../../shared/openapi/errors.ts'
import { route, targetOf } from '../local/gateway.ts'
import { type Fault, FaultScript } from './faults.ts'

const kinds = { 429: 'too_many_requests', 500: 'internal', 503: 'unavailable' } as const

/** An error in the words in which the service is documented to give it. */
const errorOf = (answer: keyof typeof kinds): ApiError =>
  new ApiError(kinds[answer], Object.values(errorDetails[kinds[answer]]).flat())

const operationOf = ({ method = 'GET', url = '/' }: IncomingMessage): string | undefined => {
  const found = route(catalogue, { method, path: targetOf(url).path, requestId: '-' })
  return 'endpoint' in found ? found.endpoint.id : undefined
}

const drained = async (request: IncomingMessage): Promise<void> => {
  request.resume()
  if (!request.complete) await once(request, 'end')
}

const answerWith = (
  request: IncomingMessage,
  response: ServerResponse,
  { answer, retryAfter = 1 }: Fault,
): void => {
  const { statusCode, headers, body } = errorResponse(
    errorOf(answer!),
    // Only the gateway answers 429, and under its own id (S3).
    requestIdFrom(answer === 429 ? undefined : [request.headers['x-request-id']].flat()[0], undefined),
    answer === 500 ? {} : { 'retry-after': String(retryAfter) },
  )
  response.writeHead(statusCode, headers as Record<string, string>).end(body)
}

/** Makes a response's end the end of its connection, without a byte of it. */
const mute = (response: ServerResponse): void => {
  Object.assign(response, { writeHead: () => response, end: () => response.destroy() })
}

/** Stands before the gateway: scripts its faults, and lets nothing in while the service is reset. */
export class Gate {
  readonly script = new FaultScript()
  readonly #gateway: Server
  readonly #inside = new Set<Promise<unknown>>()
  #delays = new AbortController()
  #closed: Promise<void> | undefined

  constructor(gateway: Server) {
    this.#gateway = gateway
  }

  /** Handles one request: by the fault that takes it, or by the gateway. */
  async enter(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#closed
    const operation = operationOf(request)
    const fault = operation === undefined ? undefined : this.script.take(operation)
    if (fault?.delay) await pause(fault.delay, undefined, { signal: this.#delays.signal })
    if (fault?.lose === 'request' || fault?.answer) {
      await drained(request)
      if (fault.answer) answerWith(request, response, fault)
      else response.destroy()
      return
    }
    if (fault?.lose === 'answer') mute(response)
    this.pass(request, response)
  }

  /** Handles one request as if there were no gate. */
  pass(request: IncomingMessage, response: ServerResponse): void {
    const left = new Promise((resolve) => response.once('close', resolve))
    this.#inside.add(left)
    left.then(() => this.#inside.delete(left))
    this.#gateway.emit('request', request, response)
  }

  /** Does `work` while nobody is inside: ends delayed requests, waits for the others and keeps new ones waiting. */
  async closedDuring(work: () => Promise<void>): Promise<void> {
    const before = this.#closed
    const done = (async () => {
      await before?.catch(() => undefined)
      this.#delays.abort()
      this.#delays = new AbortController()
      await Promise.all(this.#inside)
      await work()
    })()
    // Those who wait do not wait for success; who asked for the work learns of its failure.
    this.#closed = done.catch(() => undefined)
    await done
  }
}
