import { parseArgs } from 'node:util'
import { isApiKey, isApplicationId, newApiKey } from '../../shared/store/credentials.ts'
import { addApiKey, findApiKey, listApiKeys, revokeApiKey } from '../applications/api-keys.ts'
import {
  createApplication,
  disableApplication,
  enableApplication,
  listApplications,
  MAX_SHARDS,
  scaleApplication,
} from '../applications/applications.ts'
import { newIdentity } from '../applications/items.ts'
import { type Input, readSecret } from '../cli/access.ts'
import { numberFrom, printableJson, UsageError, withoutKey } from '../cli/command.ts'
import { countDown, progress, type Waiting } from '../cli/progress.ts'
import { onTable, type TableOptions } from './command-table.ts'
import { removeApplication } from './remove.ts'

interface Options {
  readonly name: string
  readonly app: string
  readonly key: string
  /** Milliseconds. */
  readonly expires?: number | undefined
  readonly shards: number
  readonly confirm?: string
  readonly 'keep-application'?: boolean
  readonly 'read-only'?: boolean
}

interface AppsCommand {
  /** The options and their values as in the usage, optional ones in brackets. */
  readonly options: string
  readonly does: string
  /** Throws UsageError if the options contradict each other. */
  readonly check?: (options: Options) => void
  readonly run: (options: Options, waiting: Waiting) => Promise<unknown>
}

export const commands: Readonly<Record<string, AppsCommand>> = {
  create: {
    options: '--name NAME [--expires LIFETIME] [--read-only]',
    does: 'creates an application and its first key',
    run: ({ name, expires, 'read-only': isReadOnly }) =>
      createApplication(name, { lifetime: expires, identity: newIdentity({ isReadOnly }) }),
  },
  list: { options: '', does: 'shows all applications, oldest first', run: listApplications },
  disable: {
    options: '--app APP_ID',
    does: 'disables all keys of an application, within 60 seconds',
    run: ({ app }) => disableApplication(app),
  },
  enable: {
    options: '--app APP_ID',
    does: 'enables them again, except revoked and expired ones',
    run: ({ app }) => enableApplication(app),
  },
  scale: {
    options: '--app APP_ID --shards SHARDS',
    does: 'spreads each list over more partitions, for more writes',
    run: ({ app, shards }, waiting) =>
      scaleApplication(app, shards, (millis) =>
        countDown(waiting.requestMillis ?? millis, 'creates use the new shards in', waiting),
      ),
  },
  keys: {
    options: '--app APP_ID',
    does: 'shows the keys of an application: ids and last characters',
    run: ({ app }) => listApiKeys(app),
  },
  rotate: {
    options: '--app APP_ID [--expires LIFETIME] [--read-only]',
    does: 'adds a key; the other keys keep working',
    run: ({ app, expires, 'read-only': isReadOnly }) =>
      addApiKey(app, { lifetime: expires, apiKey: newApiKey({ isReadOnly }) }),
  },
  revoke: {
    options: '--app APP_ID --key KEY_ID',
    does: 'revokes a key for good, within 60 seconds',
    run: ({ app, key }) => revokeApiKey(app, key),
  },
  find: {
    options: '--key KEY',
    does: 'shows the application and the id of a key',
    run: ({ key }) => findApiKey(key),
  },
  remove: {
    options: '--app APP_ID --confirm APP_ID [--keep-application]',
    does: 'deletes all data, and the application',
    check: ({ app, confirm }) => {
      if (confirm !== app) throw new UsageError('--confirm must be the same as --app')
    },
    run: ({ app, 'keep-application': keepApplication = false }, waiting) =>
      removeApplication(app, { keepApplication, ...waiting }),
  },
}

const UNIT_MILLIS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 }

const lifetimeIn = (text: string): number => {
  const [, count, unit = ''] = /^([1-9]\d{0,3})([hd])$/.exec(text) ?? []
  if (!count)
    throw new UsageError(`--expires must be a number of hours or days, such as 12h or 90d (got "${text}")`)
  return Number(count) * UNIT_MILLIS[unit]!
}

const shardsIn = (text: string): number => numberFrom('--shards', text, 1, MAX_SHARDS)

const nameIn = (text: string): string => withoutKey('--name', text)

