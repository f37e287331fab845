import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { createTable } from '../../../tools/local/create-table.ts'
import { devAnn, type Resource, type Synthesis, synthesise } from '../../support/stack/synthesis.ts'

interface Named {
  readonly AttributeName: string
}

const tableOf = ({ only }: Synthesis): Resource => only('AWS::DynamoDB::Table')
const prod = tableOf(synthesise('prod'))
const dev = tableOf(synthesise('dev-ann', devAnn))

it('the table in production outlives the stack, and its indexes have its ceiling', () => {
  const { Properties, DeletionPolicy } = prod
  expect(DeletionPolicy).toBe('Retain')
  for (const part of [Properties, ...Properties.GlobalSecondaryIndexes])
    expect(part.OnDemandThroughput).toEqual({ MaxReadRequestUnits: 10_000, MaxWriteRequestUnits: 4_000 })
  // A plan of AWS Backup selects it by them.
  expect(Properties.Tags).toEqual([
    { Key: 'service', Value: 'billing-data-api' },
    { Key: 'stage', Value: 'prod' },
  ])
})

it('the table of a development stage is deleted with the stack', () => {
  const { DeletionPolicy, Properties } = dev
  expect(DeletionPolicy).toBe('Delete')
  expect(Properties.DeletionProtectionEnabled).toBe(false)
})

it('the table has the keys and indexes that the service is tested with', async () => {
  const engine = mockClient(DynamoDBClient)
  engine.on(DescribeTableCommand).resolves({ Table: { TableStatus: 'ACTIVE' } })
  await createTable(new DynamoDBClient({ region: 'local' }), 'x')
  const [call] = engine.commandCalls(CreateTableCommand)
  engine.restore()
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes } = call!.args[0].input
  const { Properties } = dev
  expect(Properties.KeySchema).toEqual(KeySchema)
  expect(Properties.GlobalSecondaryIndexes).toEqual(GlobalSecondaryIndexes)
  const names = (all: Named[]) => all.map(({ AttributeName }) => AttributeName).sort()
  expect(names(Properties.AttributeDefinitions)).toEqual(names(AttributeDefinitions as never))
})

it('the table of release 0.2.0 gets one more index by an ordinary deployment, and is otherwise the same', () => {
  // CloudFormation adds at most one index in a deployment, and replaces a table whose key changes.
  const { AttributeDefinitions, GlobalSecondaryIndexes, ...rest } = prod.Properties
  const OnDemandThroughput = expect.anything()
  const before = ['list', 'order', 'pk', 'sk', 'under']
  expect(AttributeDefinitions.map(({ AttributeName }: Named) => AttributeName).sort()).toEqual(
    ['changed', ...before].sort(),
  )
  const index = (IndexName: string, sortKey: string, ...more: string[]) => ({
    IndexName,
    KeySchema: [
      { AttributeName: 'list', KeyType: 'HASH' },
      { AttributeName: sortKey, KeyType: 'RANGE' },
    ],
    Projection: { NonKeyAttributes: ['data', 'external_id', ...more], ProjectionType: 'INCLUDE' },
    OnDemandThroughput,
  })
  expect(GlobalSecondaryIndexes).toEqual([
    index('by-list', 'order'),
    index('by-parent', 'under'),
    index('by-change', 'changed', 'order'),
  ])
  expect(rest).toEqual({
    BillingMode: 'PAY_PER_REQUEST',
    DeletionProtectionEnabled: true,
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    OnDemandThroughput,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    SSESpecification: { SSEEnabled: false },
    Tags: expect.anything(),
  })
})

it('the table can have the operator’s key', () => {
  expect(dev.Properties.SSESpecification).toEqual({
    KMSMasterKeyId: devAnn.keyArn,
    SSEEnabled: true,
    SSEType: 'KMS',
  })
})
