import { join } from 'node:path'
import { HOLD_BACK_SECONDS } from '../../shared/config.ts'

/** The settings of the local service, from its environment and arguments. */
export interface LocalSettings {
  /** The address or host name to listen on. */
  readonly host: string
  readonly port: number
  /** The port at which other programs can use the engine; none if undefined. */
  readonly enginePort: number | undefined
  /** The folder of the engine's database and of the demo application's key; undefined keeps both in memory. */
  readonly dataDir: string | undefined
  /** The address of a running DynamoDB engine. If undefined, the service starts its own. */
  readonly endpoint: string | undefined
  readonly table: string
  /** For how many seconds changes are held back. By default as in a deployment if others may write to the table, otherwise 0. */
  readonly holdBack?: number | undefined
  /** Whether to seed the demo application with the scenario. */
  readonly scenario?: boolean
}

/** The usage of `npm start`. */
export const localUsage = `usage: npm start [-- OPTIONS]

Runs the Billing Data API on this machine and logs each request.

  --memory    keeps nothing: all data are in memory
  --scenario  fills the demo application with 24 customers over 24 months
  --help      shows this

Reads from the environment:
  HOST               the address to listen on (default: 127.0.0.1); 0.0.0.0 lets other machines connect
  PORT               the port of the service (default: 3000)
  DATA_DIR           the folder for data (default: .local)
  DYNAMODB_PORT      opens the database engine to other programs, on 127.0.0.1
  DYNAMODB_ENDPOINT  another DynamoDB endpoint, in place of the embedded engine
  HOLD_BACK_SECONDS  how long changed_since holds changes back (default: 0; ${HOLD_BACK_SECONDS} with one of the two above)
  CORS_ORIGIN        the origin whose pages may call the service from a browser, or "*"`

/** An error that the user can fix. The message is one line without a period. */
export class StartError extends Error {}

/** Returns a port from 0 to 65535. Throws StartError that names the setting `name` for any other text. */
export const portFrom = (name: string, text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new StartError(`${name} must be a port number from 0 to 65535 (got "${text}")`)
  return port
}

const endpointFrom = (text: string | undefined): string | undefined => {
  if (text === undefined || text === '') return undefined
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new StartError(`DYNAMODB_ENDPOINT must be an address such as http://localhost:8000 (got "${text}")`)
}

const holdBackFrom = (text: string | undefined): number | undefined => {
  if (!text) return undefined
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (seconds <= 3_600) return seconds
  throw new StartError(`HOLD_BACK_SECONDS must be a number of seconds from 0 to 3600 (got "${text}")`)
}

/**
 * Reads the settings from `env`, where an empty variable counts as absent, and the flags `--memory` and `--scenario` from `args`.
 * Throws StartError for an invalid setting or any other argument.
 */
export const localSettings = (env: NodeJS.ProcessEnv, args: readonly string[] = []): LocalSettings => {
  const unknown = args.find((arg) => arg !== '--memory' && arg !== '--scenario')
  if (unknown !== undefined)
    throw new StartError(`unknown argument "${unknown}"; known are: --memory, --scenario, --help`)
  return {
    host: env.HOST || '127.0.0.1',
    port: portFrom('PORT', env.PORT || '3000'),
    enginePort: env.DYNAMODB_PORT ? portFrom('DYNAMODB_PORT', env.DYNAMODB_PORT) : undefined,
    dataDir: args.includes('--memory') ? undefined : env.DATA_DIR || '.local',
    endpoint: endpointFrom(env.DYNAMODB_ENDPOINT),
    table: env.TABLE_NAME || 'billing',
    holdBack: holdBackFrom(env.HOLD_BACK_SECONDS),
    scenario: args.includes('--scenario'),
  }
}

/** The engine's database file in a data folder. */
export const engineFile = (dataDir: string): string => join(dataDir, 'billing.db')
