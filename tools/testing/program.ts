import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { ApiError } from '../../shared/errors.ts'
import { CommandError, numberFrom, originFrom, runCommand } from '../cli/command.ts'
import { exitWith } from '../local/exit.ts'
import { MAX_PORT } from '../local/settings.ts'
import { type ParsedState, parseInitialState } from './control-bodies.ts'
import { startDouble } from './double.ts'
import { parentEnded } from './parent-process.ts'

const NAME = 'billing-data-api'

const usage = `usage: ${NAME} [options]

Runs the Billing Data API in memory, for tests. Prints one line of JSON when it is ready: base_url, app_id, api_key,
read_only_api_key, control_url. Logs each request to standard error. Ends with the process that started it.
"${NAME} import --help" shows how to import data into a service.

  --port N     the port to listen on (default: a free one)
  --host NAME  the address to listen on (default: 127.0.0.1)
  --seed FILE  JSON: {"products": [...], "prices": [...], "customers": [...], "discounts": [...], "invoices": [...]},
               request bodies to create; "-" reads standard input, "scenario" is 24 customers over 24 months
  --now DATE   stops the clock at this time
  --cors-origin ORIGIN
               the origin whose pages may call the service from a browser, or "*"
  --quiet      log only requests that fail with a 5xx
  --memory     the default: all data are in memory
  --help       show this`

const flags = {
  port: { type: 'string', default: '0' },
  host: { type: 'string', default: '127.0.0.1' },
  seed: { type: 'string' },
  now: { type: 'string' },
  'cors-origin': { type: 'string' },
  quiet: { type: 'boolean', default: false },
  memory: { type: 'boolean' },
} as const

const seedFrom = async (file: string | undefined): Promise<unknown> => {
  if (file === undefined || file === 'scenario') return file
  try {
    return JSON.parse(file === '-' ? await text(process.stdin) : readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new CommandError(`cannot read the seed "${file}": ${(cause as Error).message}`, { cause })
  }
}

const initialStateFrom = (body: unknown): ParsedState => {
  try {
    return parseInitialState(body)
  } catch (error) {
    throw error instanceof ApiError ? new CommandError(error.details.join(' '), { cause: error }) : error
  }
}

const run = async (args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({ args: [...args], options: flags })
  const { port, host, seed, now, quiet, 'cors-origin': origin } = values
  // The variable is for a developer's own service; tests must not depend on it.
  process.env.CORS_ORIGIN = origin === undefined ? '' : originFrom('--cors-origin', origin)
  const state = initialStateFrom({ now, seed: await seedFrom(seed) })
  const options = { ...state, host, port: numberFrom('--port', port, 0, MAX_PORT) }
  const parent = parentEnded()
  const log = (line: string): void => {
    const { level } = JSON.parse(line) as { readonly level: string }
    if (!quiet || level === 'error')
      process.stderr.write(`${line}
`)
  }
  const double = await startDouble({ ...options, log })
  void parent.then(exitWith(double, NAME))
  console.log(JSON.stringify(double.access))
}

/** Runs the program with the arguments of a command line. */
export const main = (args: readonly string[]): Promise<void> =>
  runCommand({ name: NAME, usage, misuse: 1, run }, args)
