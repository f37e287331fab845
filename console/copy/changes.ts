import type { Snapshot } from './snapshot.ts'

/**
 * Returns the ids of the customers who changed in a month, by the kind of change. They join and leave in all currencies
 * together; in one, their revenue begins, grows and shrinks.
 */
export const changedIn = (
  snapshot: Snapshot,
  currency: string,
  month: number,
): ReadonlyMap<string, ReadonlySet<string>> => {
  const { customerChangesOf, movementsOf } = snapshot.figures()
  const inCurrency = movementsOf
    .filter((movement) => movement.currency === currency)
    .map(({ kind, ...movement }) => ({ ...movement, kind: kind === 'new' ? 'began' : kind }))
  const changes = [...customerChangesOf, ...inCurrency].filter((change) => change.month === month)
  const groups = Map.groupBy(changes, ({ kind }) => kind)
  const idsIn = (group: typeof changes) => new Set(group.map(({ customer_id }) => customer_id))
  return new Map([...groups].map(([kind, group]) => [kind, idsIn(group)]))
}
