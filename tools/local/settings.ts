import { join } from 'node:path'

/** How the local service runs; the only place that reads its environment and arguments. */
export interface LocalSettings {
  /** The address to listen on, or a name of it. */
  readonly host: string
  readonly port: number
  readonly enginePort: number
  /** Where the engine's file and the demo application's key are kept; undefined keeps everything in memory. */
  readonly dataDir: string | undefined
  /** Another DynamoDB endpoint, instead of an engine of our own. */
  readonly endpoint: string | undefined
  readonly table: string
  /** Whether the demo application begins with the scenario in it. */
  readonly scenario?: boolean
}

/** A fault of how the service was started, told in one line. */
export class StartError extends Error {}

const portFrom = (name: string, text: string | undefined, fallback: number): number => {
  if (text === undefined || text === '') return fallback
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new StartError(`${name} must be a port number from 0 to 65535 (got "${text}")`)
  return port
}

const endpointFrom = (text: string | undefined): string | undefined => {
  if (text === undefined || text === '') return undefined
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new StartError(`DYNAMODB_ENDPOINT must be an address such as http://localhost:8000 (got "${text}")`)
}

/** Reads HOST, PORT, DYNAMODB_PORT, DATA_DIR, DYNAMODB_ENDPOINT and `--memory`, `--scenario`; throws StartError for anything else. */
export const localSettings = (env: NodeJS.ProcessEnv, args: readonly string[] = []): LocalSettings => {
  const unknown = args.find((arg) => arg !== '--memory' && arg !== '--scenario')
  if (unknown !== undefined)
    throw new StartError(`unknown argument "${unknown}"; there are --memory and --scenario`)
  return {
    host: env.HOST || '127.0.0.1',
    port: portFrom('PORT', env.PORT, 3000),
    enginePort: portFrom('DYNAMODB_PORT', env.DYNAMODB_PORT, 8000),
    dataDir: args.includes('--memory') ? undefined : env.DATA_DIR || '.local',
    endpoint: endpointFrom(env.DYNAMODB_ENDPOINT),
    table: env.TABLE_NAME || 'billing',
    scenario: args.includes('--scenario'),
  }
}

/** The engine's file in a data directory. */
export const engineFile = (dataDir: string): string => join(dataDir, 'billing.db')
