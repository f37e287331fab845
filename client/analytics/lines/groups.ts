/** Returns the items in groups that have the same key. The groups are in the order of their first items. */
export const groupsOf = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] => [
  ...Map.groupBy(items, keyOf).values(),
]

interface InCurrency {
  readonly currency: string
}

/** Returns pairs of a currency and its items, in the order of the currencies' codes. */
export const byCurrency = <Item extends InCurrency>(items: readonly Item[]) =>
  [...Map.groupBy(items, ({ currency }) => currency)].sort(([a], [b]) => (a < b ? -1 : 1))

/** Returns the items of each currency; the items themselves if they have one currency, as nearly all customers have. */
export const splitByCurrency = <Item extends InCurrency>(items: readonly Item[]): (readonly Item[])[] => {
  const [first] = items
  if (items.every(({ currency }) => currency === first?.currency)) return [items]
  return groupsOf(items, ({ currency }) => currency)
}
