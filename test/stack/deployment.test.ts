import { readFileSync } from 'node:fs'
import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway'
import {
  CloudFormationClient,
  DescribeStacksCommand,
  SetStackPolicyCommand,
} from '@aws-sdk/client-cloudformation'
import { CloudWatchLogsClient, DescribeResourcePoliciesCommand } from '@aws-sdk/client-cloudwatch-logs'
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type TableDescription,
} from '@aws-sdk/client-dynamodb'
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { mockClient } from 'aws-sdk-client-mock'
import { prepareDeployment } from '../../lib/stack/deployment.ts'
import { type StageSettings, stages } from '../../lib/stages.ts'
import { deploymentFrom } from '../../tools/operator/deploy-options.ts'
import { describedTable, withoutChangeIndex } from '../support/stack/table-descriptions.ts'

const settingsByStage: Readonly<Record<keyof typeof stages, StageSettings>> = stages
const gateway = mockClient(APIGatewayClient)
const lambda = mockClient(LambdaClient)
const logs = mockClient(CloudWatchLogsClient)
const cloudFormation = mockClient(CloudFormationClient)
const database = mockClient(DynamoDBClient)
const alarm = 'arn:aws:cloudwatch:eu-west-1:111122223333:alarm:billing-prod 5xx-rate'
const watchAlarm = ['--rollback-trigger-alarm-arns', alarm, '--monitoring-time-minutes', '10']
const watchNoAlarm = ['--rollback-trigger-alarm-arns', 'none', '--monitoring-time-minutes', '0']
/** The outputs of a stack that was created completely. */
const outputs = { Commit: '0123456789ab', RollbackAlarm: alarm, TableName: 'own' }

/** Lets CloudFormation have these stacks with their outputs. A stack that was never created completely has none. */
const mockStacks = (outputsByStack: Readonly<Record<string, Readonly<Record<string, string>>>>): void => {
  cloudFormation.on(DescribeStacksCommand).callsFake(({ StackName }) => {
    const stackOutputs = outputsByStack[StackName]
    if (!stackOutputs)
      throw Object.assign(new Error(`Stack with id ${StackName} does not exist`), { name: 'ValidationError' })
    const Outputs = Object.entries(stackOutputs).map(([OutputKey, OutputValue]) => ({
      OutputKey,
      OutputValue,
    }))
    const StackId = `arn:aws:cloudformation:eu-west-1:111122223333:stack/${StackName}/1`
    return { Stacks: [{ StackName, StackId, Outputs }] }
  })
}

/** Lets DynamoDB have these tables. */
const mockTables = (...tables: TableDescription[]): void => {
  database.on(DescribeTableCommand).callsFake(({ TableName }) => {
    const Table = tables.find((table) => table.TableName === TableName)
    if (!Table)
      throw Object.assign(new Error(`Table: ${TableName} not found`), { name: 'ResourceNotFoundException' })
    return { Table }
  })
}

const mockPointInTimeRecovery = (PointInTimeRecoveryStatus: 'ENABLED' | 'DISABLED') =>
  database.on(DescribeContinuousBackupsCommand).resolves({
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus },
    },
  })

/** Lets Lambda have a quota, of which some is reserved by functions. */
const mockConcurrency = (ConcurrentExecutions: number, reserved = 0) =>
  lambda.on(GetAccountSettingsCommand).resolves({
    AccountLimit: {
      ConcurrentExecutions,
      UnreservedConcurrentExecutions: ConcurrentExecutions - reserved,
    },
  })

const refuseCode = () => Promise.reject(new Error('No code is needed.'))
/** Prepares the deployment of `npm run deploy` with arguments. */
const prepare = (...args: string[]) =>
  prepareDeployment(deploymentFrom(args), { env: process.env, readCode: refuseCode })

const initialEnvironment = { ...process.env }
beforeEach(() => {
  cloudFormation.reset()
  database.reset()
  lambda.reset()
  mockConcurrency(1_000)
  gateway.reset().on(GetAccountCommand).resolves({ cloudwatchRoleArn: 'arn:aws:iam::111122223333:role/logs' })
  mockStacks({
    'billing-prod': outputs,
    'billing-dev': outputs,
    'billing-standby': outputs,
    'billing-dev-failed': {},
  })
  mockTables(describedTable('own'), describedTable('own-restored-1'))
  process.env = {
    PATH: initialEnvironment.PATH,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'AK',
    AWS_SECRET_ACCESS_KEY: 's',
  }
})
afterEach(() => jest.restoreAllMocks())
afterAll(() => {
  process.env = initialEnvironment
})

const noteOfProd =
  /^billing-prod in eu-west-1, account 111122223333: .*5xx-rate rolls the update back, until 10 minutes after it$/

