import { eventsStep } from '../../../lib/stack/events-step.ts'
import type { StageSettings } from '../../../lib/stages.ts'
import { everyOption, type Synthesis, synthesise } from '../../support/stack/synthesis.ts'

const ownTable = { kept: true }
const without = synthesise('full', { ...everyOption, table: ownTable, events: false })
const streaming = synthesise('full', { ...everyOption, table: ownTable, events: 'stream' })
const on = synthesise('full', { ...everyOption, table: ownTable, events: true })
const restored = synthesise('full', everyOption)
const { streamLabel } = everyOption.events as { readonly streamLabel: string }

const pipeOf = ({ only }: Synthesis) => only('AWS::Pipes::Pipe').Properties
/** Returns the logical ids of the resources for events. */
const eventResources = ({ template }: Synthesis): string[] =>
  Object.keys(template.toJSON().Resources).filter((id) => /^Events|^AlarmsEvent/.test(id))
const outputsOf = ({ template }: Synthesis): string[] => Object.keys(template.toJSON().Outputs)
const streamOf = ({ only }: Synthesis) => only('AWS::DynamoDB::Table').Properties.StreamSpecification

it('the stack has neither stream nor bus nor alarm without events', () => {
  expect(streamOf(without)).toBe(undefined)
  expect(eventResources(without)).toEqual([])
  expect(without.template.toJSON().Outputs).not.toHaveProperty('EventBus')
})

it('the stack has the stream with keys alone, the bus and the role before the pipe', () => {
  for (const made of [streaming, on, restored])
    expect(streamOf(made)).toEqual({ StreamViewType: 'KEYS_ONLY' })
  expect(streaming.all('AWS::Pipes::Pipe')).toEqual([])
  for (const type of ['AWS::Events::EventBus', 'AWS::IAM::Role', 'AWS::IAM::Policy'])
    expect(streaming.all(type)).toEqual(on.all(type))
  const { Outputs } = streaming.template.toJSON()
  expect(Outputs.EventBus === undefined).toBe(false)
  expect(Outputs.EventPipe).toBe(undefined)
})

it('the pipe gives up no record, and is created after the permissions of its role', () => {
  const { Name, Target, RoleArn, SourceParameters, TargetParameters } = pipeOf(on)
  const [bus] = on.all('AWS::Events::EventBus')[0]!
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
  const role = RoleArn['Fn::GetAtt'][0]
  const [, { DependsOn }] = on.all('AWS::Pipes::Pipe')[0] as unknown as [string, { DependsOn: string[] }]
  const [policy] = on.all('AWS::IAM::Policy').find(([id]) => id.startsWith(role.slice(0, -8)))!
  expect(DependsOn.sort()).toEqual([policy, role].sort())
  expect(on.template.toJSON().Outputs.EventBus.Value).toEqual({ 'Fn::GetAtt': [bus, 'Arn'] })
})

it.each([
  ['its own table', on, { 'Fn::GetAtt': [on.all('AWS::DynamoDB::Table')[0]![0], 'StreamArn'] }],
  ['a restored table', restored, expect.objectContaining({ 'Fn::Join': ['', expect.any(Array)] })],
])(
  'the pipe may only read the stream of %s, decrypt through DynamoDB and write to the bus',
  (_, made, stream) => {
    const { RoleArn, Source, Target } = pipeOf(made)
    const role = RoleArn['Fn::GetAtt'][0]
    const [, policy] = made.all('AWS::IAM::Policy').find(([id]) => id.startsWith(role.slice(0, -8)))!
    expect(Source).toEqual(stream)
    const reading = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams']
    const throughDynamoDb = { StringEquals: { 'kms:ViaService': expect.anything() } }
    expect(policy.Properties.PolicyDocument.Statement).toEqual([
      { Effect: 'Allow', Action: reading.map((action) => `dynamodb:${action}`), Resource: Source },
      { Effect: 'Allow', Action: 'events:PutEvents', Resource: Target },
      { Effect: 'Allow', Action: 'kms:Decrypt', Resource: '*', Condition: throughDynamoDb },
    ])
    const [, trusting] = made.all('AWS::IAM::Role').find(([id]) => id === role)!
    expect(trusting.Properties.AssumeRolePolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Action: 'sts:AssumeRole',
        Principal: { Service: 'pipes.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ])
  },
)

it('a restored table has a pipe and a role of its own, beside those of the table before', () => {
  expect(JSON.stringify(pipeOf(restored).Source)).toContain(`-restored-1/stream/${streamLabel}`)
  const pipeAndRole = (made: Synthesis) => eventResources(made).filter((id) => !/^EventsBus|^Alarms/.test(id))
  expect(pipeAndRole(restored).filter((id) => pipeAndRole(on).includes(id))).toEqual([])
})

it.each([
  [{ restored: 1 }, true, /events must be \{ streamLabel: … \} with table\.restored/],
  [{}, { streamLabel }, /events\.streamLabel must not be set without table\.restored/],
])('the stack refuses the settings table %j and events %j', (table, events, message) => {
  expect(() => synthesise('full', { ...everyOption, table: { kept: true, ...table }, events })).toThrow(
    message,
  )
})

it('the stack has no pipe while the stream of the restored table is unknown', () => {
  const made = synthesise('full', { ...everyOption, table: { kept: true, restored: 1 }, events: 'stream' })
  expect(made.all('AWS::Pipes::Pipe')).toEqual([])
  expect(streamOf(made)).toEqual({ StreamViewType: 'KEYS_ONLY' })
})

/** The outputs of a stack without events, with the stream alone, and with the pipe. */
const [off, stream, pipe] = [without, streaming, on].map(outputsOf) as [string[], string[], string[]]
const skipped = /^refused: .*set events to 'stream' and deploy first/

it.each<[string, string[], StageSettings['events'], RegExp | undefined]>([
  ['adds the stream, and says what to set next', off, 'stream', /^adds the stream.*then set events to true/],
  ['adds the pipe to a stream', stream, true, /^adds the pipe/],
  ['removes the pipe, and says to delete the rules', pipe, 'stream', /^removes the pipe.*delete the rules/],
  ['removes the stream', stream, false, /^removes the stream/],
  ['says nothing of events that stay off', off, undefined, undefined],
  ['says nothing of a stream that stays', stream, 'stream', undefined],
  ['says nothing of events that stay on', pipe, true, undefined],
  ['says nothing of events that stay on with a restored table', pipe, { streamLabel }, undefined],
  ['says nothing of a restored table, whose stream exists', off, { streamLabel }, undefined],
  ['creates no pipe together with its stream', off, true, skipped],
  ['creates no pipe in a new stack', [], true, skipped],
  ['removes no stream that a pipe still reads', pipe, undefined, skipped],
])('npm run deploy %s', (_, deployed, wanted, expected) => {
  let said: string | undefined
  try {
    said = eventsStep(deployed, wanted)?.replace('Events: this ', '')
  } catch (error) {
    said = `refused: ${(error as Error).message}`
  }
  expect(said).toEqual(expected && expect.stringMatching(expected))
})
