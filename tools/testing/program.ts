import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { setLogSink } from '../../shared/log.ts'
import { StartError } from '../local/settings.ts'
import { checkedBeginning } from './check.ts'
import { serveParent } from './child.ts'
import { controls } from './control.ts'
import { type Host, type HostOptions, startHost } from './host.ts'
import { parentEnded } from './parent.ts'

const usage = `usage: billing-data-api [options]

Runs the Billing Data API in memory, for tests. Prints one line of JSON when it is ready: base_url, app_id,
api_key, control_url. Writes a line for each request to standard error. Ends with the process that started it.

  --port N     the port to listen on; a free one if not given
  --host NAME  the address to listen on; 127.0.0.1 if not given
  --seed FILE  JSON: {"products": [...], "prices": [...], "customers": [...], "discounts": [...], "invoices": [...]},
               bodies of creates; or "scenario": 24 customers over 24 months
  --now DATE   the clock stands still here
  --memory     keep everything in memory, which is so anyway
  --help       show this`

const flags = {
  port: { type: 'string', default: '0' },
  host: { type: 'string', default: '127.0.0.1' },
  seed: { type: 'string' },
  now: { type: 'string' },
  memory: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const seedFrom = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new StartError(`the seed "${file}" cannot be read: ${(cause as Error).message}`, { cause })
  }
}

/** The options in a command line, or undefined where it asks for help; throws for any other than those in `usage`. */
const optionsFrom = (args: readonly string[]): HostOptions | undefined => {
  const { port, host, seed, now, help } = parseArgs({ args: [...args], options: flags }).values
  if (help) return undefined
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new StartError(`--port must be a number from 0 to 65535 (got "${port}")`)
  const beginning = checkedBeginning({
    now,
    ...(seed === undefined ? {} : { seed: seed === 'scenario' ? seed : seedFrom(seed) }),
  })
  return { ...beginning, port: Number(port), host }
}

const endWith = (host: Host, parent: Promise<void>): void => {
  let ending = false
  const end = async (code: number) => {
    if (ending) process.exit(1)
    ending = true
    await host.stop()
    process.exit(code)
  }
  process.on('SIGINT', () => void end(0)).on('SIGTERM', () => void end(0))
  void parent.then(() => end(0))
  host.engine.ended.then(() => {
    if (ending) return
    console.error('billing-data-api: the DynamoDB engine has stopped')
    process.exit(1)
  })
}

/** Runs the test service: for the process that forked this one, or from the command line. */
export const main = async (args: readonly string[]): Promise<void> => {
  if (args[0] === '--ipc') return serveParent()
  try {
    const options = optionsFrom(args)
    if (!options) return console.log(usage)
    const parent = parentEnded()
    setLogSink((line) => void process.stderr.write(`${line}\n`))
    const host = await startHost(options)
    endWith(host, parent)
    console.log(JSON.stringify(controls.access(host)))
  } catch (error) {
    const { details, message } = error as { details?: readonly string[]; message: string }
    console.error(`billing-data-api: ${details?.join(' ') ?? message}`)
    process.exitCode = 1
  }
}