it.each<{ action: string; args: string[]; added: string[]; note: RegExp }>([
  {
    action: 'watches the alarm of an existing stack',
    args: ['-c', 'stage=prod'],
    added: watchAlarm,
    note: noteOfProd,
  },
  {
    action: 'passes no alarm for a first deployment',
    args: ['-c', 'stage=dev-new'],
    added: [],
    note: /: no such stack, so this is its first deployment$/,
  },
  {
    action: 'passes no alarm after a failed creation',
    args: ['-c', 'stage=dev-failed'],
    added: [],
    note: /never created completely$/,
  },
  {
    action: 'watches no alarm for a stage that keeps no data',
    args: [],
    added: watchNoAlarm,
    note: /not guarded, since this stage keeps no data$/,
  },
  {
    action: 'passes options to the CDK',
    args: ['-c', 'stage=prod', '--require-approval', 'never'],
    added: watchAlarm,
    note: noteOfProd,
  },
])('npm run deploy $action', async ({ args, added, note }) => {
  const deployment = await prepare(...args)
  expect(deployment).toMatchObject({ args: ['deploy', ...args, ...added] })
  expect(deployment.obstacle).toBeUndefined()
  expect(deployment.notes.join('\n')).toMatch(note)
})

it('npm run deploy --hotfix removes the alarm and the monitoring time, which CloudFormation would keep', async () => {
  const { args } = await prepare('-c', 'stage=prod', '--hotfix')
  expect(args).toEqual(['deploy', '-c', 'stage=prod', ...watchNoAlarm])
})

it.each([
  ['is added', withoutChangeIndex],
  ['is still being built', { 'by-change': { IndexStatus: 'CREATING' } }],
] as const)(
  'npm run deploy watches no alarm while an index %s, because CloudFormation cannot roll that back',
  async (_, indexes) => {
    mockTables(describedTable('own', indexes))
    const { args, notes, obstacle } = await prepare('-c', 'stage=prod')
    expect(args).toEqual(['deploy', '-c', 'stage=prod', ...watchNoAlarm])
    expect(obstacle).toBeUndefined()
    expect(notes[0]).toContain('its own table does not have the index by-change yet')
  },
)

it('npm run deploy prevents replacement and deletion of the table in an existing stack that keeps data', async () => {
  await prepare('-c', 'stage=dev-new')
  await prepare('-c', 'stage=dev')
  expect(cloudFormation.commandCalls(SetStackPolicyCommand)).toEqual([])
  await prepare('-c', 'stage=prod', '--hotfix')
  const [call] = cloudFormation.commandCalls(SetStackPolicyCommand)
  const { StackName, StackPolicyBody } = call!.args[0].input
  const { Statement } = JSON.parse(StackPolicyBody!)
  expect(StackName).toBe('billing-prod')
  expect(Statement[1]).toEqual(
    expect.objectContaining({
      Effect: 'Deny',
      Action: ['Update:Replace', 'Update:Delete'],
      Condition: { StringEquals: { ResourceType: ['AWS::DynamoDB::Table'] } },
    }),
  )
})

it('npm run deploy does not remove the stream that the event pipe still reads', async () => {
  mockStacks({ 'billing-prod': { EventBus: 'arn', EventPipe: 'pipe', RollbackAlarm: alarm } })
  await expect(prepare('-c', 'stage=prod')).rejects.toThrow("set events to 'stream'")
  expect(cloudFormation.commandCalls(SetStackPolicyCommand)).toEqual([])
})

