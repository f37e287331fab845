/** Returns the items with the same key together, in the order of the first of each. */
export const groupsOf = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] => [
  ...Map.groupBy(items, keyOf).values(),
]

/** Returns the items of each currency, in the order of the currencies' codes. */
export const byCurrency = <Item extends { readonly currency: string }>(items: readonly Item[]) =>
  [...Map.groupBy(items, ({ currency }) => currency)].sort(([a], [b]) => (a < b ? -1 : 1))
