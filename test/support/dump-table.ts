import { DynamoDBClient, ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb'
import { config } from '../../shared/config.ts'
import { table } from '../../shared/store/table.ts'

/** Returns everything in the test file's table and indexes as text, read without our own code. */
export const dumpTable = async (): Promise<string> => {
  const { endpoint = '', table: TableName } = config()
  const client = new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
  const found: unknown[] = []
  for (const IndexName of [undefined, ...table.indexes.map(({ name }) => name)]) {
    let from: ScanCommandOutput['LastEvaluatedKey']
    do {
      const response: ScanCommandOutput = await client.send(
        new ScanCommand({ TableName, IndexName, ExclusiveStartKey: from }),
      )
      found.push(...(response.Items ?? []))
      from = response.LastEvaluatedKey
    } while (from)
  }
  client.destroy()
  return JSON.stringify(found)
}
