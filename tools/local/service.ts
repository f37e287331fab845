import { Agent, request as httpRequest, type Server } from 'node:http'
import { pipeline } from 'node:stream'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { ApiError } from '../../shared/errors.ts'
import { errorResponse } from '../../shared/http/responses.ts'
import { CACHE_MILLIS, currentService } from '../../shared/store/service.ts'
import { announceService } from './data-folder.ts'
import { openDatabase } from './database.ts'
import { type DemoApplication, demoApplication } from './demo.ts'
import type { Stoppable } from './engine.ts'
import { createLocalServer, listen } from './http-server.ts'
import type { ListenAddress } from './loopback.ts'
import { localPages } from './pages.ts'
import { sendResponse } from './send.ts'
import { createGateway, sourceHandlers } from './server.ts'
import type { LocalSettings } from './settings.ts'

/** Waits for the requests in progress, but not for idle connections or incomplete requests. */
const closeGracefully = async (server: Server): Promise<void> => {
  const closed = new Promise((resolve) => server.close(resolve))
  const idleTimer = setInterval(() => server.closeIdleConnections(), 20)
  const timer = setTimeout(() => server.closeAllConnections(), FUNCTION_TIMEOUT_MILLIS)
  await closed
  clearInterval(idleTimer)
  clearTimeout(timer)
}

/** For tools such as the AWS CLI. Refuses web pages, since the engine lets every page read its responses. */
const createEngineProxy = (endpoint: string): Server => {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(endpoint)
  const server = createLocalServer((request, response) => {
    // The target is forwarded unchanged: "*" or an absolute one cannot be appended to an address.
    const { method, url: path, headers } = request
    if (headers.origin !== undefined) {
      const error = new ApiError('forbidden', 'The DynamoDB engine serves no web page.')
      return sendResponse(response, errorResponse(error, crypto.randomUUID()))
    }
    const forwarded = httpRequest({ hostname, port, path, method, headers, agent }, (reply) => {
      response.writeHead(reply.statusCode!, reply.headers)
      pipeline(reply, response, () => undefined)
    })
    // A connection that breaks on one side is closed on the other.
    pipeline(request, forwarded, (error) => error && response.destroy())
  })
  return server.on('close', () => agent.destroy())
}

/** On its own engine. Commands that disable keys wait that long. */
const KEY_CACHE_MILLIS = 1_000

export interface LocalService extends Stoppable {
  readonly baseUrl: string
  /** Undefined unless the settings open the engine to other programs. */
  readonly engineUrl: string | undefined
  readonly demo: DemoApplication
  readonly isNewDemo: boolean
  /** Completes the requests in progress, then stops server and engine. */
  stop(): Promise<void>
}

/** If it fails, stops what it has started and throws CommandError. */
export const startService = async (settings: LocalSettings): Promise<LocalService> => {
  const { dataDir, enginePort, table } = settings
  const { engine, stop: stopDatabase } = await openDatabase(settings, { clean: true })
  currentService().keyCacheMillis = engine ? KEY_CACHE_MILLIS : CACHE_MILLIS
  const servers: Server[] = []
  const open = async (server: Server, address: ListenAddress, setting: string): Promise<string> => {
    const url = await listen(server, address, setting)
    servers.push(server)
    return url
  }
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map(closeGracefully))
    await stopDatabase()
  }
  try {
    const { demo, isNew: isNewDemo } = await demoApplication(settings)
    // As in a stage that serves both pages.
    process.env.SERVED_PAGES = 'docs, console'
    const baseUrl = await open(createGateway(sourceHandlers, localPages(demo)), settings, 'PORT')
    let engineUrl: string | undefined
    if (engine && enginePort !== undefined) {
      const address = { host: '127.0.0.1', port: enginePort }
      engineUrl = await open(createEngineProxy(engine.endpoint), address, 'DYNAMODB_PORT')
    }
    if (engine && dataDir !== undefined) {
      const service = { base_url: baseUrl, endpoint: engine.endpoint, table }
      announceService(dataDir, engineUrl ? service : { ...service, key_cache_millis: KEY_CACHE_MILLIS })
    }
    return { baseUrl, engineUrl, demo, isNewDemo, engine, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
