import { setTimeout as pause } from 'node:timers/promises'
import { isApiKey, isApplicationId } from '../../shared/store/credentials.ts'
import { addApiKey, findApiKey, listApiKeys, revokeApiKey } from '../applications/api-keys.ts'
import {
  createApplication,
  disableApplication,
  enableApplication,
  listApplications,
  MAX_SHARDS,
  scaleApplication,
} from '../applications/applications.ts'
import { UsageError, withoutKey } from './command.ts'
import { countDown, type Waiting } from './count-down.ts'
import { progress } from './progress.ts'
import { removeApplication } from './remove.ts'
import { type Input, readSecret } from './secret.ts'

/** The validated options of a command. */
export interface Options {
  readonly name: string
  readonly app: string
  readonly key: string
  /** Milliseconds. */
  readonly expires?: number | undefined
  readonly shards: number
  readonly confirm?: string
  readonly 'keep-application'?: boolean
}

interface AppsCommand {
  /** The options and their values as in the usage, optional ones in brackets. */
  readonly options: string
  readonly does: string
  /** Throws UsageError if the options contradict each other. */
  readonly check?: (options: Options) => void
  /** Returns the result to print as JSON. `wait` waits a number of milliseconds, by default by the process's timer. */
  readonly run: (options: Options, wait?: Waiting['wait']) => Promise<unknown>
}

/** The commands of `apps`. */
export const commands: Readonly<Record<string, AppsCommand>> = {
  create: {
    options: '--name NAME [--expires LIFETIME]',
    does: 'creates an application and its first key',
    run: ({ name, expires }) => createApplication(name, { lifetime: expires }),
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
    run: async ({ app, shards }, wait = pause) => {
      const { tell, end } = progress()
      const growth = (millis: number) => countDown(millis, 'creates use the new shards in', { tell, wait })
      return scaleApplication(app, shards, growth).finally(end)
    },
  },
  keys: {
    options: '--app APP_ID',
    does: 'shows the keys of an application: ids and last characters',
    run: ({ app }) => listApiKeys(app),
  },
  rotate: {
    options: '--app APP_ID [--expires LIFETIME]',
    does: 'adds a key; the other keys keep working',
    run: ({ app, expires }) => addApiKey(app, expires),
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
    run: async ({ app, 'keep-application': keepApplication = false }, wait = pause) => {
      const { tell, end } = progress()
      return removeApplication(app, { keepApplication, tell, wait }).finally(end)
    },
  },
}

const UNIT_MILLIS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 }

const lifetimeIn = (text: string): number => {
  const [, count, unit = ''] = /^([1-9]\d{0,3})([hd])$/.exec(text) ?? []
  if (!count)
    throw new UsageError(`--expires must be a number of hours or days, such as 12h or 90d (got "${text}")`)
  return Number(count) * UNIT_MILLIS[unit]!
}

const shardsIn = (text: string): number => {
  const shards = /^[1-9]\d?$/.test(text) ? Number(text) : 0
  if (shards >= 1 && shards <= MAX_SHARDS) return shards
  throw new UsageError(`--shards must be a number from 1 to ${MAX_SHARDS} (got "${text}")`)
}

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
    '--key must be a whole API key: "bdk_" and 40 characters, of which the last are a checksum',
  )
}

/** How the values of options are parsed, by their names in the usage. */
export const values = {
  NAME: nameIn,
  APP_ID: appIdIn,
  KEY_ID: keyIdIn,
  KEY: keyIn,
  LIFETIME: lifetimeIn,
  SHARDS: shardsIn,
} satisfies Record<string, (text: string, input: Input) => unknown>
