import { isDeepStrictEqual } from 'node:util'
import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTableCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { indexSchemas, keySchema } from '../../lib/table-schema.ts'
import { keyAttributes, table } from '../../shared/store/table.ts'
import { CommandError } from '../cli/command.ts'

const AttributeDefinitions = keyAttributes.map((AttributeName) => ({
  AttributeName,
  AttributeType: 'S' as const,
}))

const untilActive = (client: DynamoDBClient, TableName: string) =>
  waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1, maxDelay: 2 }, { TableName })

/** Throws CommandError if the keys differ, which cannot be changed. */
const upgrade = async (client: DynamoDBClient, TableName: string): Promise<void> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }))
  const keysByIndex = new Map(
    Table?.GlobalSecondaryIndexes?.map((index) => [index.IndexName, index.KeySchema]),
  )
  const hasOtherKeys = indexSchemas.some(
    ({ IndexName, KeySchema }) =>
      keysByIndex.has(IndexName) && !isDeepStrictEqual(keysByIndex.get(IndexName), KeySchema),
  )
  if (hasOtherKeys || !isDeepStrictEqual(Table?.KeySchema, keySchema(table)))
    throw new CommandError(
      `the table "${TableName}" was made by an earlier version, which this one cannot read: set DATA_DIR to a new folder, or remove the old one`,
    )
  for (const Create of indexSchemas.filter(({ IndexName }) => !keysByIndex.has(IndexName))) {
    const update = { TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create }] }
    await client.send(new UpdateTableCommand(update))
    await untilActive(client, TableName)
  }
}

/**
 * Creates the table unless it exists, or adds the indexes that it lacks, and waits until it is active. Throws
 * CommandError if this version cannot read an existing table.
 */
export const createTable = async (client: DynamoDBClient, TableName: string): Promise<void> => {
  const command = new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions,
    KeySchema: keySchema(table),
    GlobalSecondaryIndexes: indexSchemas,
  })
  try {
    await client.send(command)
    await untilActive(client, TableName)
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error
    await untilActive(client, TableName)
    await upgrade(client, TableName)
  }
}
