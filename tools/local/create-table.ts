import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTableCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { keyAttributes, table } from '../../shared/store/table.ts'

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

/** Adds the indexes that a table lacks because an earlier version has created it. */
const addIndexes = async (client: DynamoDBClient, TableName: string): Promise<void> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }))
  const known = Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)
  for (const Create of indexes.filter(({ IndexName }) => !known?.includes(IndexName))) {
    const update = { TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create }] }
    await client.send(new UpdateTableCommand(update))
    await untilActive(client, TableName)
  }
}

/** Creates the table if it does not exist, or adds the indexes that it lacks, and waits until it is active. */
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
    await addIndexes(client, TableName)
  }
}
