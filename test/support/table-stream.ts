import { DescribeTableCommand, type StreamViewType, UpdateTableCommand } from '@aws-sdk/client-dynamodb'
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams'
import { config } from '../../shared/config.ts'
import { localClient } from '../../tools/local/database.ts'

/** Adds a stream to the table in use, as the stack does. Returns its ARN. */
export const addStream = async (StreamViewType: StreamViewType): Promise<string> => {
  const engine = localClient(process.env.TEST_ENGINE as string)
  const TableName = config().table
  const StreamSpecification = { StreamEnabled: true, StreamViewType }
  await engine.send(new UpdateTableCommand({ TableName, StreamSpecification }))
  const { Table } = await engine.send(new DescribeTableCommand({ TableName }))
  engine.destroy()
  return Table!.LatestStreamArn!
}

/** Returns all records of a stream in order. */
export const recordsIn = async (StreamArn: string): Promise<StreamRecord[]> => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const endpoint = process.env.TEST_ENGINE as string
  const streams = new DynamoDBStreamsClient({ endpoint, region: 'local', credentials })
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }))
  const all: StreamRecord[] = []
  for (const { ShardId } of StreamDescription!.Shards!) {
    const start = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' } as const
    let { ShardIterator } = await streams.send(new GetShardIteratorCommand(start))
    for (let found = 1; ShardIterator && found > 0; ) {
      const { Records = [], NextShardIterator } = await streams.send(new GetRecordsCommand({ ShardIterator }))
      all.push(...Records)
      found = Records.length
      ShardIterator = NextShardIterator
    }
  }
  streams.destroy()
  return all
}
