import type { IncomingMessage, ServerResponse } from 'node:http'
import { json as readJson } from 'node:stream/consumers'
import { ApiError } from '../../shared/errors.ts'
import { asApiError, errorResponse, respond } from '../../shared/http/responses.ts'
import { StartError } from '../local/settings.ts'
import { checkedBeginning, checkedFault, checkedTime } from './check.ts'
import type { Fault } from './faults.ts'
import type { ControlName } from './messages.ts'
import type { Beginning } from './settings.ts'

/** Where a test service takes its controls over HTTP, for clients in any language. */
export const CONTROL_PATH = '/__test'

/** What controls act on: a running test service. */
export interface Controlled {
  readonly baseUrl: string
  readonly appId: string
  readonly apiKey: string
  /** Forgets everything and begins anew, as at first or as said here. Throws StartError when the seed is refused. */
  reset(beginning?: Beginning): Promise<void>
  /** Sets the clock to milliseconds since the epoch, where it stands still, or lets it go. */
  setTime(millis: number | undefined): void
  readonly faults: { add(fault: Fault): void; clear(): void; pending(): Fault[] }
}

/** What a control does with a test service; takes and returns JSON. */
type Control = (host: Controlled, argument: unknown) => unknown

/** The controls, by the name of their message and by method and path. */
export const controls = {
  reset: async (host, argument) => {
    await host.reset(checkedBeginning(argument))
    return {}
  },
  setTime: (host, argument) => {
    host.setTime(checkedTime((argument as { now?: unknown } | null)?.now))
    return {}
  },
  addFault: (host, argument) => {
    host.faults.add(checkedFault(argument))
    return {}
  },
  clearFaults: (host) => {
    host.faults.clear()
    return {}
  },
  pendingFaults: ({ faults }) => ({ faults: faults.pending() }),
  access: ({ baseUrl, appId, apiKey }) => ({
    base_url: baseUrl,
    app_id: appId,
    api_key: apiKey,
    control_url: baseUrl + CONTROL_PATH,
  }),
} satisfies Record<ControlName, Control>

const routes: Readonly<Record<string, Control>> = {
  'GET ': controls.access,
  'POST /reset': controls.reset,
  'PUT /clock': controls.setTime,
  'POST /faults': controls.addFault,
  'GET /faults': controls.pendingFaults,
  'DELETE /faults': controls.clearFaults,
}

const known = Object.keys(routes).map((route) => route.replace(' ', ` ${CONTROL_PATH}`))

const argumentIn = async (request: IncomingMessage): Promise<unknown> => {
  if (
    request.headers['content-length'] === '0' ||
    (!request.headers['content-length'] && !request.headers['transfer-encoding'])
  )
    return undefined
  try {
    return await readJson(request)
  } catch (cause) {
    throw new ApiError('unreadable_body', 'The body must be JSON.', { cause })
  }
}

const run = async (host: Controlled, request: IncomingMessage): Promise<unknown> => {
  const { method, url = '' } = request
  const control = routes[`${method} ${url.slice(CONTROL_PATH.length).replace(/\/$/, '')}`]
  if (!control)
    throw new ApiError(
      'route_not_found',
      `There is no ${method} ${url.slice(0, 200)}; there are: ${known.join(', ')}.`,
    )
  return control(host, await argumentIn(request))
}

/** What a failed control says: the operator's mistakes as they are, since it is a developer who reads this. */
const refusal = (error: unknown): ApiError =>
  error instanceof StartError
    ? new ApiError('invalid', `${error.message}.`, { cause: error })
    : asApiError(error)

/** Answers a request for a control, in the envelope of errors where it fails. */
export const answerControl = async (
  host: Controlled,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { statusCode, headers, body } = await run(host, request).then(
    (result) => respond(200, JSON.stringify(result), crypto.randomUUID()),
    (error: unknown) => errorResponse(refusal(error), crypto.randomUUID()),
  )
  response.writeHead(statusCode, headers as Record<string, string>).end(body)
}
