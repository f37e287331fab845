import { Stack } from 'aws-cdk-lib'
import { BillingTable } from '../../../lib/billing-table.ts'
import { ChangeEvents } from '../../../lib/stack/change-events.ts'
import { eventsStep } from '../../../lib/stack/events-step.ts'
import type { StageSettings } from '../../../lib/stages.ts'
import { everyOption, type Synthesis, synthesise } from '../../support/stack/synthesis.ts'

const ownTable = { kept: true }
/** A stack at each step of setting up events: nothing, the stream and the bus, and the pipe too. */
const withoutEvents = synthesise('full', { ...everyOption, table: ownTable, events: false })
const withStream = synthesise('full', { ...everyOption, table: ownTable, events: 'stream' })
const withPipe = synthesise('full', { ...everyOption, table: ownTable, events: true })
/** The same stack with the pipe, after a restore. */
const restored = synthesise('full', everyOption)
const { streamLabel } = everyOption.events as { readonly streamLabel: string }

const pipeOf = ({ only }: Synthesis) => only('AWS::Pipes::Pipe').Properties
const eventResources = ({ template }: Synthesis): string[] =>
  Object.keys(template.toJSON().Resources).filter((id) => /^Events|^AlarmsEvent/.test(id))
const outputsOf = ({ template }: Synthesis): string[] => Object.keys(template.toJSON().Outputs)
const streamOf = ({ only }: Synthesis) => only('AWS::DynamoDB::Table').Properties.StreamSpecification

it('the stack has neither stream nor bus nor alarm without events', () => {
  expect(streamOf(withoutEvents)).toBe(undefined)
  expect(eventResources(withoutEvents)).toEqual([])
  expect(withoutEvents.template.toJSON().Outputs).not.toHaveProperty('EventBus')
})

it.each([
  ['the stream alone', withStream],
  ['the pipe', withPipe],
  ['a restored table', restored],
])('the stream of a stack with %s contains only keys', (_, synthesis) => {
  expect(streamOf(synthesis)).toEqual({ StreamViewType: 'KEYS_ONLY' })
})

it('the stack has the bus and the role before it has the pipe', () => {
  expect(withStream.all('AWS::Pipes::Pipe')).toEqual([])
  for (const type of ['AWS::Events::EventBus', 'AWS::IAM::Role', 'AWS::IAM::Policy'])
    expect(withStream.all(type)).toEqual(withPipe.all(type))
  const { Outputs } = withStream.template.toJSON()
  expect(Outputs).toHaveProperty('EventBus')
  expect(Outputs).not.toHaveProperty('EventPipe')
})

const roleAndPolicyOf = (synthesis: Synthesis) => {
  const role: string = pipeOf(synthesis).RoleArn['Fn::GetAtt'][0]
  const withoutHash = role.slice(0, -8)
  const policies = synthesis.all('AWS::IAM::Policy')
  const [policyId, policy] = policies.find(([id]) => id.startsWith(withoutHash))!
  return { role, policyId, policy }
}

it('the pipe discards no record, and is created after the permissions of its role', () => {
  const { Name, Target, SourceParameters, TargetParameters } = pipeOf(withPipe)
  const [bus] = withPipe.all('AWS::Events::EventBus')[0]!
  // CloudFormation gives it a name, so that a pipe for a restored table can exist beside it.
  expect(Name).toBeUndefined()
  expect(SourceParameters.DynamoDBStreamParameters).toEqual({
    StartingPosition: 'TRIM_HORIZON',
    BatchSize: 10,
    ParallelizationFactor: 10,
    OnPartialBatchItemFailure: 'AUTOMATIC_BISECT',
    MaximumRetryAttempts: -1,
    MaximumRecordAgeInSeconds: -1,
  })
  expect(Target).toEqual({ 'Fn::GetAtt': [bus, 'Arn'] })
  expect(TargetParameters.EventBridgeEventBusParameters).toEqual({
    Source: 'billing-data-api',
    DetailType: 'entity.changed',
  })
  const { role, policyId } = roleAndPolicyOf(withPipe)
  expect(withPipe.only('AWS::Pipes::Pipe').DependsOn!.toSorted()).toEqual([policyId, role].sort())
  expect(withPipe.template.toJSON().Outputs.EventBus.Value).toEqual({ 'Fn::GetAtt': [bus, 'Arn'] })
})

