import type { Snapshot } from './snapshot.ts'

/**
 * Returns the ids of the customers who changed in a month, by the name of the change. They join and leave in all currencies
 * together; their revenue grows and shrinks in one.
 */
export const changedIn = (
  snapshot: Snapshot,
  currency: string,
  month: number | undefined,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const { customerChangesOf, movementsOf } = snapshot.figures()
  const inCurrency = movementsOf.filter(
    (each) => each.currency === currency && (each.name === 'Expansion' || each.name === 'Contraction'),
  )
  const changes = [...customerChangesOf, ...inCurrency].filter((each) => each.month === month)
  const groups = Map.groupBy(changes, ({ name }) => name)
  return new Map([...groups].map(([name, of]) => [name, new Set(of.map(({ customer_id }) => customer_id))]))
}
