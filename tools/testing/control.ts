import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../../shared/errors.ts'
import { isJsonContentType } from '../../shared/http/body.ts'
import { asApiError, createResponse, errorResponse } from '../../shared/http/responses.ts'
import { CommandError } from '../cli/command.ts'
import { GATEWAY_BODY_BYTES } from '../local/gateway.ts'
import { readBytes, sendResponse } from '../local/send.ts'
import { type ParsedState, parseClock, parseFault, parseInitialState } from './control-bodies.ts'
import type { FaultScript } from './fault-script.ts'

export const CONTROL_PATH = '/__test'

/** As the program prints them. */
export interface TestDoubleAccess {
  readonly base_url: string
  readonly app_id: string
  readonly api_key: string
  readonly read_only_api_key: string
  readonly control_url: string
}

/** The part of a test double that the controls use. */
export interface Controllable {
  readonly access: TestDoubleAccess
  readonly faults: FaultScript
  /** `state` replaces parts of the initial state. Throws CommandError if the API refuses the seed. */
  reset(state?: ParsedState): Promise<void>
  /** In milliseconds since the epoch; undefined lets the clock run. */
  setTime(millis: number | undefined): void
}

/** Takes the parsed request body, and returns the response body; undefined stands for `{}`. */
type Control = (double: Controllable, body: unknown) => unknown

/** By method and the rest of the path after `CONTROL_PATH`. */
const controls: Readonly<Record<string, Control>> = {
  'GET ': ({ access }) => access,
  'POST /reset': (double, body) => double.reset(parseInitialState(body)),
  'PUT /clock': (double, body) => double.setTime(parseClock(body)),
  'POST /faults': ({ faults }, body) => faults.add(parseFault(body)),
  'GET /faults': ({ faults }) => ({ faults: faults.pending() }),
  'DELETE /faults': ({ faults }) => faults.clear(),
}

const controlRoutes = Object.keys(controls).map((route) => route.replace(' ', ` ${CONTROL_PATH}`))

/** A page of another site could send requests without a preflight. */
const refusePages = ({ headers }: IncomingMessage): void => {
  const { origin, 'content-type': type } = headers
  if (origin !== undefined)
    throw new ApiError(
      'forbidden',
      `The controls serve no web page (got the origin "${origin.slice(0, 100)}").`,
    )
  if (type !== undefined && !isJsonContentType(type))
    throw new ApiError(
      'unsupported_media_type',
      `The content type must be application/json (got "${type.slice(0, 100)}").`,
    )
}

const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const body = await readBytes(request)
  if (!body) throw new ApiError('body_too_large', `The body must be at most ${GATEWAY_BODY_BYTES} bytes.`)
  try {
    return body.length === 0 ? undefined : JSON.parse(body.toString())
  } catch (cause) {
    throw new ApiError('unreadable_body', 'The body must be JSON.', { cause })
  }
}

/** Throws ApiError if there is no control, or if the request is refused. */
const runControl = async (double: Controllable, request: IncomingMessage): Promise<unknown> => {
  refusePages(request)
  const { method, url = '' } = request
  const control = controls[`${method} ${url.slice(CONTROL_PATH.length).replace(/\/$/, '')}`]
  if (!control)
    throw new ApiError(
      'route_not_found',
      `There is no ${method} ${url.slice(0, 200)}; use one of: ${controlRoutes.join(', ')}.`,
    )
  return control(double, await readJson(request))
}

/** A CommandError, which reports a refused seed, becomes an invalid request. */
const controlError = (error: unknown): ApiError =>
  error instanceof CommandError
    ? new ApiError('invalid', `${error.message}.`, { cause: error })
    : asApiError(error)

/** Errors are in the API's envelope. */
export const handleControl = async (double: Controllable, response: ServerResponse): Promise<void> => {
  const result = await runControl(double, response.req).then(
    (body) => createResponse(200, JSON.stringify(body ?? {}), crypto.randomUUID()),
    (error: unknown) => errorResponse(controlError(error), crypto.randomUUID()),
  )
  await sendResponse(response, result)
}
