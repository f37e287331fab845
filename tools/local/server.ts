import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { APIGatewayProxyResult, Context } from 'aws-lambda'
import type { Fetch } from '../../client/options.ts'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { deployables } from '../../shared/catalogue.ts'
import { type Deployable, routesOf } from '../../shared/contract/deployable.ts'
import { bodyTooLargeError } from '../../shared/http/body.ts'
import { asApiError, errorResponse } from '../../shared/http/responses.ts'
import type { Handler } from '../../shared/http/serve.ts'
import { logLine, millisSince } from '../../shared/log.ts'
import { currentService } from '../../shared/store/service.ts'
import { eventOf, isEventTooLarge, matchedPath, route, targetOf, tooLargeForGateway } from './gateway.ts'
import { createLocalServer } from './http-server.ts'
import type { LocalPages } from './pages.ts'
import { readBytes, sendResponse } from './send.ts'

export type HandlerLoader = (deployable: Deployable) => Promise<Handler>

const loaded = new Map<string, Promise<{ handler: Handler }>>()

/** Each from its file, at its first request. */
export const sourceHandlers: HandlerLoader = async ({ id }) => {
  // A repeated import is cached too, but slower. The folder is literal so that bundlers find the files.
  const handlerModule = loaded.get(id) ?? import(`../../functions/${id.replace('.', '/')}.ts`)
  loaded.set(id, handlerModule)
  return (await handlerModule).handler
}

const lambdaContext = (): Context => {
  const startedAt = performance.now()
  return {
    getRemainingTimeInMillis: () => Math.max(0, FUNCTION_TIMEOUT_MILLIS - (performance.now() - startedAt)),
  } as Context
}

interface ReceivedRequest {
  /** By the monotonic clock, in milliseconds. */
  readonly startedAt: number
  readonly requestId: string
}

/** For a response that does not come from a function, as the deployed gateway does in its access log. */
const logResponse = (
  { startedAt, requestId }: ReceivedRequest,
  result: APIGatewayProxyResult,
  error?: unknown,
): APIGatewayProxyResult => {
  const line = logLine({
    request_id: requestId,
    route: 'gateway',
    status: result.statusCode,
    ms: millisSince(startedAt),
    error,
  })
  currentService().log(line)
  return result
}

const routesWithoutPages = deployables.flatMap((deployable) =>
  routesOf(deployable, { docs: false, console: false }),
)
const routesWithPages = deployables.flatMap((deployable) =>
  routesOf(deployable, { docs: true, console: true }),
)

interface Sources {
  readonly load: HandlerLoader
  readonly pages: LocalPages | undefined
}

const respond = async (
  { load, pages }: Sources,
  request: IncomingMessage,
  received: ReceivedRequest,
): Promise<APIGatewayProxyResult> => {
  const { url = '/', method = 'GET' } = request
  const { requestId } = received
  const target = targetOf(url)
  const page = pages?.(request, matchedPath(target.path))
  if (page) return page
  const routed = route(pages ? routesWithPages : routesWithoutPages, { method, path: target.path, requestId })
  if ('statusCode' in routed) return logResponse(received, routed)
  const body = await readBytes(request)
  if (!body) return logResponse(received, tooLargeForGateway)
  const event = eventOf(request, target, { ...routed, body, requestId })
  if (isEventTooLarge(event)) throw bodyTooLargeError(body.length)
  const handler = await load(routed.endpoint)
  return handler(event, lambdaContext())
}

/** Responds as the deployed gateway does. With `pages`, the stage has the settings `docs` and `console`. */
export const gatewayListener =
  (load: HandlerLoader = sourceHandlers, pages?: LocalPages): RequestListener =>
  (request, response) => {
    const received = { startedAt: performance.now(), requestId: randomUUID() }
    respond({ load, pages }, request, received)
      .catch((error: unknown) => {
        const result = errorResponse(asApiError(error), received.requestId)
        // A client that disconnects before the end of its body receives no response: no error to log.
        return request.complete ? logResponse(received, result, error) : result
      })
      .then((result) => sendResponse(response, result))
      .catch((error: unknown) => response.destroy(error as Error))
  }

/**
 * Calls the handlers in this process: without connections, requests take a third less time. Routes like the
 * gateway, but has none of its limits and does not log in its place.
 */
export const fetchInProcess: Fetch = async (url, { method, headers, body }) => {
  const { pathname, search } = new URL(url)
  const target = targetOf(pathname + search)
  const requestId = randomUUID()
  const routed = route(routesWithoutPages, { method, path: target.path, requestId })
  const request = { rawHeaders: Object.entries(headers).flat() }
  let result: APIGatewayProxyResult
  if ('statusCode' in routed) result = routed
  else {
    const event = eventOf(request, target, { ...routed, body: Buffer.from(body ?? ''), requestId })
    const handler = await sourceHandlers(routed.endpoint)
    result = await handler(event, lambdaContext())
  }
  // The handlers name headers in lower case, as the client does.
  const headerOf = (name: string) => (result.headers?.[name] as string | undefined) ?? null
  return { status: result.statusCode, headers: { get: headerOf }, text: async () => result.body }
}

export const createGateway = (load?: HandlerLoader, pages?: LocalPages): Server =>
  createLocalServer(gatewayListener(load, pages), 'HOST=0.0.0.0')
