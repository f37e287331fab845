import {
  type ExplainedMovement,
  explainedMovementsOf,
  type Month,
  type Movement,
} from '../../client/analytics/index.ts'
import type { Snapshot } from '../records/snapshot.ts'
import type { Months } from '../text/time-span.ts'

/** The kinds of changes of customers in all currencies together, as `customerChangesOf` names them. */
export const customerChangeKinds = ['new', 'reactivated', 'lost'] as const

/** The kinds of changes of customers' recurring revenue in a currency, as `movementsOf` names them, except "began" for "new". */
export const movementKinds = ['began', 'reactivation', 'expansion', 'contraction', 'churn'] as const

/** A kind of change of customers. */
interface Change {
  /** The kind of change, as an address names it. */
  readonly moved: string
  /** The currency in which revenue changed; undefined for any currency. */
  readonly currency?: string | undefined
}

interface ChangeInMonth extends Change {
  readonly month: Month
}

interface ChangeInMonths extends Change {
  readonly months: Months
}

/**
 * Returns the movements in a month of the customers with a kind of change in it. A customer is new, reactivated or lost in all
 * currencies together. The other kinds are changes of revenue in one currency.
 */
const movementsOfChange = (snapshot: Snapshot, { moved, month, currency }: ChangeInMonth) => {
  const { customerChangesOf, movementsOf } = snapshot.figures()
  const movements = movementsOf.filter(
    (movement) => movement.month === month && (!currency || movement.currency === currency),
  )
  if (customerChangeKinds.some((kind) => kind === moved)) {
    const changes = customerChangesOf.filter((change) => change.month === month && change.kind === moved)
    const ids = new Set(changes.map(({ customer_id }) => customer_id))
    return movements.filter(({ customer_id }) => ids.has(customer_id))
  }
  const kind = moved === 'began' ? 'new' : moved
  return movements.filter((movement) => movement.kind === kind)
}

/** Returns the ids of the customers with a kind of change in a month. */
export const customersWithChange = (snapshot: Snapshot, change: ChangeInMonth): ReadonlySet<string> =>
  new Set(movementsOfChange(snapshot, change).map(({ customer_id }) => customer_id))

/**
 * Returns the movements of the customers with a kind of change in each of some months, with their revenue before and after, and
 * the reasons. A customer with the change in several months has several movements.
 */
export const explainedChanges = (
  snapshot: Snapshot,
  { months: { first, count }, ...change }: ChangeInMonths,
): ExplainedMovement[] => {
  const months = Array.from({ length: count }, (_, index) => first + index)
  const movements = months.flatMap((month) => movementsOfChange(snapshot, { ...change, month }))
  const keyOf = ({ month, customer_id, currency }: Movement) => `${month} ${customer_id} ${currency}`
  const keys = new Set(movements.map(keyOf))
  const ids = new Set(movements.map(({ customer_id }) => customer_id))
  // Only the invoices of these customers, since explaining reads all of their lines again.
  const invoices = [...ids].flatMap((id) => snapshot.invoicesByCustomer().get(id) ?? [])
  return explainedMovementsOf(invoices, snapshot.now, snapshot.timeZone).filter((movement) =>
    keys.has(keyOf(movement)),
  )
}