it.each([
  ['its own table', withPipe, { 'Fn::GetAtt': [withPipe.all('AWS::DynamoDB::Table')[0]![0], 'StreamArn'] }],
  ['a restored table', restored, expect.objectContaining({ 'Fn::Join': ['', expect.any(Array)] })],
])(
  'the pipe is only allowed to read the stream of %s, decrypt through DynamoDB and write to the bus',
  (_, synthesis, stream) => {
    const { Source, Target } = pipeOf(synthesis)
    const { role, policy } = roleAndPolicyOf(synthesis)
    expect(Source).toEqual(stream)
    const readActions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams']
    const throughDynamoDb = { StringEquals: { 'kms:ViaService': expect.anything() } }
    expect(policy.Properties.PolicyDocument.Statement).toEqual([
      { Effect: 'Allow', Action: readActions.map((action) => `dynamodb:${action}`), Resource: Source },
      { Effect: 'Allow', Action: 'events:PutEvents', Resource: Target },
      { Effect: 'Allow', Action: 'kms:Decrypt', Resource: '*', Condition: throughDynamoDb },
    ])
    const roles = new Map(synthesis.all('AWS::IAM::Role'))
    expect(roles.get(role)!.Properties.AssumeRolePolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Action: 'sts:AssumeRole',
        Principal: { Service: 'pipes.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ])
  },
)

it('a restored table has a pipe and a role of its own, so that both pipes can exist', () => {
  expect(JSON.stringify(pipeOf(restored).Source)).toContain(`-restored-1/stream/${streamLabel}`)
  const pipeAndRole = (synthesis: Synthesis) =>
    eventResources(synthesis).filter((id) => !/^EventsBus|^Alarms/.test(id))
  const idsOfOwnTable = pipeAndRole(withPipe)
  expect(pipeAndRole(restored).filter((id) => idsOfOwnTable.includes(id))).toEqual([])
})

it.each([
  [{ restored: 1 }, true, /events must be \{ streamLabel: … \} with table\.restored/],
  [{}, { streamLabel }, /events\.streamLabel must not be set without table\.restored/],
])('the stack refuses the settings table %j and events %j', (table, events, message) => {
  const settings = { ...everyOption, table: { kept: true, ...table }, events }
  const stack = new Stack()
  const tables = new BillingTable(stack, 'Billing', settings)
  expect(() => new ChangeEvents(stack, 'Events', { tables, settings })).toThrow(message)
})

it('the stack has no pipe while the stream of the restored table is unknown', () => {
  const synthesis = synthesise('full', { ...everyOption, events: 'stream' })
  expect(synthesis.all('AWS::Pipes::Pipe')).toEqual([])
  expect(streamOf(synthesis)).toEqual({ StreamViewType: 'KEYS_ONLY' })
})

describe('npm run deploy', () => {
  type EventsSetting = StageSettings['events']
  const off = outputsOf(withoutEvents)
  const stream = outputsOf(withStream)
  const pipe = outputsOf(withPipe)

  it.each<[string, string[], EventsSetting, RegExp]>([
    ['adds the stream, and says what to set next', off, 'stream', /adds the stream.*then set events to true/],
    ['adds the pipe to a stream', stream, true, /adds the pipe/],
    ['removes the pipe, and says to delete the rules', pipe, 'stream', /removes the pipe.*delete the rules/],
    ['removes the stream', stream, false, /removes the stream/],
  ])('%s', (_, deployed, setting, note) => {
    expect(eventsStep(deployed, setting)).toMatch(note)
  })

  it.each<[string, string[], EventsSetting]>([
    ['events that stay off', off, undefined],
    ['a stream that stays', stream, 'stream'],
    ['events that stay on', pipe, true],
    ['events that stay on with a restored table', pipe, { streamLabel }],
    ['a restored table, whose stream exists', off, { streamLabel }],
  ])('has no note on %s', (_, deployed, setting) => {
    expect(eventsStep(deployed, setting)).toBeUndefined()
  })

  it.each<[string, string[], EventsSetting]>([
    ['create a pipe together with its stream', off, true],
    ['create a pipe in a new stack', [], true],
    ['remove a stream that a pipe still reads', pipe, undefined],
  ])('refuses to %s', (_, deployed, setting) => {
    expect(() => eventsStep(deployed, setting)).toThrow("set events to 'stream' and deploy first")
  })
})
