import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  CloudFormationClient,
  DescribeStacksCommand,
  SetStackPolicyCommand,
} from '@aws-sdk/client-cloudformation'
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type TableDescription,
} from '@aws-sdk/client-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { environmentOf, findCaller, type Terminal } from '../../lib/stack/caller.ts'
import { prepareDeployment } from '../../lib/stack/deployment.ts'
import { stages } from '../../lib/stages.ts'
import { deploymentFrom } from '../../tools/operator/deploy-options.ts'
import { temporaryFolder } from '../support/processes/temporary-folder.ts'
import { describedTable, withoutChangeIndex } from '../support/stack/table-descriptions.ts'

const formation = mockClient(CloudFormationClient)
const database = mockClient(DynamoDBClient)
const alarm = 'arn:aws:cloudwatch:eu-west-1:111122223333:alarm:billing-prod 5xx-rate'
const guard = ['--rollback-trigger-alarm-arns', alarm, '--monitoring-time-minutes', '10']
const none = ['--rollback-trigger-alarm-arns', 'none', '--monitoring-time-minutes', '0']
const complete = { Commit: '0123456789ab', RollbackAlarm: alarm, TableName: 'own' }

/** Responds as CloudFormation does: with the stack's outputs, which a stack has once it was created completely. */
const response = (stacks: Readonly<Record<string, Readonly<Record<string, string>>>>): void => {
  formation.on(DescribeStacksCommand).callsFake(({ StackName }) => {
    const outputs = stacks[StackName]
    if (!outputs)
      throw Object.assign(new Error(`Stack with id ${StackName} does not exist`), { name: 'ValidationError' })
    const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }))
    const StackId = `arn:aws:cloudformation:eu-west-1:111122223333:stack/${StackName}/1`
    return { Stacks: [{ StackName, StackId, Outputs }] }
  })
}

const tables = (...all: TableDescription[]): void => {
  database.on(DescribeTableCommand).callsFake(({ TableName }) => {
    const Table = all.find((each) => each.TableName === TableName)
    if (!Table)
      throw Object.assign(new Error(`Table: ${TableName} not found`), { name: 'ResourceNotFoundException' })
    return { Table }
  })
}

const recovery = (PointInTimeRecoveryStatus: 'ENABLED' | 'DISABLED') =>
  database.on(DescribeContinuousBackupsCommand).resolves({
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus },
    },
  })

const noCode = () => Promise.reject(new Error('No code is needed.'))
const prepare = (...args: string[]) =>
  prepareDeployment(deploymentFrom(args), { env: process.env, readCode: noCode })

const environment = { ...process.env }
const use = (variables: NodeJS.ProcessEnv) => {
  process.env = { PATH: environment.PATH, AWS_EC2_METADATA_DISABLED: 'true', ...variables }
}
beforeEach(() => {
  formation.reset()
  database.reset()
  const stacks = { 'billing-prod': complete, 'billing-dev': complete, 'billing-standby': complete }
  response({ ...stacks, 'billing-dev-failed': {} })
  tables(describedTable('own'), describedTable('own-restored-1'))
  use({ AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'AK', AWS_SECRET_ACCESS_KEY: 's' })
})
afterAll(() => {
  process.env = environment
})

const guarded =
  /^billing-prod in eu-west-1, account 111122223333: .*5xx-rate rolls the update back, until 10 minutes after it$/
const first = /: no such stack, so this is its first deployment$/

it.each<[string, string[], string[], RegExp]>([
  ['watches the alarm of a stack that exists', ['-c', 'stage=prod'], guard, guarded],
  ['passes no alarm for a first deployment', ['-c', 'stage=dev-new'], [], first],
  ['passes none after a failed creation', ['-c', 'stage=dev-failed'], [], /never created completely$/],
  ['guards no stage that keeps no data', [], none, /not guarded, since this stage keeps no data$/],
  ['passes options of cdk on', ['-c', 'stage=prod', '--require-approval', 'never'], guard, guarded],
])('npm run deploy %s', async (_, args, added, note) => {
  const deployment = await prepare(...args)
  expect(deployment).toMatchObject({ args: ['deploy', ...args, ...added], differences: [] })
  expect(deployment.notes.join('\n')).toMatch(note)
})