describe('npm run deploy for the first time', () => {
  const firewall = { log: true }
  const withSettings = (settings: Partial<StageSettings>) => {
    for (const [name, value] of Object.entries(settings))
      jest.replaceProperty(settingsByStage.prod, name as keyof StageSettings, value)
  }
  beforeEach(() => {
    mockStacks({ 'billing-prod': {} })
    logs.reset()
  })

  it.each<{
    account: string
    settings?: Partial<StageSettings>
    reserved?: number
    quota: number
    lacks: string[]
  }>([
    {
      account: 'without a reservation, at any quota',
      settings: { functions: { memoryMb: 1_024 } },
      quota: 10,
      lacks: [],
    },
    { account: 'that can just reserve enough', quota: 900, lacks: [] },
    {
      account: 'that is new',
      quota: 10,
      lacks: ['has a quota of 10 concurrent executions of Lambda, of which 0 can still be reserved'],
    },
    {
      account: 'that lacks one',
      quota: 899,
      lacks: ['of which 799 can still be reserved; the stage needs 800. Request a quota of 900'],
    },
    {
      account: 'in which another stack reserves some',
      quota: 1_000,
      reserved: 160,
      lacks: ['of which 740 can still be reserved; the stage needs 800. Request a quota of 1060'],
    },
    {
      account: 'for provisioned instances of every function',
      settings: { functions: { memoryMb: 1_024, provisioned: 2 } },
      quota: 110,
      lacks: ['lower or remove provisioned of the stage'],
    },
  ])(
    'reports what Lambda lacks in an account $account',
    async ({ settings = {}, quota, reserved, lacks }) => {
      withSettings(settings)
      mockConcurrency(quota, reserved)
      const { obstacle } = await prepare('-c', 'stage=prod')
      expect((obstacle?.differences ?? []).map(([how]) => how)).toEqual(
        lacks.map((text) => expect.stringContaining(text)),
      )
    },
  )

  it.each([
    ['none more', 10, ['has 10 resource policies of CloudWatch Logs in this region, the most possible']],
    ['one more', 9, []],
  ])(
    'reports whether the log of the firewall can have a policy if %s is possible',
    async (_, count, lacks) => {
      withSettings({ firewall })
      logs.on(DescribeResourcePoliciesCommand).resolves({ resourcePolicies: Array(count).fill({}) })
      const { obstacle } = await prepare('-c', 'stage=prod')
      expect((obstacle?.differences ?? []).map(([how]) => how)).toEqual(
        lacks.map((text) => expect.stringContaining(text)),
      )
    },
  )

  it('reports that a stage shares the log role of an account without one', async () => {
    gateway.on(GetAccountCommand).resolves({})
    const { obstacle } = await prepare('-c', 'stage=dev-new')
    expect(obstacle?.differences).toEqual([
      [expect.stringMatching(/^has no role with which API Gateway logs in this region\. /)],
    ])
  })

  it('stops if the account may not be read', async () => {
    lambda
      .on(GetAccountSettingsCommand)
      .rejects(new Error('not authorized to perform: lambda:GetAccountSettings'))
    await expect(prepare('-c', 'stage=prod')).rejects.toThrow(
      'not authorized to perform: lambda:GetAccountSettings',
    )
  })
})

describe('npm run deploy with a restored table in use, which CloudFormation does not change', () => {
  const table = { kept: true, ceiling: { read: 10_000, write: 4_000 }, restored: 1 }
  const missingIndex = [expect.stringContaining('lacks the index by-change'), expect.anything()]
  const missingRecovery = ['has no point-in-time recovery', expect.anything()]
  beforeEach(() => {
    jest.replaceProperty(settingsByStage.standby, 'table', table)
    jest.replaceProperty(settingsByStage.dev, 'table', { ...table, kept: false })
    mockTables(describedTable('own'), describedTable('own-restored-1', withoutChangeIndex))
  })

  it.each([
    ['standby', 'DISABLED', watchAlarm, [missingRecovery, missingIndex]],
    ['standby', 'ENABLED', watchAlarm, [missingIndex]],
    // A stage that keeps no data needs no recovery.
    ['dev', 'DISABLED', watchNoAlarm, [missingIndex]],
  ] as const)(
    'reports what the table lacks in the stage %s with point-in-time recovery %s',
    async (stage, recovery, added, differences) => {
      mockPointInTimeRecovery(recovery)
      const { obstacle, args } = await prepare('-c', `stage=${stage}`)
      expect(obstacle?.differences).toEqual(differences)
      expect(args).toEqual(['deploy', '-c', `stage=${stage}`, ...added])
    },
  )

  it('reports no difference for a hotfix', async () => {
    mockPointInTimeRecovery('ENABLED')
    const { obstacle, notes } = await prepare('-c', 'stage=standby', '--hotfix')
    expect(obstacle).toBeUndefined()
    expect(notes).toEqual([expect.anything(), expect.stringContaining('keeps its ceilings')])
  })
})

it('npm run deploy does not deploy without the alarm if CloudFormation does not respond', async () => {
  cloudFormation.on(DescribeStacksCommand).rejects(new Error('Could not load credentials from any providers'))
  await expect(prepare('-c', 'stage=prod')).rejects.toThrow('Could not load credentials')
})

// The command line of the CDK ignores unknown options.
it('npm run deploy uses existing options of the CDK', () => {
  const registry = readFileSync('node_modules/aws-cdk/lib/cli/cli-type-registry.json', 'utf8')
  const { options } = JSON.parse(registry).commands.deploy
  const names = watchAlarm.filter((argument) => argument.startsWith('--'))
  for (const name of names) expect(options).toHaveProperty(name.slice(2))
  expect(options['rollback-trigger-alarm-arns'].desc).toContain("'none'")
})
