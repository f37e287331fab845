import { table } from '../shared/store/table.ts'

/** Returns the keys of the table or of an index, in the notation of DynamoDB's API. */
export const keySchema = (keys: { readonly partitionKey: string; readonly sortKey: string }) => [
  { AttributeName: keys.partitionKey, KeyType: 'HASH' as const },
  { AttributeName: keys.sortKey, KeyType: 'RANGE' as const },
]

/** The indexes of the table, in the notation of DynamoDB's API. */
export const indexSchemas = table.indexes.map((index) => ({
  IndexName: index.name,
  KeySchema: keySchema(index),
  Projection: { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...index.projected] },
}))
