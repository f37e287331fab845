import { DescribeTableCommand, type StreamViewType, UpdateTableCommand } from '@aws-sdk/client-dynamodb'
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams'
import { tableName } from '../../../shared/store/service.ts'
import { localClient } from '../../../tools/local/database.ts'

/** As the stack does. Returns its ARN. */
export const addStream = async (StreamViewType: StreamViewType): Promise<string> => {
  const engine = localClient(process.env.TEST_ENGINE as string)
  const TableName = tableName()
  const StreamSpecification = { StreamEnabled: true, StreamViewType }
  await engine.send(new UpdateTableCommand({ TableName, StreamSpecification }))
  const { Table } = await engine.send(new DescribeTableCommand({ TableName }))
  engine.destroy()
  return Table!.LatestStreamArn!
}

/** Since the last call, in order. */
export const streamReader = (StreamArn: string): (() => Promise<StreamRecord[]>) => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const endpoint = process.env.TEST_ENGINE as string
  const streams = new DynamoDBStreamsClient({ endpoint, region: 'local', credentials })
  const iterators = new Map<string, string | undefined>()
  const firstIterator = async (ShardId: string) => {
    const start = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' } as const
    return (await streams.send(new GetShardIteratorCommand(start))).ShardIterator
  }
  return async () => {
    const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }))
    const all: StreamRecord[] = []
    for (const { ShardId = '' } of StreamDescription!.Shards!) {
      let iterator = iterators.has(ShardId) ? iterators.get(ShardId) : await firstIterator(ShardId)
      let isAtEnd = false
      while (iterator && !isAtEnd) {
        const page = await streams.send(new GetRecordsCommand({ ShardIterator: iterator }))
        const { Records = [], NextShardIterator } = page
        all.push(...Records)
        iterator = NextShardIterator
        isAtEnd = Records.length === 0
      }
      iterators.set(ShardId, iterator)
    }
    return all
  }
}
