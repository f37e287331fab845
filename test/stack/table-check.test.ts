import type { TableDescription } from '@aws-sdk/client-dynamodb'
import { type Difference, differencesOf } from '../../lib/stack/table-check.ts'
import type { StageSettings } from '../../lib/stages.ts'
import { shellDifferences } from '../support/documents/shell-portability.ts'
import { describedTable, withoutChangeIndex } from '../support/stack/table-descriptions.ts'

const settings = { kept: true, ceiling: { read: 10_000, write: 4_000 }, restored: 1 }
/** Returns the differences of a table. Expects that people can paste every command into their shell. */
const differences = (
  table: TableDescription,
  stage: Partial<StageSettings> = {},
  recoverable = true,
): Difference[] => {
  const found = differencesOf({ table, recoverable, region: 'eu-west-1' }, { table: settings, ...stage })
  expect(found.flatMap(([, command = '']) => shellDifferences(command))).toEqual([])
  return found
}

const complete = describedTable('table')
const encrypted = { ...complete, SSEDescription: { KMSMasterKeyArn: 'old' } }
const { OnDemandThroughput: _, ...unbounded } = complete
const otherKey = {
  KeySchema: [
    { AttributeName: 'list', KeyType: 'HASH' as const },
    { AttributeName: 'order', KeyType: 'RANGE' as const },
  ],
}
const few = { Projection: { NonKeyAttributes: ['data'] } }
const low = { OnDemandThroughput: { MaxReadRequestUnits: 1, MaxWriteRequestUnits: 1 } }
const ceilings = '{"MaxReadRequestUnits":10000,"MaxWriteRequestUnits":4000}'
const keysOnly = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } as const
const switchedOff = { ...complete, LatestStreamLabel: 'label' }
const streaming = { ...switchedOff, StreamSpecification: keysOnly }
const values = {
  ...streaming,
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' as const },
}
const events = { streamLabel: 'label' }

it.each<[string, TableDescription, Partial<StageSettings>]>([
  ['what the code needs', complete, {}],
  ['an index whose ceiling changes', describedTable('table', { 'by-list': { IndexStatus: 'UPDATING' } }), {}],
  ['the key of the stage', encrypted, { keyArn: 'old' }],
  ['the stream of the stage', streaming, { events }],
  ['no stream while the stage has no pipe', complete, { events: 'stream' }],
])('a restored table needs no change if it has %s', (_, table, stage) => {
  expect(differences(table, stage)).toEqual([])
})

const created = '{"Create":{"IndexName":"by-change"'
const keyOf = 'AttributeName=list,AttributeType=S AttributeName=changed,AttributeType=S'
const deleted = (index: string) => `[{"Delete":{"IndexName":"${index}"}}]`
const lowered = `[{"Update":{"IndexName":"by-list","OnDemandThroughput":${ceilings}}}]`
const newKey = '--sse-specification Enabled=true,SSEType=KMS,KMSMasterKeyId=new '
const keys = ['has no stream', 'StreamEnabled=true,StreamViewType=KEYS_ONLY', 'LatestStreamLabel']
const unprotected = { ...complete, DeletionProtectionEnabled: false }

it.each<[string, TableDescription, Partial<StageSettings>, string[]]>([
  [
    'an index',
    describedTable('table', withoutChangeIndex),
    {},
    [keyOf, created, `"OnDemandThroughput":${ceilings}`],
  ],
  ['an index with its key', describedTable('table', { 'by-change': otherKey }), {}, [deleted('by-change')]],
  ['all attributes of an index', describedTable('table', { 'by-list': few }), {}, [deleted('by-list')]],
  ['a ceiling', unbounded, {}, [`--on-demand-throughput '${ceilings}'`]],
  ['the ceiling of an index', describedTable('table', { 'by-list': low }), {}, [lowered]],
  ['protection against deletion', unprotected, {}, ['--deletion-protection-enabled']],
  ['the first key of the stage', complete, { keyArn: 'new' }, ['is encrypted with another key', newKey]],
  ['another key', encrypted, { keyArn: 'new' }, [newKey]],
  ['the key of AWS', encrypted, {}, ['--sse-specification Enabled=false ']],
  ['a stream', complete, { events }, keys],
  ['a stream in place of the one switched off', switchedOff, { events }, keys],
  ['a stream of keys alone', values, { events }, ['has a stream with more than keys', 'StreamEnabled=false']],
])('a restored table lacks %s, which one command brings', (_, table, stage, parts) => {
  const [[how, command] = [], ...more] = differences(table, stage)
  expect(more).toEqual([])
  for (const part of ['aws dynamodb update-table --region eu-west-1 --table-name table ', ...parts])
    expect(`${how}\n${command}`).toContain(part)
})

it('a restored table lacks point-in-time recovery, which a restore does not bring back', () => {
  expect(differences(complete, {}, false)).toEqual([
    [
      'has no point-in-time recovery',
      'aws dynamodb update-continuous-backups --region eu-west-1 --table-name table --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true --no-cli-pager',
    ],
  ])
})

it('a restored table has a stream with another label than the stage says', () => {
  expect(differences(streaming, { events: { streamLabel: 'other' } })).toEqual([
    ['has the stream "label": set events to { streamLabel: "label" } in lib/stages.ts (got "other")'],
  ])
})

it('a deployment waits for a restored table while DynamoDB fills an index', () => {
  const table = describedTable('table', { 'by-change': { IndexStatus: 'CREATING' } })
  expect(differences(table)).toEqual([[expect.stringMatching(/^is still building the index by-change/)]])
})
