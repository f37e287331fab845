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
import { UsageError } from '../cli/command.ts'
import { type Options, parseOptions } from '../cli/options.ts'
import { printableJson } from '../cli/printable.ts'
import { countDown, progress, type Waiting } from '../cli/progress.ts'
import { type Input, readSecret } from '../cli/secret.ts'
import { numberFrom, withoutKey } from '../cli/setting-values.ts'
import { synopsis } from '../cli/usage.ts'
import { onTable, type TableOptions, tableOptions } from './command-table.ts'
import { removeApplication } from './remove.ts'

/** The options that have been given, as the parsers of their values return them. */
interface Given {
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
  readonly options: Readonly<Record<string, { readonly value?: ValueName; readonly isRequired?: true }>>
  readonly summary: string
  /** Throws UsageError if the options contradict each other. */
  readonly check?: (given: Given) => void
  readonly run: (given: Given, waiting: Waiting) => Promise<unknown>
}

const app = { value: 'APP_ID', isRequired: true } as const
const newKey = { expires: { value: 'LIFETIME' }, 'read-only': {} } as const

export const commands: Readonly<Record<string, AppsCommand>> = {
  create: {
    options: { name: { value: 'NAME', isRequired: true }, ...newKey },
    summary: 'creates an application and its first key',
    run: ({ name, expires, 'read-only': isReadOnly }) =>
      createApplication(name, { lifetime: expires, identity: newIdentity({ isReadOnly }) }),
  },
  list: { options: {}, summary: 'shows all applications, oldest first', run: listApplications },
  disable: {
    options: { app },
    summary: 'disables all keys of an application, within 60 seconds',
    run: ({ app: id }) => disableApplication(id),
  },
  enable: {
    options: { app },
    summary: 'enables them again, except revoked and expired ones',
    run: ({ app: id }) => enableApplication(id),
  },
  scale: {
    options: { app, shards: { value: 'SHARDS', isRequired: true } },
    summary: 'spreads each list over more partitions, for more writes',
    run: ({ app: id, shards }, waiting) =>
      scaleApplication(id, shards, (millis) =>
        countDown(waiting.requestMillis ?? millis, 'creates use the new shards in', waiting),
      ),
  },
  keys: {
    options: { app },
    summary: 'shows the keys of an application: ids and last characters',
    run: ({ app: id }) => listApiKeys(id),
  },
  rotate: {
    options: { app, ...newKey },
    summary: 'adds a key; the other keys keep working',
    run: ({ app: id, expires, 'read-only': isReadOnly }) =>
      addApiKey(id, { lifetime: expires, apiKey: newApiKey({ isReadOnly }) }),
  },
  revoke: {
    options: { app, key: { value: 'KEY_ID', isRequired: true } },
    summary: 'revokes a key for good, within 60 seconds',
    run: ({ app: id, key }) => revokeApiKey(id, key),
  },
  find: {
    options: { key: { value: 'KEY', isRequired: true } },
    summary: 'shows the application and the id of a key',
    run: ({ key }) => findApiKey(key),
  },
  remove: {
    options: { app, confirm: { value: 'APP_ID', isRequired: true }, 'keep-application': {} },
    summary: 'deletes all data, and the application',
    check: ({ app: id, confirm }) => {
      if (confirm !== id) throw new UsageError('--confirm must be the same as --app')
    },
    run: ({ app: id, 'keep-application': keepApplication = false }, waiting) =>
      removeApplication(id, { keepApplication, ...waiting }),
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
const parsers = {
  NAME: nameIn,
  APP_ID: appIdIn,
  KEY_ID: keyIdIn,
  KEY: keyIn,
  LIFETIME: lifetimeIn,
  SHARDS: shardsIn,
} satisfies Record<string, (text: string, input: Input) => unknown>
type ValueName = keyof typeof parsers

const describedOptions = ({ options }: AppsCommand): Options =>
  Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { ...option, about: '' }]))

const synopses = Object.entries(commands).map(
  ([name, appsCommand]) => `${name.padEnd(7)} ${synopsis(describedOptions(appsCommand))}`,
)
const width = Math.max(...synopses.map(({ length }) => length))
const lines = Object.values(commands).map(
  ({ summary }, index) => `  ${synopses[index]!.padEnd(width)}   ${summary}`,
)

export const appsUsage = `usage: npm run apps -- COMMAND [OPTIONS] [--table TABLE [--region REGION]]

${lines.join('\n')}

Uses the table of the local engine or, with --table, a deployed one. Prints JSON.

NAME      a name for the application
SHARDS    the partitions that hold each list, from 1 to 64; never fewer than before
LIFETIME  how long the new key works, in hours or days, such as 12h or 90d; without it, until it is revoked
KEY       an API key; "-" asks for it, or reads it from a pipe, which keeps it out of the shell's history

A key is shown only when it is created. A key created with --read-only can only send GET requests, which also read
personal data. A new key of a disabled application is refused until the application is enabled. A command that fails or
is interrupted can be run again. The keys of an application are changed together; if it has more than 99, the command
prints how many are left. "scale" makes lists read the new shards, waits 90 seconds until all lists do, and then makes
creates use them. "remove" makes the service refuse the keys, waits 76 seconds until no key works anywhere, deletes the
data, and five minutes later deletes what delayed requests have recorded since. Until it has finished, no command
enables the application. With --keep-application, the empty application and its keys stay. If only one local service
uses the database, both commands wait only seven seconds, until the requests in progress have ended.`

/** Parses the arguments of a command, each value by its parser. Throws UsageError, or an error of parseArgs. */
const parse = async (appsCommand: AppsCommand, args: readonly string[], input: Input) => {
  const { options, check } = appsCommand
  const { values } = parseOptions(args, { ...describedOptions(appsCommand), ...tableOptions })
  const { table, region, ...texts } = values as TableOptions &
    Readonly<Record<string, string | boolean | undefined>>
  const given: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(texts)) {
    const parser = options[name]?.value
    given[name] = typeof text === 'string' && parser ? await parsers[parser](text, input) : text
  }
  const checked = given as unknown as Given
  check?.(checked)
  return { given: checked, table: { table, region } }
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
  const chosen = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!chosen) throw new UsageError(`"${name}" is not a command of apps`)
  const { given, table } = await parse(chosen, args, input)
  const { show, end } = progress()
  const result = await onTable(table, env, (requestMillis) =>
    chosen.run(given, { show, wait, requestMillis }).finally(end),
  )
  return printableJson(result)
}
