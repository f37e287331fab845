import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  type KeySchemaElement,
  ResourceInUseException,
  UpdateTableCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { keyAttributes, table } from '../../shared/store/table.ts'
import { CommandError } from './command.ts'

interface Keys {
  readonly partitionKey: string
  readonly sortKey: string
}

const keySchema = ({ partitionKey, sortKey }: Keys) => [
  { AttributeName: partitionKey, KeyType: 'HASH' as const },
  { AttributeName: sortKey, KeyType: 'RANGE' as const },
]

const AttributeDefinitions = keyAttributes.map((AttributeName) => ({
  AttributeName,
  AttributeType: 'S' as const,
}))

const indexes = table.indexes.map((index) => ({
  IndexName: index.name,
  KeySchema: keySchema(index),
  Projection: { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...index.projected] },
}))

const untilActive = (client: DynamoDBClient, TableName: string) =>
  waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1, maxDelay: 2 }, { TableName })

const namesIn = (schema: readonly KeySchemaElement[] = []): string =>
  schema.map(({ AttributeName }) => AttributeName).join()

/** Adds the indexes that a table of an earlier version lacks. Throws CommandError if its keys differ, which cannot be changed. */
const upgrade = async (client: DynamoDBClient, TableName: string): Promise<void> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }))
  const found = new Map(
    Table?.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema }) => [IndexName, namesIn(KeySchema)]),
  )
  const hasOtherKeys = indexes.some(
    ({ IndexName, KeySchema }) => found.has(IndexName) && found.get(IndexName) !== namesIn(KeySchema),
  )
  if (hasOtherKeys || namesIn(Table?.KeySchema) !== namesIn(keySchema(table)))
    throw new CommandError(
      `the table "${TableName}" was made by an earlier version, which this one cannot read: set DATA_DIR to a new folder, or remove the old one`,
    )
  for (const Create of indexes.filter(({ IndexName }) => !found.has(IndexName))) {
    const update = { TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create }] }
    await client.send(new UpdateTableCommand(update))
    await untilActive(client, TableName)
  }
}

/**
 * Creates the table unless it exists, or adds the indexes that it lacks, and waits until it is active. Throws CommandError if
 * this version cannot read an existing table.
 */
export const createTable = async (client: DynamoDBClient, TableName: string): Promise<void> => {
  const command = new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions,
    KeySchema: keySchema(table),
    GlobalSecondaryIndexes: indexes,
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
