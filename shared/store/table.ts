/** The table, stated once for the stack, the local engine and the tests. */
export const table = {
  partitionKey: 'pk',
  sortKey: 'sk',
  indexes: [
    // Creation order of an application's entities of a kind: every list endpoint.
    { name: 'by-list', partitionKey: 'list', sortKey: 'order' },
    // Sparse: children in the order of their parents, so that one query finds the prices of a page of products.
    { name: 'by-parent', partitionKey: 'list', sortKey: 'under' },
  ],
  /** What an index carries besides keys: the shown fields, so that a list does not read an invoice's lines. */
  projected: ['data', 'external_id'],
} as const

export const LIST_INDEX = table.indexes[0].name
export const CHILD_INDEX = table.indexes[1].name

/** The names of all key attributes; all of them are strings. */
export const keyAttributes: readonly string[] = [
  ...new Set([table, ...table.indexes].flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey])),
]
