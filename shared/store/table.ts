/** The visible fields and the client's id, so that a list does not read the lines of an invoice. */
const projected = ['data', 'external_id'] as const

/** The table definition, shared by the stack, the local engine and the tests. */
export const table = {
  partitionKey: 'pk',
  sortKey: 'sk',
  indexes: [
    // Serves every list: the entities of one resource in creation order.
    { name: 'by-list', partitionKey: 'list', sortKey: 'order', projected },
    // Sparse: children grouped by parent. One query finds the prices of a page of products, or the invoices
    // of a customer.
    { name: 'by-parent', partitionKey: 'list', sortKey: 'under', projected },
    // Sparse: the entities that have changed since their create, in the order of their last change (see
    // changes.ts).
    { name: 'by-change', partitionKey: 'list', sortKey: 'changed', projected: [...projected, 'order'] },
  ],
} as const

/** The names of the indexes. */
export const LIST_INDEX = table.indexes[0].name
export const CHILD_INDEX = table.indexes[1].name
export const CHANGE_INDEX = table.indexes[2].name

/** The names of all key attributes. All are strings. */
export const keyAttributes: readonly string[] = [
  ...new Set([table, ...table.indexes].flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey])),
]
