import { setTimeout as pause } from 'node:timers/promises'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { FUNCTION_TIMEOUT_MILLIS } from '../../shared/budget.ts'
import { HOLD_BACK_SECONDS } from '../../shared/config.ts'
import { currentService } from '../../shared/store/service.ts'
import { CommandError } from '../cli/command.ts'
import { createTable } from './create-table.ts'
import { engineFile, isLocked, runningService } from './data-folder.ts'
import { type Engine, type EngineOptions, MissingEngineError, type Stoppable, startEngine } from './engine.ts'
import type { LocalSettings } from './settings.ts'

/** The engine accepts any credentials. */
export const localClient = (endpoint: string): DynamoDBClient =>
  new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 2,
  })

/**
 * Configures the handlers of this process for an endpoint and a table by the environment, as a deployment
 * does. `changed_since` holds changes back for `holdBack` seconds: 0 if only this process writes.
 */
export const useDatabase = (endpoint: string, table: string, holdBack = 0): void => {
  if (process.env.DYNAMODB_ENDPOINT !== endpoint) currentService().database.disconnect()
  const settings = { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table, HOLD_BACK_SECONDS: String(holdBack) }
  Object.assign(process.env, settings)
}

/** Throws CommandError if the engine does not work, or if this version cannot read the table. */
export const createTableAt = async (endpoint: string, table: string): Promise<void> => {
  const client = localClient(endpoint)
  try {
    await createTable(client, table)
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    throw new CommandError(
      `the DynamoDB engine at ${endpoint} does not work: ${(cause as Error).message || (cause as Error).name}`,
      { cause },
    )
  } finally {
    client.destroy()
  }
}

/** Also configures the handlers. Throws the errors of `createTableAt`. */
export const prepareTable = async (endpoint: string, table: string, holdBack?: number): Promise<void> => {
  await createTableAt(endpoint, table)
  useDatabase(endpoint, table, holdBack)
}

const WITHOUT_ENGINE =
  'set DYNAMODB_ENDPOINT=http://127.0.0.1:8000 and run Amazon\'s DynamoDB Local there: "docker run -p 8000:8000 amazon/dynamodb-local"'

/** Throws CommandError that says how to install a missing engine or to do without it. */
const startOwnEngine = async (dataDir?: string, options?: EngineOptions): Promise<Engine> => {
  try {
    return await startEngine(dataDir, options)
  } catch (error) {
    if (!(error instanceof MissingEngineError)) throw error
    const install = error.installable ? 'run "npm ci --include=optional", or ' : ''
    throw new CommandError(`${error.message}; ${install}${WITHOUT_ENGINE}`, { cause: error })
  }
}

/** At the endpoint of the settings or, without one, on an engine that it starts. Throws CommandError. */
export const openDatabase = async (settings: LocalSettings, options?: EngineOptions): Promise<Stoppable> => {
  const { dataDir, endpoint, enginePort, table } = settings
  const isShared = endpoint !== undefined || enginePort !== undefined
  const { holdBack = isShared ? HOLD_BACK_SECONDS : 0 } = settings
  const engine = endpoint ? undefined : await startOwnEngine(dataDir, options)
  const stop = async () => engine?.stop()
  try {
    await prepareTable(endpoint ?? engine!.endpoint, table, holdBack)
  } catch (error) {
    await stop()
    throw error
  }
  return { engine, stop }
}

export interface CommandDatabase {
  /** For messages; undefined if DYNAMODB_ENDPOINT names it. */
  readonly location: string | undefined
  /**
   * How many milliseconds a request may still use an application's keys as they are now. Undefined if
   * programs other than one local service may write to the database.
   */
  readonly requestMillis: number | undefined
  close(): Promise<void>
}

/** Undefined if no service runs on the data folder. */
const openShared = async (dataDir: string): Promise<CommandDatabase | undefined> => {
  const service = await runningService(dataDir)
  if (!service) return undefined
  const { endpoint, table, base_url, key_cache_millis: cacheMillis } = service
  await prepareTable(endpoint, table)
  return {
    location: `the database of the service at ${base_url}`,
    requestMillis: cacheMillis === undefined ? undefined : cacheMillis + FUNCTION_TIMEOUT_MILLIS,
    close: async () => undefined,
  }
}

/** While other commands use the data folder. */
const LOCK_TIMEOUT_MILLIS = 30_000

/**
 * The database of the service that runs on the data folder or, without one, of an engine that runs as long as
 * the command. Waits up to 30 s while another command uses the folder. Throws CommandError.
 */
export const openForCommand = async (settings: LocalSettings): Promise<CommandDatabase> => {
  const { endpoint, dataDir = '' } = settings
  const deadline = performance.now() + LOCK_TIMEOUT_MILLIS
  for (;;) {
    const running = endpoint ? undefined : await openShared(dataDir)
    if (running) return running
    try {
      const { stop } = await openDatabase(settings, { lockMillis: 0 })
      return endpoint
        ? { location: undefined, requestMillis: undefined, close: stop }
        : { location: `${engineFile(dataDir)}, which no service uses now`, requestMillis: 0, close: stop }
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error
    }
    // Another command or a service that is just starting has locked the folder.
    await pause(50)
  }
}
