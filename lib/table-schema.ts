import { table } from '../shared/store/table.ts'

export const keySchema = (keys: { readonly partitionKey: string; readonly sortKey: string }) => [
  { AttributeName: keys.partitionKey, KeyType: 'HASH' as const },
  { AttributeName: keys.sortKey, KeyType: 'RANGE' as const },
]

export const indexSchemas = table.indexes.map((index) => ({
  IndexName: index.name,
  KeySchema: keySchema(index),
  Projection: { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...index.projected] },
}))
