import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createTable } from './create-table.ts'
import { type Running, startEngine } from './engine.ts'
import { type LocalSettings, StartError } from './settings.ts'

/** A DynamoDB client for an engine on this machine, which accepts any credentials. */
export const localClient = (endpoint: string): DynamoDBClient =>
  new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 2,
  })

/** Points the handlers of this process at an endpoint and a table, through the environment as a deployment does. */
export const useDatabase = (endpoint: string, table: string): void => {
  Object.assign(process.env, { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table })
}

/** Creates the table at `endpoint` unless it exists, and uses it; throws StartError when the engine does not answer. */
export const prepareTable = async (endpoint: string, table: string): Promise<void> => {
  const client = localClient(endpoint)
  try {
    await createTable(client, table)
  } catch (cause) {
    throw new StartError(
      `the DynamoDB engine at ${endpoint} does not work: ${(cause as Error).message || (cause as Error).name}`,
      { cause },
    )
  } finally {
    client.destroy()
  }
  useDatabase(endpoint, table)
}

/** Prepares the table on the settings' endpoint, or on an engine that it starts; throws StartError. */
export const openDatabase = async ({
  enginePort,
  dataDir,
  endpoint,
  table,
}: LocalSettings): Promise<Running> => {
  const engine = endpoint ? undefined : await startEngine(enginePort, dataDir)
  const stop = async () => engine?.stop()
  try {
    await prepareTable(endpoint ?? engine!.endpoint, table)
  } catch (error) {
    await stop()
    throw error
  }
  return { engine, stop }
}
