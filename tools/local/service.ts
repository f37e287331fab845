import type { Server } from 'node:http'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { CACHE_MILLIS, cacheKeysFor } from '../../shared/store/authorisation.ts'
import type { Credentials } from '../applications/api-keys.ts'
import { openDatabase } from './database.ts'
import { demoApplication } from './demo.ts'
import type { Running } from './engine.ts'
import { createEngineFront } from './engine-front.ts'
import { listen } from './http-server.ts'
import type { ListenAddress } from './loopback.ts'
import { localPages } from './pages.ts'
import { announceService } from './running-service.ts'
import { createGateway, sourceHandlers } from './server.ts'
import type { LocalSettings } from './settings.ts'

/** Stops listening and waits for the requests in flight, but not for idle or half-sent connections. */
const closeGracefully = async (server: Server): Promise<void> => {
  const closed = new Promise((resolve) => server.close(resolve))
  const idle = setInterval(() => server.closeIdleConnections(), 20)
  const late = setTimeout(() => server.closeAllConnections(), FUNCTION_TIMEOUT_MILLIS)
  await closed
  clearInterval(idle)
  clearTimeout(late)
}

/** How long the service caches keys if only it writes to its database: commands that refuse keys wait no longer. */
const KEY_CACHE_MILLIS = 1_000

/** The API with its documentation page and database, running in this process. */
export interface LocalService extends Running {
  readonly baseUrl: string
  /** The engine's address for other programs, if the settings open it. */
  readonly engineUrl: string | undefined
  /** The credentials of the demo application. */
  readonly demo: Credentials
  /** Completes the requests in flight, then stops server and engine. */
  stop(): Promise<void>
}

/** Starts database and servers. Throws StartError after stopping what it has started. */
export const startService = async (settings: LocalSettings): Promise<LocalService> => {
  const { dataDir, enginePort, table } = settings
  const { engine, stop: stopDatabase } = await openDatabase(settings, { clean: true })
  cacheKeysFor(engine ? KEY_CACHE_MILLIS : CACHE_MILLIS)
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
    const demo = await demoApplication(settings)
    const baseUrl = await open(createGateway(sourceHandlers, localPages(demo)), settings, 'PORT')
    const engineUrl =
      engine && enginePort !== undefined
        ? await open(
            createEngineFront(engine.endpoint),
            { host: '127.0.0.1', port: enginePort },
            'DYNAMODB_PORT',
          )
        : undefined
    if (engine && dataDir !== undefined) {
      const service = { base_url: baseUrl, endpoint: engine.endpoint, table }
      announceService(dataDir, engineUrl ? service : { ...service, key_cache_millis: KEY_CACHE_MILLIS })
    }
    return { baseUrl, engineUrl, demo, engine, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
