import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import {
  CloudFormationClient,
  DescribeStacksCommand,
  SetStackPolicyCommand,
} from '@aws-sdk/client-cloudformation'
import { mockClient } from 'aws-sdk-client-mock'
import { prepareDeployment } from '../../lib/stack/deployment.ts'
import { synthesise } from '../support/synthesis.ts'

const formation = mockClient(CloudFormationClient)
const alarm = 'arn:aws:cloudwatch:eu-west-1:111122223333:alarm:billing-prod 5xx-rate'
const guard = ['--rollback-trigger-alarm-arns', alarm, '--monitoring-time-minutes', '10']

/** Responds as CloudFormation does: with the stack's outputs, which a stack has once it was created completely. */
const response = (stacks: Readonly<Record<string, Readonly<Record<string, string>>>>): void => {
  formation.on(DescribeStacksCommand).callsFake(({ StackName }) => {
    const outputs = stacks[StackName]
    if (!outputs)
      throw Object.assign(new Error(`Stack with id ${StackName} does not exist`), { name: 'ValidationError' })
    const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }))
    return { Stacks: [{ StackName, Outputs }] }
  })
}

beforeEach(() => {
  formation.reset()
  response({ 'billing-prod': { Commit: '0123456789ab', RollbackAlarm: alarm }, 'billing-failed': {} })
})

describe('npm run deploy', () => {
  it.each<[string, string[], string[]]>([
    ['watches the alarm of a stack that exists', ['-c', 'stage=prod'], guard],
    ['finds the stage in any spelling', ['--context=stage=dev', '-c', 'a=b', '-cstage=prod'], guard],
    ['passes no alarm for a first deployment', [], []],
    ['passes no alarm for a stack whose creation failed', ['-c', 'stage=failed'], []],
    ['passes options of cdk on', ['-c', 'stage=prod', '--require-approval', 'never'], guard],
  ])('%s', async (_, args, added) => {
    expect(await prepareDeployment(args)).toEqual(['deploy', ...args, ...added])
  })

  it('removes the alarm that CloudFormation keeps, for a hotfix while the alarm is on', async () => {
    const args = await prepareDeployment(['-c', 'stage=prod', '--hotfix'])
    expect(args).toEqual(['deploy', '-c', 'stage=prod', '--rollback-trigger-alarm-arns', 'none'])
  })

  it('prevents replacement and deletion of the table in an existing stack', async () => {
    await prepareDeployment(['-c', 'stage=new'])
    expect(formation.commandCalls(SetStackPolicyCommand)).toEqual([])
    await prepareDeployment(['-c', 'stage=prod', '--hotfix'])
    const [call] = formation.commandCalls(SetStackPolicyCommand)
    const { StackName, StackPolicyBody } = call!.args[0].input
    const { Statement } = JSON.parse(StackPolicyBody!)
    expect([StackName, Statement[1]]).toEqual([
      'billing-prod',
      expect.objectContaining({
        Effect: 'Deny',
        Action: ['Update:Replace', 'Update:Delete'],
        Condition: { StringEquals: { ResourceType: ['AWS::DynamoDB::Table'] } },
      }),
    ])
  })

  it('does not remove the stream that the pipe of events still reads', async () => {
    response({ 'billing-prod': { EventBus: 'arn', EventPipe: 'pipe', RollbackAlarm: alarm } })
    await expect(prepareDeployment(['-c', 'stage=prod'])).rejects.toThrow("set events to 'stream'")
    expect(formation.commandCalls(SetStackPolicyCommand)).toEqual([])
  })

  it('does not deploy without the alarm if CloudFormation does not respond', async () => {
    formation.on(DescribeStacksCommand).rejects(new Error('Could not load credentials from any providers'))
    await expect(prepareDeployment(['-c', 'stage=prod'])).rejects.toThrow('Could not load credentials')
  })

  it('finds the alarm in an output of the stack', () => {
    const made = synthesise('prod')
    const [[id]] = made
      .all('AWS::CloudWatch::Alarm')
      .filter(([, { Properties }]) => Properties.AlarmName.endsWith(' 5xx-rate')) as [[string, unknown]]
    const { Outputs } = made.template.toJSON()
    expect(Outputs.RollbackAlarm.Value).toEqual({ 'Fn::GetAtt': [id, 'Arn'] })
  })

  // The command line ignores options that it does not know.
  it('uses existing options of the CDK', () => {
    const help = execFileSync('npx', ['cdk', 'deploy', '--help'], { encoding: 'utf8' })
    for (const option of guard.filter((each) => each.startsWith('--'))) expect(help).toContain(option)
    expect(help).toContain("'none'")
  })
})

it('the workflows pin actions, and a job that can ask for credentials runs no install scripts', () => {
  const text =
    readFileSync('.github/workflows/check.yml', 'utf8') +
    readFileSync('.github/workflows/release.yml', 'utf8')
  for (const [, version] of text.matchAll(/uses: [\w-]+\/[^@\n]+@(.*)/g))
    expect(version).toMatch(/^[0-9a-f]{40} # v/)
  const [before = '', deploy = ''] = text.split('  deploy:')
  expect([before.includes('id-token'), deploy.includes('id-token: write')]).toEqual([false, true])
  expect(deploy.match(/npm ci.*/g)).toEqual(['npm ci --ignore-scripts'])
})
