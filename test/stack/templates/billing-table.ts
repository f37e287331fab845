import {
  type AttributeDefinition,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { createTable } from '../../../tools/local/create-table.ts'
import { devAnn, type Resource, type Synthesis, synthesise } from '../../support/stack/synthesis.ts'

const namesOf = (definitions: readonly AttributeDefinition[]): string[] =>
  definitions.map(({ AttributeName }) => AttributeName!).sort()

const tableOf = ({ only }: Synthesis): Resource => only('AWS::DynamoDB::Table')
const prod = tableOf(synthesise('prod'))
const dev = tableOf(synthesise('dev-ann', devAnn))

it('the table in production outlives the stack', () => {
  expect(prod.DeletionPolicy).toBe('Retain')
})

it('the table and its indexes have the ceiling of the stage', () => {
  const ceiling = { MaxReadRequestUnits: 10_000, MaxWriteRequestUnits: 4_000 }
  expect(prod.Properties.OnDemandThroughput).toEqual(ceiling)
  for (const index of prod.Properties.GlobalSecondaryIndexes)
    expect(index.OnDemandThroughput).toEqual(ceiling)
})

it('the table has the tags by which a plan of AWS Backup selects it', () => {
  expect(prod.Properties.Tags).toEqual([
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
  expect(namesOf(Properties.AttributeDefinitions)).toEqual(namesOf(AttributeDefinitions!))
})

it('the table differs from the table of release 0.2.0 only in one index', () => {
  const { AttributeDefinitions, GlobalSecondaryIndexes, ...rest } = prod.Properties
  const OnDemandThroughput = expect.anything()
  const releasedAttributes = ['list', 'order', 'pk', 'sk', 'under']
  expect(namesOf(AttributeDefinitions)).toEqual(['changed', ...releasedAttributes])
  const index = (IndexName: string, sortKey: string, ...projected: string[]) => ({
    IndexName,
    KeySchema: [
      { AttributeName: 'list', KeyType: 'HASH' },
      { AttributeName: sortKey, KeyType: 'RANGE' },
    ],
    Projection: { NonKeyAttributes: ['data', 'external_id', ...projected], ProjectionType: 'INCLUDE' },
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
