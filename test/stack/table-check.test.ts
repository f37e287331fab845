import type { TableDescription } from '@aws-sdk/client-dynamodb'
import { type Difference, differencesOf } from '../../lib/stack/table-check.ts'
import type { StageSettings } from '../../lib/stages.ts'
import { shellDifferences } from '../support/documents/shell-portability.ts'
import { describedTable, withoutChangeIndex } from '../support/stack/table-descriptions.ts'

const settings = { kept: true, ceiling: { read: 10_000, write: 4_000 }, restored: 1 }
/** People can paste every command into their shell. */
const differencesFrom = (
  stage: Partial<StageSettings>,
  table: TableDescription,
  recoverable = true,
): Difference[] => {
  const differences = differencesOf(
    { table, recoverable, region: 'eu-west-1' },
    { table: settings, ...stage },
  )
  expect(differences.flatMap(([, command = '']) => shellDifferences(command))).toEqual([])
  return differences
}

const complete = describedTable('table')
const encrypted = { ...complete, SSEDescription: { KMSMasterKeyArn: 'old' } }
const withStreamTurnedOff = { ...complete, LatestStreamLabel: 'label' }
const withStream: TableDescription = {
  ...withStreamTurnedOff,
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
}
const events = { streamLabel: 'label' }

it.each<[string, Partial<StageSettings>, TableDescription]>([
  ['if it has what the code needs', {}, complete],
  [
    'while the ceiling of an index changes',
    {},
    describedTable('table', { 'by-list': { IndexStatus: 'UPDATING' } }),
  ],
  ['if it has the key of the stage', { keyArn: 'old' }, encrypted],
  ['if it has the stream of the stage', { events }, withStream],
  ['if it has no stream while the stage has no event pipe', { events: 'stream' }, complete],
])('a restored table needs no change %s', (_, stage, table) => {
  expect(differencesFrom(stage, table)).toEqual([])
})

/** The text contains `how`, and the command changes the table with options that contain `parts`. */
const expectOneCommand = (differences: readonly Difference[], how: string, ...parts: string[]): void => {
  expect(differences).toEqual([[expect.stringContaining(how), expect.any(String)]])
  const command = differences[0]![1]
  expect(command).toContain('aws dynamodb update-table --region eu-west-1 --table-name table ')
  for (const part of parts) expect(command).toContain(part)
}

describe('one command', () => {
  const ceilings = '{"MaxReadRequestUnits":10000,"MaxWriteRequestUnits":4000}'

  it('creates an index that a restored table lacks', () => {
    const differences = differencesFrom({}, describedTable('table', withoutChangeIndex))
    expectOneCommand(
      differences,
      'lacks the index by-change',
      'AttributeName=list,AttributeType=S AttributeName=changed,AttributeType=S',
      '{"Create":{"IndexName":"by-change"',
      `"OnDemandThroughput":${ceilings}`,
    )
  })

  it('deletes an index with another key', () => {
    const KeySchema = [
      { AttributeName: 'list', KeyType: 'HASH' as const },
      { AttributeName: 'order', KeyType: 'RANGE' as const },
    ]
    const differences = differencesFrom({}, describedTable('table', { 'by-change': { KeySchema } }))
    expectOneCommand(differences, 'has a different index by-change', '[{"Delete":{"IndexName":"by-change"}}]')
  })

  it('deletes an index that lacks attributes', () => {
    const Projection = { NonKeyAttributes: ['data'] }
    const differences = differencesFrom({}, describedTable('table', { 'by-list': { Projection } }))
    expectOneCommand(differences, 'has a different index by-list', '[{"Delete":{"IndexName":"by-list"}}]')
  })

  it('sets the ceiling of a table without one', () => {
    const { OnDemandThroughput: _, ...unlimited } = complete
    const differences = differencesFrom({}, unlimited)
    expectOneCommand(differences, 'ceiling', `--on-demand-throughput '${ceilings}'`)
  })

  it('changes the ceiling of an index', () => {
    const OnDemandThroughput = { MaxReadRequestUnits: 1, MaxWriteRequestUnits: 1 }
    const differences = differencesFrom({}, describedTable('table', { 'by-list': { OnDemandThroughput } }))
    const update = `[{"Update":{"IndexName":"by-list","OnDemandThroughput":${ceilings}}}]`
    expectOneCommand(differences, 'ceiling', update)
  })

  it('protects a table from deletion', () => {
    const differences = differencesFrom({}, { ...complete, DeletionProtectionEnabled: false })
    expectOneCommand(differences, 'deletion', '--deletion-protection-enabled')
  })

  it.each([
    ['the first key of the stage', complete, 'new', 'Enabled=true,SSEType=KMS,KMSMasterKeyId=new '],
    ['another key', encrypted, 'new', 'Enabled=true,SSEType=KMS,KMSMasterKeyId=new '],
    ['the key of AWS', encrypted, undefined, 'Enabled=false '],
  ])('encrypts a table with %s', (_, table, keyArn, specification) => {
    const differences = differencesFrom(keyArn === undefined ? {} : { keyArn }, table)
    expectOneCommand(differences, 'is encrypted with another key', `--sse-specification ${specification}`)
  })

  it.each([
    ['that has none', complete],
    ['whose stream is turned off', withStreamTurnedOff],
  ])('adds a stream to a table %s', (_, table) => {
    const differences = differencesFrom({ events }, table)
    const specification = 'StreamEnabled=true,StreamViewType=KEYS_ONLY'
    expectOneCommand(differences, 'has no stream', specification, 'LatestStreamLabel')
  })

  it('turns off a stream of more than keys', () => {
    const differences = differencesFrom(
      { events },
      { ...withStream, StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } },
    )
    expectOneCommand(differences, 'has a stream with more than keys', 'StreamEnabled=false')
  })
})

it('a restored table lacks point-in-time recovery, which a restore does not bring back', () => {
  expect(differencesFrom({}, complete, false)).toEqual([
    [
      'has no point-in-time recovery',
      'aws dynamodb update-continuous-backups --region eu-west-1 --table-name table --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true --no-cli-pager',
    ],
  ])
})

it('a restored table has a stream whose label differs from the stage’s setting', () => {
  expect(differencesFrom({ events: { streamLabel: 'other' } }, withStream)).toEqual([
    ['has the stream "label": set events to { streamLabel: "label" } in lib/stages.ts (got "other")'],
  ])
})

it('a restored table cannot be used yet while DynamoDB builds an index', () => {
  const table = describedTable('table', { 'by-change': { IndexStatus: 'CREATING' } })
  expect(differencesFrom({}, table)).toEqual([
    [expect.stringMatching(/^is still building the index by-change/)],
  ])
})
