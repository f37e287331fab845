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
import { countDown, type WaitOptions } from '../cli/count-down.ts'
import { type Options, type OptionValues, parseOptions } from '../cli/options.ts'
import { type Input, readSecret } from '../cli/secret.ts'
import { numberFrom, withoutKey } from '../cli/setting-values.ts'
import { type TableOptions, tableOptions } from './command-table.ts'
import { removeApplication } from './remove.ts'

/** On the table. Returns the result to print as JSON. */
type TableWork = (waitOptions: WaitOptions) => Promise<unknown>

interface AppsCommand {
  readonly summary: string
  /** Without the options for the table. */
  readonly options: Options
  /** Reads a key from `input` if the arguments ask for it. Does not open the table. Throws UsageError. */
  readonly prepare: (
    args: readonly string[],
    input: Input,
  ) => Promise<{ readonly table: TableOptions; readonly work: TableWork }>
}

/** `prepare` checks the values of its options. */
const command = <const T extends Options>(
  summary: string,
  options: T,
  prepare: (values: OptionValues<T>, input: Input) => TableWork | Promise<TableWork>,
): AppsCommand => ({
  summary,
  options,
  prepare: async (args, input) => {
    const { values } = parseOptions(args, { ...options, ...tableOptions })
    const { table, region } = values as TableOptions
    return { table: { table, region }, work: await prepare(values as OptionValues<T>, input) }
  },
})

const HOUR_MILLIS = 3_600_000
const DAY_MILLIS = 24 * HOUR_MILLIS

/** In milliseconds; undefined if none is given. */
const lifetimeFrom = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const [, count, unit] = /^([1-9]\d{0,3})([hd])$/.exec(text) ?? []
  if (count !== undefined) return Number(count) * (unit === 'h' ? HOUR_MILLIS : DAY_MILLIS)
  throw new UsageError(`--expires must be a number of hours or days, such as 12h or 90d (got "${text}")`)
}

// The messages do not quote the text, because it may be a key. It must not reach the table, which logs
// record.
const applicationIdFrom = (text: string): string => {
  if (isApplicationId(text)) return text
  throw new UsageError(
    '--app must be the id of an application, such as app_0123456789abcdef; "apps list" shows them',
  )
}

const keyIdFrom = (text: string): string => {
  if (/^key_[0-9a-f]{16}$/.test(text)) return text
  throw new UsageError('--key must be the id of a key, such as key_0123456789abcdef; "apps keys" shows them')
}

/** For "-", the first line of the input. */
const apiKeyFrom = async (text: string, input: Input): Promise<string> => {
  const key = text === '-' ? await readSecret('API key', input) : text
  if (isApiKey(key)) return key
  throw new UsageError(
    '--key must be a whole API key: "bdk_" or "bdr_", and 40 characters, of which the last are a checksum',
  )
}

const app = {
  value: 'APP_ID',
  isRequired: true,
  about: 'the id of an application, which "apps list" shows',
} as const

const newKeyOptions = {
  expires: {
    value: 'LIFETIME',
    about:
      'how long the new key works, in hours or days, such as 12h or 90d; by default, until it is revoked',
  },
  'read-only': { about: 'the new key can only send GET requests, which also read personal data' },
} as const

export const appsCommands: Readonly<Record<string, AppsCommand>> = {
  create: command(
    'creates an application and its first key',
    { name: { value: 'NAME', isRequired: true, about: 'a name for the application' }, ...newKeyOptions },
    (values) => {
      const name = withoutKey('--name', values.name)
      const lifetime = lifetimeFrom(values.expires)
      const identity = newIdentity({ isReadOnly: values['read-only'] })
      return () => createApplication(name, { lifetime, identity })
    },
  ),
  list: command('shows all applications, oldest first', {}, () => listApplications),
  disable: command('disables all keys of an application, within 60 seconds', { app }, (values) => {
    const appId = applicationIdFrom(values.app)
    return () => disableApplication(appId)
  }),
  enable: command('enables all keys again, except revoked and expired ones', { app }, (values) => {
    const appId = applicationIdFrom(values.app)
    return () => enableApplication(appId)
  }),
  scale: command(
    'spreads each list over more partitions, for more writes',
    {
      app,
      shards: {
        value: 'SHARDS',
        isRequired: true,
        about: `the partitions that hold each list, from 1 to ${MAX_SHARDS}; never fewer than before`,
      },
    },
    (values) => {
      const appId = applicationIdFrom(values.app)
      const shards = numberFrom('--shards', values.shards, 1, MAX_SHARDS)
      return (waitOptions) =>
        scaleApplication(appId, shards, (millis) =>
          countDown(waitOptions.requestMillis ?? millis, 'creates use the new shards in', waitOptions),
        )
    },
  ),
  keys: command('shows the keys of an application: ids and last characters', { app }, (values) => {
    const appId = applicationIdFrom(values.app)
    return () => listApiKeys(appId)
  }),
  rotate: command('adds a key; the other keys keep working', { app, ...newKeyOptions }, (values) => {
    const appId = applicationIdFrom(values.app)
    const lifetime = lifetimeFrom(values.expires)
    const apiKey = newApiKey({ isReadOnly: values['read-only'] })
    return () => addApiKey(appId, { lifetime, apiKey })
  }),
  revoke: command(
    'revokes a key for good, within 60 seconds',
    {
      app,
      key: { value: 'KEY_ID', isRequired: true, about: 'the id of a key, which "apps keys" shows' },
    },
    (values) => {
      const appId = applicationIdFrom(values.app)
      const keyId = keyIdFrom(values.key)
      return () => revokeApiKey(appId, keyId)
    },
  ),
  find: command(
    'shows the application and the id of a key',
    {
      key: {
        value: 'KEY',
        isRequired: true,
        about:
          'an API key; "-" asks for it, or reads it from a pipe, which keeps it out of the shell\'s history',
      },
    },
    async (values, input) => {
      const key = await apiKeyFrom(values.key, input)
      return () => findApiKey(key)
    },
  ),
  remove: command(
    'deletes all data, and the application',
    {
      app,
      confirm: { value: 'APP_ID', isRequired: true, about: 'the same id again' },
      'keep-application': { about: 'keeps the application, now empty, and its keys' },
    },
    (values) => {
      const appId = applicationIdFrom(values.app)
      if (values.confirm !== values.app) throw new UsageError('--confirm must be the same as --app')
      return (waitOptions) =>
        removeApplication(appId, { keepApplication: values['keep-application'], ...waitOptions })
    },
  ),
}
