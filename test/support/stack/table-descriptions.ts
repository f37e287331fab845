import type { GlobalSecondaryIndexDescription, TableDescription } from '@aws-sdk/client-dynamodb'
import { table as definition } from '../../../shared/store/table.ts'

/** Returns the description of a table as the code of this version needs it, apart from some indexes. */
export const describedTable = (
  TableName: string,
  indexes: Readonly<Record<string, Partial<GlobalSecondaryIndexDescription>>> = {},
): TableDescription => {
  const OnDemandThroughput = { MaxReadRequestUnits: 10_000, MaxWriteRequestUnits: 4_000 }
  const GlobalSecondaryIndexes = definition.indexes.flatMap((index): GlobalSecondaryIndexDescription[] => {
    const other = indexes[index.name] ?? {}
    const KeySchema = [
      { AttributeName: index.partitionKey, KeyType: 'HASH' as const },
      { AttributeName: index.sortKey, KeyType: 'RANGE' as const },
    ]
    const Projection = { NonKeyAttributes: [...index.projected] }
    const described = {
      IndexName: index.name,
      IndexStatus: 'ACTIVE',
      KeySchema,
      Projection,
      OnDemandThroughput,
    }
    return other.IndexStatus === 'DELETING' ? [] : [{ ...described, ...other } as never]
  })
  return { TableName, DeletionProtectionEnabled: true, OnDemandThroughput, GlobalSecondaryIndexes }
}

/** No index of changes, as in a table of release 0.2.0. */
export const withoutChangeIndex = { 'by-change': { IndexStatus: 'DELETING' } } as const
