import { asCommandError, UsageError } from '../cli/command.ts'
import type { Options, OptionValues } from '../cli/options.ts'
import { withoutKey } from '../cli/setting-values.ts'
import { type CommandDatabase, openForCommand } from '../local/database.ts'
import { localSettings } from '../local/settings.ts'

export const tableOptions = {
  table: { value: 'TABLE', about: 'a deployed table; without it, the table of the local engine' },
  region: { value: 'REGION', about: 'the region of the deployed table; by default, that of the environment' },
} as const satisfies Options

export type TableOptions = OptionValues<typeof tableOptions>

/** Even if `env` referred to a local engine. */
const useDeployedTable = (table: string, region: string | undefined, env: NodeJS.ProcessEnv): void => {
  Object.assign(env, { TABLE_NAME: table, ...(region ? { AWS_REGION: region } : {}) })
  delete env.DYNAMODB_ENDPOINT
}

/** Prints its location on standard error, unless `env` determines it. */
const openLocalDatabase = async (env: NodeJS.ProcessEnv): Promise<CommandDatabase> => {
  const database = await openForCommand(localSettings(env))
  if (database.location) process.stderr.write(`using ${database.location}\n`)
  return database
}

/**
 * Throws UsageError for a region without a table and for the name of a table that contains an API key, and
 * CommandError if the table cannot be opened or `work` fails.
 */
export const onTable = async <T>(
  { table, region }: TableOptions,
  env: NodeJS.ProcessEnv,
  work: (requestMillis: number | undefined) => Promise<T>,
): Promise<T> => {
  if (region && !table) throw new UsageError('--region needs --table')
  if (table) useDeployedTable(withoutKey('--table', table), region, env)
  const local = table ? undefined : await openLocalDatabase(env)
  try {
    return await work(local?.requestMillis)
  } catch (error) {
    throw asCommandError(error)
  } finally {
    await local?.close()
  }
}
