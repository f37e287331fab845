import type { TableDescription } from '@aws-sdk/client-dynamodb'
import { changesByHand } from '../../lib/stack/table-check.ts'
import type { StageSettings } from '../../lib/stages.ts'
import { noChanges, tableWith } from '../support/table-descriptions.ts'

const settings = { kept: true, ceiling: { read: 10_000, write: 4_000 }, restored: 1 }
const changes = (table: TableDescription, events: StageSettings['events'] = false): string[] =>
  changesByHand({ table, region: 'eu-west-1' }, { table: settings, events })

const complete = tableWith('table')
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

it('a restored table needs no change if it has what the code and the stage need', () => {
  expect(changes(complete)).toEqual([])
  expect(changes(tableWith('table', { 'by-list': { IndexStatus: 'UPDATING' } }))).toEqual([])
})

it.each<[string, TableDescription, string[]]>([
  [
    'an index that it lacks',
    tableWith('table', noChanges),
    [
      'AttributeName=list,AttributeType=S AttributeName=changed,AttributeType=S',
      '{"Create":{"IndexName":"by-change"',
      `"OnDemandThroughput":${ceilings}`,
    ],
  ],
  [
    'another key of an index',
    tableWith('table', { 'by-change': otherKey }),
    ['[{"Delete":{"IndexName":"by-change"}}]'],
  ],
  [
    'other attributes of an index',
    tableWith('table', { 'by-list': few }),
    ['[{"Delete":{"IndexName":"by-list"}}]'],
  ],
  ['a ceiling that it lacks', unbounded, [`--on-demand-throughput '${ceilings}'`]],
  [
    'another ceiling of an index',
    tableWith('table', { 'by-list': low }),
    [`[{"Update":{"IndexName":"by-list","OnDemandThroughput":${ceilings}}}]`],
  ],
  [
    'protection against deletion',
    { ...complete, DeletionProtectionEnabled: false },
    ['--deletion-protection-enabled'],
  ],
])('a restored table needs one command for %s', (_, table, parts) => {
  const [comment, command, ...more] = changes(table)
  expect([comment, more]).toEqual([expect.stringMatching(/^# /), []])
  for (const part of ['aws dynamodb update-table --region eu-west-1 --table-name table ', ...parts])
    expect(command).toContain(part)
})

it.each<[string, Partial<TableDescription>, string, string[]]>([
  ['no stream', {}, 'has no stream', ['StreamEnabled=true,StreamViewType=KEYS_ONLY', 'LatestStreamLabel']],
  [
    'a stream that was switched off',
    { LatestStreamLabel: 'label' },
    'has no stream',
    ['StreamEnabled=true,StreamViewType=KEYS_ONLY'],
  ],
  [
    'a stream with values',
    {
      LatestStreamLabel: 'label',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    },
    'has a stream with more than keys',
    ['StreamEnabled=false'],
  ],
])('a restored table needs another stream for events if it has %s', (_, stream, why, parts) => {
  const [comment, command, ...more] = changes({ ...complete, ...stream }, { streamLabel: 'label' })
  expect([comment, more]).toEqual([expect.stringContaining(why), []])
  for (const part of parts) expect(command).toContain(part)
})

it('a restored table must have the stream whose label the stage has', () => {
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } as const
  const table = { ...complete, StreamSpecification, LatestStreamLabel: 'label' }
  expect(changes(table, { streamLabel: 'label' })).toEqual([])
  expect(changes(table, { streamLabel: 'other' })).toEqual([
    '# has the stream "label": set events to { streamLabel: "label" } in lib/stages.ts (got "other")',
  ])
  expect(changes(complete, 'stream')).toEqual([])
})

it('a deployment waits for a restored table while DynamoDB fills an index', () => {
  const table = tableWith('table', { 'by-change': { IndexStatus: 'CREATING' } })
  expect(changes(table)).toEqual([expect.stringMatching(/^# is still filling the index by-change/)])
})
