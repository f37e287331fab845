import type { Snapshot } from './snapshot.ts'

/**
 * Returns the ids of the customers who changed in a month, by the name of the change. They join and leave in all currencies
 * together; in one, their revenue begins, grows and shrinks.
 */
export const changedIn = (
  snapshot: Snapshot,
  currency: string,
  month: number,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const { customerChangesOf, movementsOf } = snapshot.figures()
  const inCurrency = movementsOf
    .filter((each) => each.currency === currency)
    .map((each) => ({ ...each, name: each.name === 'New' ? 'Began' : each.name }))
  const changes = [...customerChangesOf, ...inCurrency].filter((each) => each.month === month)
  const groups = Map.groupBy(changes, ({ name }) => name)
  return new Map([...groups].map(([name, of]) => [name, new Set(of.map(({ customer_id }) => customer_id))]))
}
