import { parseArgs } from 'node:util'
import { HOLD_BACK_SECONDS } from '../../shared/config.ts'
import { addressFrom, numberFrom, originFrom, UsageError } from '../cli/command.ts'

export const MAX_PORT = 65_535

/** The settings of the local service, from its environment and arguments. */
export interface LocalSettings {
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
  /** Whether to record the demo business in a demo application that existed before, too. */
  readonly scenario?: boolean
  /** Whether to leave a new demo application empty. */
  readonly empty?: boolean
}

export const localUsage = `usage: npm start [-- OPTIONS]

Runs the Billing Data API on this machine and logs each request. The first start creates a demo application and records a demo
business in it: about 120 customers over 36 months. Later starts record what has been due since then.

  --memory    keeps nothing: all data are in memory
  --empty     leaves the demo application as it is: empty at the first start
  --scenario  records the demo business also in a demo application that existed before
  --help      shows this

Reads from the environment:
  HOST               the address to listen on (default: 127.0.0.1); 0.0.0.0 lets other machines connect
  PORT               the port of the service (default: 3000)
  DATA_DIR           the folder for data (default: .local)
  DYNAMODB_PORT      opens the database engine to other programs, on 127.0.0.1
  DYNAMODB_ENDPOINT  another DynamoDB endpoint, in place of the embedded engine
  HOLD_BACK_SECONDS  how long changed_since holds changes back (default: 0; ${HOLD_BACK_SECONDS} with one of the two above)
  CORS_ORIGIN        the origin whose pages may call the service from a browser, or "*"`

const flag = { type: 'boolean', default: false } as const

/**
 * Reads the settings from `env`, where an empty variable counts as absent, and the flags from `args`. Throws UsageError for an
 * invalid setting, or an error of parseArgs.
 */
export const localSettings = (env: NodeJS.ProcessEnv, args: readonly string[] = []): LocalSettings => {
  const { memory, scenario, empty } = parseArgs({
    args: [...args],
    options: { memory: flag, scenario: flag, empty: flag },
  }).values
  if (scenario && empty) throw new UsageError('--scenario and --empty exclude each other')
  // The service itself reads it.
  if (env.CORS_ORIGIN) originFrom('CORS_ORIGIN', env.CORS_ORIGIN)
  return {
    host: env.HOST || '127.0.0.1',
    port: numberFrom('PORT', env.PORT || '3000', 0, MAX_PORT),
    enginePort: env.DYNAMODB_PORT ? numberFrom('DYNAMODB_PORT', env.DYNAMODB_PORT, 0, MAX_PORT) : undefined,
    dataDir: memory ? undefined : env.DATA_DIR || '.local',
    endpoint: env.DYNAMODB_ENDPOINT ? addressFrom('DYNAMODB_ENDPOINT', env.DYNAMODB_ENDPOINT) : undefined,
    table: env.TABLE_NAME || 'billing',
    holdBack: env.HOLD_BACK_SECONDS
      ? numberFrom('HOLD_BACK_SECONDS', env.HOLD_BACK_SECONDS, 0, 3_600)
      : undefined,
    scenario,
    empty,
  }
}
