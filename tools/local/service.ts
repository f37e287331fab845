import type { Server } from 'node:http'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import type { Credentials } from '../applications/api-keys.ts'
import { openDatabase } from './database.ts'
import { demoApplication } from './demo.ts'
import { localPages } from './docs.ts'
import type { Running } from './engine.ts'
import { createGateway, listen, sourceHandlers } from './server.ts'
import type { LocalSettings } from './settings.ts'

/** Stops listening and waits for the requests in flight; idle and half-sent connections do not delay it. */
const closeGracefully = async (server: Server): Promise<void> => {
  const closed = new Promise((resolve) => server.close(resolve))
  const idle = setInterval(() => server.closeIdleConnections(), 20)
  const late = setTimeout(() => server.closeAllConnections(), FUNCTION_TIMEOUT_MILLIS)
  await closed
  clearInterval(idle)
  clearTimeout(late)
}

/** The API with its documentation page and database, running in this process. */
export interface LocalService extends Running {
  readonly baseUrl: string
  /** The credentials of the demo application. */
  readonly demo: Credentials
  /** Answers the requests in flight, then stops server and engine. */
  stop(): Promise<void>
}

/** Starts database and server; throws StartError, having stopped what it had started. */
export const startService = async (settings: LocalSettings): Promise<LocalService> => {
  const database = await openDatabase(settings)
  try {
    const demo = await demoApplication(settings)
    const server = createGateway(sourceHandlers, localPages(demo))
    const baseUrl = await listen(server, settings)
    const stop = () => closeGracefully(server).then(database.stop)
    return { baseUrl, demo, engine: database.engine, stop }
  } catch (error) {
    await database.stop()
    throw error
  }
}
