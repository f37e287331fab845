import { isDeepStrictEqual } from 'node:util'
import type { GlobalSecondaryIndexDescription, TableDescription } from '@aws-sdk/client-dynamodb'
import { singleQuoted } from '../../shared/text/shell.ts'
import type { StageSettings } from '../stages.ts'
import { indexSchemas } from '../table-schema.ts'

type Settings = StageSettings['table']
type Index = (typeof indexSchemas)[number]

interface RegionalTable {
  readonly table: TableDescription
  readonly recoverable: boolean
  readonly region: string
}

/** How a table differs, and the command that changes it, if there is one. */
export type Difference = readonly [how: string, command?: string]

/** An index can be read while its ceiling changes. */
const isReadable = ({ IndexStatus }: GlobalSecondaryIndexDescription): boolean =>
  IndexStatus === 'ACTIVE' || IndexStatus === 'UPDATING'

/** Those that cannot be read yet, too. */
export const missingIndexes = ({ GlobalSecondaryIndexes = [] }: TableDescription): string[] => {
  const readable = new Set(GlobalSecondaryIndexes.filter(isReadable).map(({ IndexName }) => IndexName))
  return indexSchemas.map(({ IndexName }) => IndexName).filter((name) => !readable.has(name))
}

const UNLIMITED = -1
const throughputOf = ({ ceiling }: Settings) => ({
  MaxReadRequestUnits: ceiling?.read ?? UNLIMITED,
  MaxWriteRequestUnits: ceiling?.write ?? UNLIMITED,
})

const sorted = (names: readonly (string | undefined)[] = []): string => [...names].sort().join()

const isAsDefined = (index: Index, { KeySchema, Projection }: GlobalSecondaryIndexDescription): boolean =>
  isDeepStrictEqual(KeySchema, index.KeySchema) &&
  sorted(Projection?.NonKeyAttributes) === sorted(index.Projection.NonKeyAttributes)

const optionsOf = ({ table, region }: RegionalTable): string =>
  `--region ${region} --table-name ${table.TableName}`

/** Waits until the table can be changed again. */
const updateTable = (restored: RegionalTable, ...options: string[]): string => {
  const table = optionsOf(restored)
  return `aws dynamodb update-table ${table} ${options.join(' ')} --no-cli-pager && aws dynamodb wait table-exists ${table}`
}

const quotedJson = (value: unknown): string => singleQuoted(JSON.stringify(value))

const createIndex = (restored: RegionalTable, index: Index, settings: Settings): string => {
  const names = index.KeySchema.map(({ AttributeName }) => AttributeName)
  const Create = {
    ...index,
    ...(settings.ceiling ? { OnDemandThroughput: throughputOf(settings) } : {}),
  }
  return updateTable(
    restored,
    `--attribute-definitions ${names.map((name) => `AttributeName=${name},AttributeType=S`).join(' ')}`,
    `--global-secondary-index-updates ${quotedJson([{ Create }])}`,
  )
}

const indexDifferences = (restored: RegionalTable, index: Index, settings: Settings): Difference[] => {
  const { IndexName: name } = index
  const restoredIndex = restored.table.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === name)
  if (!restoredIndex)
    return [[`lacks the index ${name}, which can be added`, createIndex(restored, index, settings)]]
  if (!isAsDefined(index, restoredIndex)) {
    const deletion = `--global-secondary-index-updates ${quotedJson([{ Delete: { IndexName: name } }])}`
    return [
      [
        `has a different index ${name}, which can be deleted and added again`,
        updateTable(restored, deletion),
      ],
    ]
  }
  return isReadable(restoredIndex) ? [] : [[`is still building the index ${name}; this can take hours`]]
}

const ceilingDifferences = (restored: RegionalTable, settings: Settings): Difference[] => {
  const ceiling = throughputOf(settings)
  const differs = ({
    OnDemandThroughput: limits = {},
  }: Pick<TableDescription, 'OnDemandThroughput'>): boolean =>
    (limits.MaxReadRequestUnits ?? UNLIMITED) !== ceiling.MaxReadRequestUnits ||
    (limits.MaxWriteRequestUnits ?? UNLIMITED) !== ceiling.MaxWriteRequestUnits
  const indexes = (restored.table.GlobalSecondaryIndexes ?? []).filter(differs)
  const updates = indexes.map(({ IndexName }) => ({ Update: { IndexName, OnDemandThroughput: ceiling } }))
  const options = [
    ...(differs(restored.table) ? [`--on-demand-throughput ${quotedJson(ceiling)}`] : []),
    ...(updates.length > 0 ? [`--global-secondary-index-updates ${quotedJson(updates)}`] : []),
  ]
  return options.length > 0 ? [['has other ceilings than the stage', updateTable(restored, ...options)]] : []
}

/** The event pipe needs a stream of keys alone, with the label that the stage has. */
const streamDifferences = (restored: RegionalTable, events: StageSettings['events']): Difference[] => {
  if (typeof events !== 'object') return []
  const { LatestStreamLabel: label, StreamSpecification: stream } = restored.table
  const specify = (stream: string) => updateTable(restored, `--stream-specification ${stream}`)
  if (!stream?.StreamEnabled)
    return [
      [
        'has no stream, and the setting events needs the label of one',
        specify(
          'StreamEnabled=true,StreamViewType=KEYS_ONLY --query TableDescription.LatestStreamLabel --output text',
        ),
      ],
    ]
  if (stream.StreamViewType !== 'KEYS_ONLY')
    return [['has a stream with more than keys, which can be turned off', specify('StreamEnabled=false')]]
  if (label === events.streamLabel) return []
  return [
    [
      `has the stream "${label}": set events to { streamLabel: "${label}" } in lib/stages.ts (got "${events.streamLabel}")`,
    ],
  ]
}

const protectionDifferences = (restored: RegionalTable): Difference[] => [
  ...(restored.recoverable
    ? []
    : [
        [
          'has no point-in-time recovery',
          `aws dynamodb update-continuous-backups ${optionsOf(restored)} --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true --no-cli-pager`,
        ] as const,
      ]),
  ...(restored.table.DeletionProtectionEnabled
    ? []
    : [
        [
          'is not protected against deletion',
          updateTable(restored, '--deletion-protection-enabled'),
        ] as const,
      ]),
]

const encryptionDifferences = (restored: RegionalTable, keyArn: string | undefined): Difference[] => {
  if (restored.table.SSEDescription?.KMSMasterKeyArn === keyArn) return []
  const encryption = keyArn ? `Enabled=true,SSEType=KMS,KMSMasterKeyId=${keyArn}` : 'Enabled=false'
  return [['is encrypted with another key', updateTable(restored, `--sse-specification ${encryption}`)]]
}

/** CloudFormation changes only the stack's own table, not a restored one. */
export const differencesOf = (
  restored: RegionalTable,
  { table: settings, events, keyArn }: Pick<StageSettings, 'table' | 'events' | 'keyArn'>,
): Difference[] => [
  ...(settings.kept ? protectionDifferences(restored) : []),
  ...encryptionDifferences(restored, keyArn),
  ...ceilingDifferences(restored, settings),
  ...indexSchemas.flatMap((index) => indexDifferences(restored, index, settings)),
  ...streamDifferences(restored, events),
]
