import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { ApiError } from '../../shared/errors.ts'
import { CommandError, runCommand } from '../cli/command.ts'
import { type Options, parseOptions } from '../cli/options.ts'
import { numberFrom, originFrom } from '../cli/setting-values.ts'
import { optionList, synopsis } from '../cli/usage.ts'
import { exitWith } from '../local/exit.ts'
import { MAX_PORT } from '../local/settings.ts'
import { type ParsedState, parseInitialState } from './control-bodies.ts'
import { startDouble } from './double.ts'
import { parentEnded } from './parent-process.ts'

const NAME = 'billing-data-api'

const options = {
  port: { value: 'N', about: 'the port to listen on; by default, a free one' },
  host: { value: 'NAME', about: 'the address to listen on', default: '127.0.0.1' },
  seed: {
    value: 'FILE',
    about:
      'JSON: {"products": [...], "prices": [...], "customers": [...], "discounts": [...], "invoices": [...]}, request bodies to create; "-" reads standard input, "scenario" is an invented business of about 120 customers over 36 months',
  },
  now: { value: 'DATE', about: 'stops the clock at this time' },
  'cors-origin': {
    value: 'ORIGIN',
    about: 'the origin whose pages may call the service from a browser, or "*"',
  },
  quiet: { about: 'logs only requests that fail with a 5xx' },
  memory: { about: 'the default: all data are in memory' },
} as const satisfies Options

const usage = `usage: ${NAME} ${synopsis(options)}

Runs the Billing Data API in memory, for tests. Prints one line of JSON when it is ready: base_url, app_id, api_key,
read_only_api_key, control_url. Logs each request to standard error. Ends with the process that started it.
"${NAME} import --help" shows how to import data into a service.

${optionList(options)}`

/** From standard input for `-`. Throws CommandError if the file cannot be read or is not JSON. */
const readSeed = async (file: string | undefined): Promise<unknown> => {
  if (file === undefined || file === 'scenario') return file
  try {
    return JSON.parse(file === '-' ? await text(process.stdin) : readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new CommandError(`cannot read the seed "${file}": ${(cause as Error).message}`, { cause })
  }
}

/** Throws CommandError with all problems. */
const initialStateFrom = (body: unknown): ParsedState => {
  try {
    return parseInitialState(body)
  } catch (error) {
    throw error instanceof ApiError ? new CommandError(error.details.join(' '), { cause: error }) : error
  }
}

const run = async (args: readonly string[]): Promise<void> => {
  const { port = '0', host, seed, now, quiet, 'cors-origin': origin } = parseOptions(args, options).values
  // A developer's own service reads this variable from the environment. Tests must not depend on it.
  process.env.CORS_ORIGIN = origin === undefined ? '' : originFrom('--cors-origin', origin)
  const state = initialStateFrom({ now, seed: await readSeed(seed) })
  const address = { host, port: numberFrom('--port', port, 0, MAX_PORT) }
  const parent = parentEnded()
  const log = (line: string): void => {
    const { level } = JSON.parse(line) as { readonly level: string }
    if (!quiet || level === 'error') process.stderr.write(`${line}\n`)
  }
  const double = await startDouble({ ...state, ...address, log })
  void parent.then(exitWith(double, NAME))
  console.log(JSON.stringify(double.access))
}

export const testDoubleMain = (args: readonly string[]): Promise<void> =>
  runCommand({ name: NAME, usage, misuse: 1, run }, args)
