import { type CommandDatabase, openForCommand } from '../local/database.ts'
import { localSettings } from '../local/settings.ts'
import { asStartError, UsageError, withoutKey } from './command.ts'

/** The table that a command uses: a deployed one or, without a name, the local engine's. */
export interface TableOptions {
  readonly table?: string | undefined
  readonly region?: string | undefined
}

/** Makes `env` refer to a table on AWS, even if it refers to a local engine. */
const useDeployed = (table: string, region: string | undefined, env: NodeJS.ProcessEnv): void => {
  Object.assign(env, { TABLE_NAME: table, ...(region ? { AWS_REGION: region } : {}) })
  delete env.DYNAMODB_ENDPOINT
}

/** Opens the local database and prints on standard error which one it is, unless it is set in `env`. */
const openLocal = async (env: NodeJS.ProcessEnv): Promise<CommandDatabase> => {
  const database = await openForCommand(localSettings(env))
  if (database.where) process.stderr.write(`using ${database.where}\n`)
  return database
}

/**
 * Runs `work` on a command's table, to which `env` then refers, with its `requestMillis`. Throws UsageError for a region without a table and for a
 * key as the table, StartError for a table that cannot be opened and for an error of the work.
 */
export const onTable = async <T>(
  { table, region }: TableOptions,
  env: NodeJS.ProcessEnv,
  work: (requestMillis: number | undefined) => Promise<T>,
): Promise<T> => {
  if (region && !table) throw new UsageError('--region needs --table')
  if (table) useDeployed(withoutKey('--table', table), region, env)
  const local = table ? undefined : await openLocal(env)
  try {
    return await work(local?.requestMillis)
  } catch (error) {
    throw asStartError(error)
  } finally {
    await local?.close()
  }
}
