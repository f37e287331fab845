import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../../shared/errors.ts'
import { requestIdFrom } from '../../shared/http/request.ts'
import { errorResponse } from '../../shared/http/responses.ts'
import { errorDetails } from '../../shared/openapi/errors.ts'
import { readBytes, sendResponse } from '../local/send.ts'
import type { Fault } from './options.ts'

const errorKinds = { 429: 'too_many_requests', 500: 'internal', 503: 'unavailable' } as const

/** The example of the OpenAPI document for this status. */
const sendError = (response: ServerResponse, { answer, retryAfter = 1 }: Fault): Promise<void> => {
  const kind = errorKinds[answer!]
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
export const injectFault = async (
  response: ServerResponse,
  fault: Fault,
  signal: AbortSignal,
): Promise<boolean> => {
  if (fault.delay) await pause(fault.delay, undefined, { signal })
  if (fault.lose === 'answer') suppressResponse(response)
  if (fault.lose !== 'request' && !fault.answer) return true
  await readBytes(response.req)
  if (fault.answer) await sendError(response, fault)
  else response.destroy()
  return false
}
