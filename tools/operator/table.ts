import { openDatabase, prepareTable } from '../local/database.ts'
import { isListening } from '../local/engine.ts'
import { localSettings } from '../local/settings.ts'
import { UsageError } from './command.ts'

/** Which table a command works on: a deployed one or, without a name, the local engine's. */
export interface TableOptions {
  readonly table?: string | undefined
  readonly region?: string | undefined
}

/** Throws UsageError for a region without a table. */
export const requireTable = ({ table, region }: TableOptions): void => {
  if (region && !table) throw new UsageError('--region goes with --table')
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

/** Points the store at a command's table, through the environment `env`. Returns what closes it; throws StartError. */
export const openTable = async (
  { table, region }: TableOptions,
  env: NodeJS.ProcessEnv,
): Promise<() => Promise<void>> => {
  if (!table) return openLocal(env)
  useDeployed(table, region, env)
  return async () => undefined
}
