import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { catalogue } from '../../shared/catalogue.ts'
import { ApiError } from '../../shared/errors.ts'
import { requestIdFrom } from '../../shared/http/request.ts'
import { errorResponse } from '../../shared/http/responses.ts'
import { errorDetails } from '../../shared/openapi/errors.ts'
import { route, targetOf } from '../local/gateway.ts'
import { readBytes, sendResponse } from '../local/send.ts'
import { FaultScript } from './fault-script.ts'
import type { Fault } from './options.ts'

const injectedKinds = { 429: 'too_many_requests', 500: 'internal', 503: 'unavailable' } as const

/** The example of the OpenAPI document for this status. */
const sendError = (response: ServerResponse, { answer, retryAfter = 1 }: Fault): Promise<void> => {
  const kind = injectedKinds[answer!]
  const error = new ApiError(kind, Object.values(errorDetails[kind]).flat())
  // A 429 comes from the gateway, which uses its own request id.
  const sentId = answer === 429 ? undefined : response.req.headers['x-request-id']?.toString()
  const headers = answer === 500 ? {} : { 'retry-after': String(retryAfter) }
  return sendResponse(response, errorResponse(error, requestIdFrom(sentId, undefined), headers))
}

/** The connection closes at the end without a byte. */
const suppressResponse = (response: ServerResponse): void => {
  Object.assign(response, { writeHead: () => response, write: () => true, end: () => response.destroy() })
}

/**
 * Returns whether to process the request; otherwise it has been responded to, or its connection has been
 * closed. Rejects when `signal` aborts a delay.
 */
const injectFault = async (response: ServerResponse, fault: Fault, signal: AbortSignal): Promise<boolean> => {
  if (fault.delay) await pause(fault.delay, undefined, { signal })
  if (fault.lose === 'answer') suppressResponse(response)
  if (fault.lose !== 'request' && !fault.answer) return true
  await readBytes(response.req)
  if (fault.answer) await sendError(response, fault)
  else response.destroy()
  return false
}

/** Undefined for a request that calls none. */
const operationOf = ({ method = 'GET', url = '/' }: IncomingMessage): string | undefined => {
  const routed = route(catalogue, { method, path: targetOf(url).path, requestId: '-' })
  return 'endpoint' in routed ? routed.endpoint.id : undefined
}

/** How long a reset waits for clients that are still sending a request or receiving a response. */
const CLIENT_TIMEOUT_MILLIS = 1_000

/** Passes requests on to a gateway, injects the scripted faults, and delays requests during a reset. */
export class RequestGate {
  readonly script = new FaultScript()
  readonly #gateway: RequestListener
  readonly #inFlight = new Map<ServerResponse, Promise<unknown>>()
  #delays = new AbortController()
  #reset: Promise<void> | undefined

  constructor(gateway: RequestListener) {
    this.#gateway = gateway
  }

  /** Rejects when a reset ends its delay. */
  async handle(response: ServerResponse): Promise<void> {
    await this.#reset
    const operation = operationOf(response.req)
    const fault = operation === undefined ? undefined : this.script.take(operation)
    if (fault && !(await injectFault(response, fault, this.#delays.signal))) return
    // A client that hung up while its request waited emits no further event: a reset would wait forever.
    if (response.closed) return
    const closed = new Promise((resolve) => response.once('close', resolve))
    this.#inFlight.set(response, closed)
    closed.then(() => this.#inFlight.delete(response))
    this.#gateway(response.req, response)
  }

  /** Waits until all requests in flight have ended. Closes connections whose clients take long. */
  async #untilIdle(): Promise<void> {
    const timer = setTimeout(() => {
      for (const response of this.#inFlight.keys())
        if (!response.req.complete || response.writableEnded) response.destroy()
    }, CLIENT_TIMEOUT_MILLIS)
    await Promise.all(this.#inFlight.values())
    clearTimeout(timer)
  }

  /** Ends delayed requests, waits for those in flight; new ones wait for `reset`. One reset at a time. */
  async holdDuring(reset: () => Promise<void>): Promise<void> {
    const previous = this.#reset
    const current = (async () => {
      await previous
      this.#delays.abort()
      this.#delays = new AbortController()
      await this.#untilIdle()
      await reset()
    })()
    // A failed reset rejects for its caller only. Requests that wait for it continue.
    this.#reset = current.catch(() => undefined)
    await current
  }
}