it('npm run deploy --hotfix removes the alarm and the time that CloudFormation keeps', async () => {
  const { args } = await prepare('-c', 'stage=prod', '--hotfix')
  expect(args).toEqual(['deploy', '-c', 'stage=prod', ...none])
})

it.each([
  ['is added', withoutChangeIndex],
  ['is still being filled', { 'by-change': { IndexStatus: 'CREATING' } }],
] as const)(
  'npm run deploy lets no alarm roll back while an index %s, which CloudFormation cannot undo then',
  async (_, indexes) => {
    tables(describedTable('own', indexes))
    const { args, notes, differences } = await prepare('-c', 'stage=prod')
    expect({ args, differences }).toEqual({ args: ['deploy', '-c', 'stage=prod', ...none], differences: [] })
    expect(notes[0]).toContain('its own table does not have the index by-change yet')
  },
)

it('npm run deploy prevents replacement and deletion of the table in an existing stack', async () => {
  await prepare('-c', 'stage=dev-new')
  await prepare('-c', 'stage=dev')
  expect(formation.commandCalls(SetStackPolicyCommand)).toEqual([])
  await prepare('-c', 'stage=prod', '--hotfix')
  const [call] = formation.commandCalls(SetStackPolicyCommand)
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

it('npm run deploy does not remove the stream that the pipe of events still reads', async () => {
  response({ 'billing-prod': { EventBus: 'arn', EventPipe: 'pipe', RollbackAlarm: alarm } })
  await expect(prepare('-c', 'stage=prod')).rejects.toThrow("set events to 'stream'")
  expect(formation.commandCalls(SetStackPolicyCommand)).toEqual([])
})

it('npm run deploy stops until a restored table in use is changed by hand, except for a hotfix', async () => {
  const settings = { kept: true, ceiling: { read: 10_000, write: 4_000 }, restored: 1 }
  jest.replaceProperty(stages.standby, 'table', settings)
  tables(describedTable('own'), describedTable('own-restored-1', withoutChangeIndex))
  recovery('DISABLED')
  const { differences, args } = await prepare('-c', 'stage=standby')
  expect(differences.length).toBe(2)
  expect(args.slice(3)).toEqual(guard)
  jest.replaceProperty(stages.dev, 'table', { ...settings, kept: false } as never)
  expect((await prepare()).differences).toHaveLength(1)
  recovery('ENABLED')
  expect((await prepare('-c', 'stage=standby')).differences).toHaveLength(1)
  expect(await prepare('-c', 'stage=standby', '--hotfix')).toMatchObject({
    differences: [],
    notes: [expect.anything(), expect.stringContaining('keeps its ceilings')],
  })
  jest.restoreAllMocks()
})

it('npm run deploy does not deploy without the alarm if CloudFormation does not respond', async () => {
  formation.on(DescribeStacksCommand).rejects(new Error('Could not load credentials from any providers'))
  await expect(prepare('-c', 'stage=prod')).rejects.toThrow('Could not load credentials')
})

// The command line ignores options that it does not know.
it('npm run deploy uses existing options of the CDK', () => {
  const registry = readFileSync('node_modules/aws-cdk/lib/cli/cli-type-registry.json', 'utf8')
  const { options } = JSON.parse(registry).commands.deploy
  for (const option of guard.filter((each) => each.startsWith('--')))
    expect(options).toHaveProperty(option.slice(2))
  expect(options['rollback-trigger-alarm-arns'].desc).toContain("'none'")
})

it('the workflows pin actions, and a job that can ask for credentials runs no install scripts', () => {
  const text =
    readFileSync('.github/workflows/check.yml', 'utf8') +
    readFileSync('.github/workflows/release.yml', 'utf8')
  for (const [, version] of text.matchAll(/uses: [\w-]+\/[^@\n]+@(.*)/g))
    expect(version).toMatch(/^[0-9a-f]{40} # v/)
  const [before = '', deploy = ''] = text.split('  deploy:')
  expect(before.includes('id-token')).toBe(false)
  expect(deploy.includes('id-token: write')).toBe(true)
  expect(deploy.match(/npm ci.*/g)).toEqual(['npm ci --ignore-scripts'])
})

const folder = temporaryFolder()
const files = {
  AWS_CONFIG_FILE: join(folder, 'config'),
  AWS_SHARED_CREDENTIALS_FILE: join(folder, 'credentials'),
}
writeFileSync(
  files.AWS_CONFIG_FILE,
  `[default]
region = us-west-2
[profile plain]
[profile mfa]
role_arn = arn:aws:iam::111122223333:role/admin
source_profile = plain
mfa_serial = arn:aws:iam::111122223333:mfa/me
region = eu-central-1
`,
)
const keys = (name: string) => `[${name}]\naws_access_key_id = ${name}\naws_secret_access_key = s\n`
writeFileSync(files.AWS_SHARED_CREDENTIALS_FILE, keys('default') + keys('plain'))

const inEnvironment = { AWS_ACCESS_KEY_ID: 'environment', AWS_SECRET_ACCESS_KEY: 's' }
const find = (profile?: string, readCode: Terminal['readCode'] = noCode) =>
  findCaller(profile, { env: process.env, readCode })

const plain = { AWS_PROFILE: 'plain' }
const west1 = { AWS_DEFAULT_REGION: 'eu-west-1' }

// The order of precedence is that of the CDK.
it.each<[string, string | undefined, NodeJS.ProcessEnv, string, string]>([
  ['the default profile', undefined, {}, 'us-west-2', 'default'],
  ['AWS_DEFAULT_REGION over the profile', undefined, west1, 'eu-west-1', 'default'],
  ['AWS_REGION over it', undefined, { ...west1, AWS_REGION: 'eu-west-2' }, 'eu-west-2', 'default'],
  ['the region of the default profile where one has none', 'plain', {}, 'us-west-2', 'plain'],
  ['AWS_PROFILE', undefined, plain, 'us-west-2', 'plain'],
  ['AWS_DEFAULT_PROFILE', undefined, { AWS_DEFAULT_PROFILE: 'plain' }, 'us-west-2', 'plain'],
  ['keys over AWS_PROFILE', undefined, { ...inEnvironment, ...plain }, 'us-west-2', 'environment'],
  ['--profile over keys of the environment', 'plain', inEnvironment, 'us-west-2', 'plain'],
])('a deployment uses %s', async (_, profile, variables, region, accessKeyId) => {
  use({ ...files, ...variables })
  expect(await find(profile)).toMatchObject({ region, credentials: { accessKeyId } })
})

it('a deployment with a misspelt --profile uses no other credentials', async () => {
  use({ ...files, ...inEnvironment })
  await expect(find('plane')).rejects.toThrow('plane')
})

it('a deployment does not guess a region', async () => {
  use(inEnvironment)
  await expect(find()).rejects.toThrow('no region: set AWS_REGION, or "region" of the profile "default"')
})

it('a profile with a multi-factor device asks for its code once, and the CDK gets the credentials', async () => {
  const sts = createServer((_, response) =>
    response.end(`<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
      <AccessKeyId>assumed</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>
      <Expiration>2100-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`),
  ).listen(0)
  await once(sts, 'listening')
  use({ ...files, AWS_ENDPOINT_URL_STS: `http://localhost:${(sts.address() as AddressInfo).port}` })
  const asked: string[] = []
  const caller = await find('mfa', async (serial) => {
    asked.push(serial)
    return '123456'
  })
  sts.close()
  expect(asked).toEqual(['arn:aws:iam::111122223333:mfa/me'])
  expect(environmentOf(process, caller, 'mfa')).toMatchObject({
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'assumed',
    AWS_SESSION_TOKEN: 't',
    AWS_PROFILE: 'mfa',
  })
})