// The messages do not quote the text: it may be a key. Nor may one reach the table, which logs can record.
const appIdIn = (text: string): string => {
  if (isApplicationId(text)) return text
  throw new UsageError(
    '--app must be the id of an application, such as app_0123456789abcdef; "apps list" shows them',
  )
}
const keyIdIn = (text: string): string => {
  if (/^key_[0-9a-f]{16}$/.test(text)) return text
  throw new UsageError('--key must be the id of a key, such as key_0123456789abcdef; "apps keys" shows them')
}
const keyIn = async (text: string, input: Input): Promise<string> => {
  const key = text === '-' ? await readSecret('API key', input) : text
  if (isApiKey(key)) return key
  throw new UsageError(
    '--key must be a whole API key: "bdk_" or "bdr_", and 40 characters, of which the last are a checksum',
  )
}

/** The parsers of option values, by their names in the usage. */
const values = {
  NAME: nameIn,
  APP_ID: appIdIn,
  KEY_ID: keyIdIn,
  KEY: keyIn,
  LIFETIME: lifetimeIn,
  SHARDS: shardsIn,
} satisfies Record<string, (text: string, input: Input) => unknown>

const synopses = Object.entries(commands).map(([name, { options }]) => `${name.padEnd(7)} ${options}`)
const width = Math.max(...synopses.map(({ length }) => length))
const lines = Object.values(commands).map(
  ({ does }, index) => `  ${synopses[index]!.padEnd(width)}   ${does}`,
)

export const appsUsage = `usage: npm run apps -- COMMAND [OPTIONS] [--table TABLE [--region REGION]]

${lines.join('\n')}

Uses the table of the local engine or, with --table, a deployed one. Prints JSON.

NAME      a name for the application
SHARDS    the partitions that hold each list, from 1 to 64; never fewer than before
LIFETIME  how long the new key works, in hours or days, such as 12h or 90d; without it, until it is revoked
KEY       an API key; "-" asks for it, or reads it from a pipe, which keeps it out of the shell's history

A key is shown only when it is created. With --read-only it may send GET requests alone, which read personal data too.
The new key of a disabled application is refused until the application is enabled. A command that fails or is
interrupted can be run again. All keys are changed together, up to 99; of more, the command says how many are left.
"scale" lets lists read the new shards, waits 90 seconds until all do, and lets creates use them. "remove" refuses the
keys, waits 76 seconds until none of them works anywhere, deletes, and five minutes later deletes what delayed
requests have recorded. Until it has finished, no command enables the application. With --keep-application the empty
application and its keys stay. Where one local service alone uses its database, both wait seven seconds, until the
requests under way have ended.`

const optionsOf = ({ options }: AppsCommand) =>
  [...options.matchAll(/(\[?)--([\w-]+)(?: (\w+))?/g)].map(([, bracket, name, value]) => ({
    name: name as string,
    isRequired: bracket === '',
    /** Absent for an option without a value. */
    read: value === undefined ? undefined : values[value as keyof typeof values],
  }))

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

const parse = async (command: AppsCommand, args: readonly string[], input: Input) => {
  const options = optionsOf(command)
  const types = Object.fromEntries(options.map(({ name, read }) => [name, read ? text : flag]))
  const parsed = parseArgs({ args: [...args], options: { ...types, table: text, region: text } })
  const { table, region, ...texts } = parsed.values as Readonly<Record<string, string | true | undefined>>
  const found: Record<string, unknown> = {}
  for (const { name, isRequired, read } of options) {
    const given = texts[name]
    if (isRequired && !given) throw new UsageError(`--${name} is missing`)
    if (given !== undefined) found[name] = read ? await read(given as string, input) : given
  }
  const checked = found as unknown as Options
  command.check?.(checked)
  return { options: checked, table: { table, region } as TableOptions }
}

/**
 * Runs a command, which may read a key from `input` and wait by `wait`. Returns JSON to print. Throws UsageError,
 * CommandError, or an error of parseArgs.
 */
export const run = async (
  [name, ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  input: Input = process.stdin,
  wait?: Waiting['wait'],
): Promise<string> => {
  if (name === undefined) throw new UsageError('a command is missing')
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(`"${name}" is not a command of apps`)
  const { options, table } = await parse(command, args, input)
  const { tell, end } = progress()
  const result = await onTable(table, env, (requestMillis) =>
    command.run(options, { tell, wait, requestMillis }).finally(end),
  )
  return printableJson(result)
}
