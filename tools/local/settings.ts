import { HOLD_BACK_SECONDS } from '../../shared/config.ts'
import { UsageError } from '../cli/command.ts'
import { type Options, parseOptions } from '../cli/options.ts'
import { numberFrom, originFrom, urlFrom } from '../cli/setting-values.ts'
import { optionList, synopsis, termList } from '../cli/usage.ts'

export const MAX_PORT = 65_535

export interface LocalSettings {
  readonly host: string
  readonly port: number
  /** Opens the engine to other programs. */
  readonly enginePort: number | undefined
  /** Undefined keeps the database and the demo application's key in memory. */
  readonly dataDir: string | undefined
  /** If undefined, the service starts its own engine. */
  readonly endpoint: string | undefined
  readonly table: string
  /** By default as in a deployment if others may write to the table, otherwise 0. */
  readonly holdBack?: number | undefined
  /** Records the demo business in a demo application that existed before, too. */
  readonly scenario?: boolean
  /** Leaves a new demo application empty. */
  readonly empty?: boolean
}

const options = {
  memory: { about: 'keeps nothing: all data are in memory' },
  empty: { about: 'leaves the demo application as it is: empty at the first start' },
  scenario: { about: 'records the demo business also in a demo application that existed before' },
} as const satisfies Options

const variables = {
  HOST: {
    about: 'the address to listen on; 0.0.0.0 lets other machines connect',
    default: '127.0.0.1',
  },
  PORT: { about: 'the port of the service', default: '3000' },
  DATA_DIR: { about: 'the folder for data', default: '.local' },
  DYNAMODB_PORT: { about: 'opens the database engine to other programs, on 127.0.0.1' },
  DYNAMODB_ENDPOINT: { about: 'another DynamoDB endpoint, in place of the embedded engine' },
  HOLD_BACK_SECONDS: {
    about: `how long changed_since holds changes back (default: 0; ${HOLD_BACK_SECONDS} with DYNAMODB_PORT or DYNAMODB_ENDPOINT)`,
  },
  CORS_ORIGIN: { about: 'the origin whose pages may call the service from a browser, or "*"' },
} as const

export const localUsage = `usage: npm start -- ${synopsis(options)}

Runs the Billing Data API on this machine and logs each request. The first start creates a demo application and records a demo
business in it: about 120 customers over 36 months. Later starts record what has been due since then.

${optionList(options)}

Reads from the environment:
${termList(variables)}`

/** An empty variable counts as absent. Throws UsageError. */
export const localSettings = (env: NodeJS.ProcessEnv, args: readonly string[] = []): LocalSettings => {
  const { memory, scenario, empty } = parseOptions(args, options).values
  if (scenario && empty) throw new UsageError('--scenario and --empty exclude each other')
  // Only checked here, because the service reads the variable itself.
  if (env.CORS_ORIGIN) originFrom('CORS_ORIGIN', env.CORS_ORIGIN)
  return {
    host: env.HOST || variables.HOST.default,
    port: numberFrom('PORT', env.PORT || variables.PORT.default, 0, MAX_PORT),
    enginePort: env.DYNAMODB_PORT ? numberFrom('DYNAMODB_PORT', env.DYNAMODB_PORT, 0, MAX_PORT) : undefined,
    dataDir: memory ? undefined : env.DATA_DIR || variables.DATA_DIR.default,
    endpoint: env.DYNAMODB_ENDPOINT ? urlFrom('DYNAMODB_ENDPOINT', env.DYNAMODB_ENDPOINT) : undefined,
    table: env.TABLE_NAME || 'billing',
    holdBack: env.HOLD_BACK_SECONDS
      ? numberFrom('HOLD_BACK_SECONDS', env.HOLD_BACK_SECONDS, 0, 3_600)
      : undefined,
    scenario,
    empty,
  }
}
