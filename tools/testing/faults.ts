import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../../shared/errors.ts'
import { requestIdFrom } from '../../shared/http/request.ts'
import { errorResponse } from '../../shared/http/responses.ts'
import { errorDetails } from '../../shared/openapi/errors.ts'
import { readBytes, sendResponse } from '../local/send.ts'
import type { Fault } from './options.ts'

interface Pending {
  readonly fault: Fault
  /** The number of matching calls before it applies. */
  skip: number
  /** The number of calls to which it still applies. */
  left: number
}

/** The faults to inject. The first one that is due applies to a call, and the others do not count that call. */
export class FaultScript {
  #pending: Pending[] = []

  add(fault: Fault): void {
    this.#pending.push({ fault, skip: (fault.call ?? 1) - 1, left: fault.times ?? 1 })
  }

  clear(): void {
    this.#pending = []
  }

  /** The remaining faults in the order of `add`; `times` is the number of their remaining calls. */
  pending(): Fault[] {
    return this.#pending.map(({ fault, left }) => (fault.times ? { ...fault, times: left } : fault))
  }

  /** Counts a call of an operation; returns the fault that applies to it, if any. */
  take(operation: string): Fault | undefined {
    const matching = this.#pending.filter(({ fault }) => (fault.operation ?? operation) === operation)
    const due = matching.find(({ skip }) => skip === 0)
    if (due) due.left -= 1
    else for (const pending of matching) pending.skip -= 1
    this.#pending = this.#pending.filter(({ left }) => left > 0)
    return due?.fault
  }
}

const errorKinds = { 429: 'too_many_requests', 500: 'internal', 503: 'unavailable' } as const

/** Sends the error that the OpenAPI document has as the example of this status. */
const sendError = (response: ServerResponse, { answer, retryAfter = 1 }: Fault): Promise<void> => {
  const kind = errorKinds[answer!]
  const error = new ApiError(kind, Object.values(errorDetails[kind]).flat())
  // A 429 comes from the gateway, which uses its own request id.
  const sentId = answer === 429 ? undefined : response.req.headers['x-request-id']?.toString()
  const headers = answer === 500 ? {} : { 'retry-after': String(retryAfter) }
  return sendResponse(response, errorResponse(error, requestIdFrom(sentId, undefined), headers))
}

/** Closes the connection when the response ends, without sending a byte of it. */
const suppress = (response: ServerResponse): void => {
  Object.assign(response, { writeHead: () => response, write: () => true, end: () => response.destroy() })
}

/**
 * Injects a fault into the response to a request. Returns whether the request is still to be processed; if not, a response was sent or
 * its connection closed. Rejects when `signal` aborts a delay.
 */
export const injectFault = async (
  response: ServerResponse,
  fault: Fault,
  signal: AbortSignal,
): Promise<boolean> => {
  if (fault.delay) await pause(fault.delay, undefined, { signal })
  if (fault.lose === 'answer') suppress(response)
  if (fault.lose !== 'request' && !fault.answer) return true
  await readBytes(response.req)
  if (fault.answer) await sendError(response, fault)
  else response.destroy()
  return false
}
