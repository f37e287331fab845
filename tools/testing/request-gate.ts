import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { catalogue } from '../../shared/catalogue.ts'
import { route, targetOf } from '../local/gateway.ts'
import { injectFault } from './fault-injection.ts'
import { FaultScript } from './fault-script.ts'

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
