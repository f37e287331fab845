import { parseArgs } from 'node:util'
import { ApiError } from '../errors.ts'
import {
  addApiKey,
  createApplication,
  listApiKeys,
  listApplications,
  revokeApiKey,
} from '../store/applications.ts'
import { isListening } from './engine.ts'
import { openDatabase, prepareTable } from './service.ts'
import { localSettings, StartError } from './settings.ts'

const usage = `usage: apps create --name NAME | list | rotate --app ID | keys --app ID | revoke --app ID --key KEYID
       on the local engine, or with --table NAME [--region REGION] on a deployed table`

type Options = Readonly<Record<string, string | undefined>>

const need = (options: Options, name: string): string => {
  const value = options[name]
  if (!value) throw new StartError(`--${name} is missing\n${usage}`)
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
    const [command = '', ...more] = positionals
    if (!Object.hasOwn(commands, command) || more.length > 0) throw new StartError(usage)
    const { takes } = commands[command]!
    const stray = Object.keys(values).find((name) => ![...takes, 'table', 'region'].includes(name))
    if (stray) throw new StartError(`"apps ${command}" does not take --${stray}\n${usage}`)
    if (values.region && !values.table) throw new StartError(`--region goes with --table\n${usage}`)
    for (const name of takes) need(values as Options, name)
    return { command, options: values as Options }
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`${(error as Error).message.split('. ')[0]}\n${usage}`, { cause: error })
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

/** What went wrong, as a person can use it: the reason that lies behind a busy or broken database. */
const told = (error: unknown): unknown => {
  if (!(error instanceof ApiError)) return error
  const { message } = (error.cause ?? error) as Error
  return new StartError(`the table cannot be used: ${message.split('\n')[0]}`, { cause: error })
}

/** Runs one command of the operator's tool and returns what it prints: JSON. Throws an error with one human line. */
export const run = async (args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> => {
  const { command, options } = parse(args)
  if (options.table) useDeployed(options.table, options.region, env)
  const close = options.table ? undefined : await openLocal(env)
  try {
    return JSON.stringify(await commands[command]!.run(options), null, 2)
  } catch (error) {
    throw told(error)
  } finally {
    await close?.()
  }
}
