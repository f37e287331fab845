import type { GlobalSecondaryIndexDescription, TableDescription } from '@aws-sdk/client-dynamodb'
import { table as definition } from '../../../shared/store/table.ts'

/** The ceiling of the table and of each index. */
const OnDemandThroughput = { MaxReadRequestUnits: 10_000, MaxWriteRequestUnits: 4_000 }

type IndexDefinition = (typeof definition.indexes)[number]

const describedIndex = ({ name, partitionKey, sortKey, projected }: IndexDefinition) =>
  ({
    IndexName: name,
    IndexStatus: 'ACTIVE',
    KeySchema: [
      { AttributeName: partitionKey, KeyType: 'HASH' },
      { AttributeName: sortKey, KeyType: 'RANGE' },
    ],
    Projection: { NonKeyAttributes: [...projected] },
    OnDemandThroughput,
  }) satisfies GlobalSecondaryIndexDescription

/**
 * This version of the code can use it, except that indexes have the properties given by their names. An index
 * with the status "DELETING" is absent.
 */
export const describedTable = (
  TableName: string,
  changedIndexes: Readonly<Record<string, Partial<GlobalSecondaryIndexDescription>>> = {},
): TableDescription => ({
  TableName,
  DeletionProtectionEnabled: true,
  OnDemandThroughput,
  GlobalSecondaryIndexes: definition.indexes
    .map((index) => ({ ...describedIndex(index), ...changedIndexes[index.name] }))
    .filter(({ IndexStatus }) => IndexStatus !== 'DELETING'),
})

/** Release 0.2.0 lacks the index of changes. */
export const withoutChangeIndex = { 'by-change': { IndexStatus: 'DELETING' } } as const
