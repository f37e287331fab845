import { DescribeTableCommand, type DynamoDBClient, type KeySchemaElement } from '@aws-sdk/client-dynamodb'
import { table } from '../../shared/store/table.ts'
import { StartError } from './settings.ts'

const keysOf = (schema: readonly KeySchemaElement[] = []): string =>
  schema.map(({ AttributeName }) => AttributeName).join()

const expected = ({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }): string =>
  `${partitionKey},${sortKey}`

/**
 * Throws StartError if a table has keys of an earlier version that cannot be upgraded. A missing index is accepted, since
 * it can be added.
 */
export const requireOurShape = async (client: DynamoDBClient, TableName: string): Promise<void> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }))
  const found = new Map(
    Table?.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema }) => [IndexName, keysOf(KeySchema)]),
  )
  const changed = table.indexes.some(
    (index) => found.has(index.name) && found.get(index.name) !== expected(index),
  )
  if (!changed && keysOf(Table?.KeySchema) === expected(table)) return
  throw new StartError(
    `the table "${TableName}" was made by an earlier version, which this one cannot read: set DATA_DIR to a new folder, or remove the old one`,
  )
}
