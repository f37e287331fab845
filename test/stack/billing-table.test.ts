import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { createTable } from '../../tools/local/create-table.ts'
import { everyOption, type Resource, type Synthesis, synthesise } from '../support/synthesis.ts'

const tableOf = ({ only }: Synthesis): Resource => only('AWS::DynamoDB::Table')

describe('the table', () => {
  it('in production is billed on demand up to a ceiling, restorable, and protected against deletion', () => {
    const { Properties, DeletionPolicy } = tableOf(synthesise('prod'))
    expect(DeletionPolicy).toBe('Retain')
    expect(Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    })
    for (const part of [Properties, ...Properties.GlobalSecondaryIndexes])
      expect(part.OnDemandThroughput).toEqual({ MaxReadRequestUnits: 10_000, MaxWriteRequestUnits: 4_000 })
    expect(Properties.SSESpecification).toEqual({ SSEEnabled: false })
    // A plan of AWS Backup selects it by them.
    expect(Properties.Tags).toEqual([
      { Key: 'service', Value: 'billing-data-api' },
      { Key: 'stage', Value: 'prod' },
    ])
  })

  it('of a development stage is deleted with the stack', () => {
    const { DeletionPolicy, Properties } = tableOf(synthesise('dev'))
    expect([DeletionPolicy, Properties.DeletionProtectionEnabled]).toEqual(['Delete', false])
  })

  it('has the keys and indexes that the service is tested with', async () => {
    const engine = mockClient(DynamoDBClient)
    engine.on(DescribeTableCommand).resolves({ Table: { TableStatus: 'ACTIVE' } })
    await createTable(new DynamoDBClient({ region: 'local' }), 'x')
    const [call] = engine.commandCalls(CreateTableCommand)
    const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes } = call!.args[0].input
    const { Properties } = tableOf(synthesise('dev', { ...everyOption, table: { kept: false } }))
    expect(Properties.KeySchema).toEqual(KeySchema)
    expect(Properties.GlobalSecondaryIndexes).toEqual(GlobalSecondaryIndexes)
    const names = (all: { AttributeName: string }[]) => all.map(({ AttributeName }) => AttributeName).sort()
    expect(names(Properties.AttributeDefinitions)).toEqual(names(AttributeDefinitions as never))
  })

  it('can have the operator’s key, and stays when a restored one is used instead', () => {
    const { Properties } = tableOf(synthesise('full', everyOption))
    expect(Properties.SSESpecification).toEqual({
      KMSMasterKeyId: everyOption.keyArn,
      SSEEnabled: true,
      SSEType: 'KMS',
    })
  })
})
