import { parseArgs } from 'node:util'
import { isListening } from '../local/engine.ts'
import { openDatabase, prepareTable } from '../local/service.ts'
import { localSettings } from '../local/settings.ts'
import {
  addApiKey,
  createApplication,
  listApiKeys,
  listApplications,
  revokeApiKey,
} from '../store/applications.ts'
import { plainly, UsageError } from './command.ts'

/** How the command line is called. */
export const appsUsage = `usage: npm run apps -- create --name NAME | list | rotate --app ID | keys --app ID | revoke --app ID --key KEYID
       on the local engine, or with --table NAME [--region REGION] on a deployed table`

type Options = Readonly<Record<string, string | undefined>>

const need = (options: Options, name: string): string => {
  const value = options[name]
  if (!value) throw new UsageError(`--${name} is missing`)
  return value
}

const commands: Readonly<
  Record<string, { readonly takes: readonly string[]; readonly run: (options: Options) => Promise<unknown> }>
> = {
  create: { takes: ['name'], run: (options) => createApplication(need(options, 'name')) },
  list: { takes: [], run: () => listApplications() },
  rotate: { takes: ['app'], run: (options) => addApiKey(need(options, 'app')) },
  keys: { takes: ['app'], run: (options) => listApiKeys(need(options, 'app')) },
  revoke: {
    takes: ['app', 'key'],
    run: (options) => revokeApiKey(need(options, 'app'), need(options, 'key')),
  },
}

const parse = (args: readonly string[]): { command: string; options: Options } => {
  const names = ['name', 'app', 'key', 'table', 'region']
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [command, ...more] = positionals
    if (command === undefined) throw new UsageError('a command is missing')
    if (!Object.hasOwn(commands, command)) throw new UsageError(`"${command}" is not a command of apps`)
    if (more.length > 0) throw new UsageError(`"apps ${command}" does not take "${more[0]}"`)
    const { takes } = commands[command]!
    const stray = Object.keys(values).find((name) => ![...takes, 'table', 'region'].includes(name))
    if (stray) throw new UsageError(`"apps ${command}" does not take --${stray}`)
    if (values.region && !values.table) throw new UsageError('--region goes with --table')
    for (const name of takes) need(values as Options, name)
    return { command, options: values as Options }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError((error as Error).message.split('. ')[0], { cause: error })
  }
}

/** A deployed table is on AWS, whatever engine the environment names for local work. */
const useDeployed = (table: string, region: string | undefined, env: NodeJS.ProcessEnv): void => {
  Object.assign(env, { TABLE_NAME: table, ...(region ? { AWS_REGION: region } : {}) })
  delete env.DYNAMODB_ENDPOINT
}

/** Opens the local table: of the engine that runs already, or of one that runs only for this command. */
const openLocal = async (env: NodeJS.ProcessEnv): Promise<() => Promise<void>> => {
  const settings = localSettings(env)
  if (!settings.endpoint && (await isListening(settings.enginePort))) {
    await prepareTable(`http://127.0.0.1:${settings.enginePort}`, settings.table)
    return async () => undefined
  }
  return (await openDatabase({ ...settings, enginePort: 0 })).stop
}

/** Runs one command of the operator's tool and returns what it prints: JSON. Throws StartError, with one human line. */
export const run = async (args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> => {
  const { command, options } = parse(args)
  if (options.table) useDeployed(options.table, options.region, env)
  const close = options.table ? undefined : await openLocal(env)
  try {
    return JSON.stringify(await commands[command]!.run(options), null, 2)
  } catch (error) {
    throw plainly(error)
  } finally {
    await close?.()
  }
}
