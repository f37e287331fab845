import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { setLogSink } from '../../shared/log.ts'
import { concealKeys } from '../../shared/store/credentials.ts'
import { exitWith } from '../local/exit.ts'
import { portFrom, StartError } from '../local/settings.ts'
import { parseInitialState } from './control-bodies.ts'
import { type DoubleOptions, startDouble } from './double.ts'
import { parentEnded } from './parent-process.ts'

const usage = `usage: billing-data-api [options]

Runs the Billing Data API in memory, for tests. Prints one line of JSON when it is ready: base_url, app_id, api_key,
read_only_api_key, control_url. Logs each request to standard error. Ends with the process that started it.
"billing-data-api import --help" shows how to import data into a service.

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
  help: { type: 'boolean' },
} as const

const seedFrom = async (file: string | undefined): Promise<unknown> => {
  if (file === undefined || file === 'scenario') return file
  try {
    return JSON.parse(file === '-' ? await text(process.stdin) : readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new StartError(`cannot read the seed "${file}": ${(cause as Error).message}`, { cause })
  }
}

/** Parses a command line; undefined for `--help`. Throws for an argument that `usage` does not name. */
const optionsFrom = async (
  args: readonly string[],
): Promise<(DoubleOptions & { quiet: boolean }) | undefined> => {
  const { values } = parseArgs({ args: [...args], options: flags })
  const { port, host, seed, now, quiet, help } = values
  if (help) return undefined
  if (values['cors-origin']) process.env.CORS_ORIGIN = values['cors-origin']
  const address = { port: portFrom('--port', port), host }
  return { ...parseInitialState({ now, seed: await seedFrom(seed) }), ...address, quiet }
}

/** Runs a test double with the options of a command line until it is stopped. */
export const main = async (args: readonly string[]): Promise<void> => {
  try {
    const options = await optionsFrom(args)
    if (!options) return console.log(usage)
    const parent = parentEnded()
    setLogSink((line) => {
      if (!options.quiet || (JSON.parse(line) as { level: string }).level === 'error')
        process.stderr.write(`${line}\n`)
    })
    const double = await startDouble(options)
    void parent.then(exitWith(double, 'billing-data-api: the DynamoDB engine has stopped'))
    console.log(JSON.stringify(double.access))
  } catch (error) {
    const { details, message } = error as { details?: readonly string[]; message: string }
    console.error(concealKeys(`billing-data-api: ${details?.join(' ') ?? message}`))
    process.exitCode = 1
  }
}
