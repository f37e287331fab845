import {
  type ExplainedMovement,
  explainedMovementsOf,
  type Month,
  type Movement,
} from '../../client/analytics/index.ts'
import type { Snapshot } from '../records/snapshot.ts'
import type { Months } from '../text/time-span.ts'

/** How customers changed in all currencies together: as `customerChangesOf` names it. */
export const customerChangeKinds = ['new', 'reactivated', 'lost'] as const

/** How the recurring revenue of customers changed in a currency: as `movementsOf` names it, but "began" for "new". */
export const movementKinds = ['began', 'reactivation', 'expansion', 'contraction', 'churn'] as const

interface AskedChange {
  /** The kind of change, as an address names it. */
  readonly moved: string
  /** The currency in which revenue changed; by default any. */
  readonly currency?: string | undefined
}

interface ChangeInMonth extends AskedChange {
  readonly month: Month
}

interface ChangeInMonths extends AskedChange {
  readonly months: Months
}

/**
 * Returns the movements of the customers who made a change in a month. They join, come back and leave in all currencies
 * together; in one, their revenue begins, grows and shrinks.
 */
const movementsOfChange = (snapshot: Snapshot, { moved, month, currency }: ChangeInMonth) => {
  const { customerChangesOf, movementsOf } = snapshot.figures()
  const ofMonth = movementsOf.filter(
    (movement) => movement.month === month && (!currency || movement.currency === currency),
  )
  if (customerChangeKinds.some((kind) => kind === moved)) {
    const changes = customerChangesOf.filter((change) => change.month === month && change.kind === moved)
    const ids = new Set(changes.map(({ customer_id }) => customer_id))
    return ofMonth.filter(({ customer_id }) => ids.has(customer_id))
  }
  const kind = moved === 'began' ? 'new' : moved
  return ofMonth.filter((movement) => movement.kind === kind)
}

/** Returns the ids of the customers who made a change in a month. */
export const customersWhoChanged = (snapshot: Snapshot, asked: ChangeInMonth): ReadonlySet<string> =>
  new Set(movementsOfChange(snapshot, asked).map(({ customer_id }) => customer_id))

/**
 * Returns the movements of the customers who made a change in each of some months, with their revenue before and after, and why. A
 * customer who made it in several of them has several movements.
 */
export const explainedChanges = (
  snapshot: Snapshot,
  { months: { first, count }, ...asked }: ChangeInMonths,
): ExplainedMovement[] => {
  const months = Array.from({ length: count }, (_, index) => first + index)
  const movements = months.flatMap((month) => movementsOfChange(snapshot, { ...asked, month }))
  const keyOf = ({ month, customer_id, currency }: Movement) => `${month} ${customer_id} ${currency}`
  const keys = new Set(movements.map(keyOf))
  const ids = new Set(movements.map(({ customer_id }) => customer_id))
  // Of these customers alone, since explaining reads all lines again.
  const invoices = [...ids].flatMap((id) => snapshot.invoicesByCustomer().get(id) ?? [])
  return explainedMovementsOf(invoices, snapshot.now, snapshot.timeZone).filter((movement) =>
    keys.has(keyOf(movement)),
  )
}
