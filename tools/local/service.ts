import type { Server } from 'node:http'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Credentials } from '../../shared/store/api-keys.ts'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/store/budget.ts'
import { createTable } from '../../shared/store/create-table.ts'
import { demoApplication } from './demo.ts'
import { docsPages } from './docs.ts'
import { type Engine, startEngine } from './engine.ts'
import { createGateway, listen, sourceHandlers } from './server.ts'
import { type LocalSettings, StartError } from './settings.ts'

/** A database that the handlers of this process are set to use. */
export interface Database {
  readonly engine: Engine | undefined
  stop(): Promise<void>
}

/** Points the handlers at an endpoint and a table, as the deployment's environment does. */
export const useDatabase = (endpoint: string, table: string): void => {
  Object.assign(process.env, { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table })
}

/** Makes sure that the table is there, on the engine that runs at `endpoint`. */
export const prepareTable = async (endpoint: string, table: string): Promise<void> => {
  const client = new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 2,
  })
  try {
    await createTable(client, table)
  } catch (cause) {
    throw new StartError(
      `the DynamoDB engine at ${endpoint} does not work: ${(cause as Error).message || (cause as Error).name}`,
      { cause },
    )
  } finally {
    client.destroy()
  }
  useDatabase(endpoint, table)
}

/** Starts an engine, or uses the one at the endpoint of the settings, with the table in it. */
export const openDatabase = async ({
  enginePort,
  dataDir,
  endpoint,
  table,
}: LocalSettings): Promise<Database> => {
  const engine = endpoint ? undefined : await startEngine(enginePort, dataDir)
  const stop = async () => engine?.stop()
  try {
    await prepareTable(endpoint ?? engine!.endpoint, table)
  } catch (error) {
    await stop()
    throw error
  }
  return { engine, stop }
}

/** Answers what is on its way, a keep-alive or half-sent request holding nobody up, and takes no more. */
const close = async (server: Server): Promise<void> => {
  const closed = new Promise((resolve) => server.close(resolve))
  const idle = setInterval(() => server.closeIdleConnections(), 20)
  const late = setTimeout(() => server.closeAllConnections(), FUNCTION_TIMEOUT_MILLIS)
  await closed
  clearInterval(idle)
  clearTimeout(late)
}

/** The whole service, running on this machine. */
export interface LocalService {
  readonly baseUrl: string
  readonly demo: Credentials
  readonly engine: Engine | undefined
  stop(): Promise<void>
}

/** Starts database and server; throws StartError, having stopped what it started. */
export const startService = async (settings: LocalSettings): Promise<LocalService> => {
  const database = await openDatabase(settings)
  try {
    const demo = await demoApplication(settings)
    const server = createGateway(sourceHandlers, docsPages(demo))
    const baseUrl = await listen(server, settings)
    const stop = () => close(server).then(database.stop)
    return { baseUrl, demo, engine: database.engine, stop }
  } catch (error) {
    await database.stop()
    throw error
  }
}
