import type { CustomerChange, Movement, MovementKind } from '../../client/analytics/index.ts'
import { departureText, reasonNames, reasonsText } from '../records/reason-text.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { type Amount, changeText, movementKinds, NO_PLAN_NAME } from '../text/format.ts'
import { monthsFrom } from '../text/time-span.ts'
import type { ListRow } from './columns.ts'
import type { ListQuery } from './list-query.ts'
import { sumsOf } from './list-sums.ts'

type ListedMovement = ReturnType<Snapshot['explainedMovements']>[number]

type MovementQuery = Pick<ListQuery, 'within' | 'currency' | 'customers'>

/** The movements in some months, in one or all currencies, and of the customers with a change in all currencies together. */
const movementsOf = (snapshot: Snapshot, { within = '', currency, customers }: MovementQuery) => {
  const months = monthsFrom(within)
  const keyOf = ({ month, customer_id }: CustomerChange | Movement) => `${month} ${customer_id}`
  const changes = snapshot.figures().customerChangesOf.filter(({ kind }) => kind === customers)
  const changed = new Set(changes.map(keyOf))
  return snapshot
    .explainedMovements()
    .filter(({ month }) => !months || (month >= months.first && month < months.first + months.count))
    .filter((movement) => !currency || movement.currency === currency)
    .filter((movement) => !customers || changed.has(keyOf(movement)))
}

const reasonsOf = ({ reasons, departure }: ListedMovement): readonly string[] =>
  departure ? [departure.reason] : reasons.map(({ kind }) => kind)

export const movementRow = (snapshot: Snapshot, movement: ListedMovement, segmentKey?: string): ListRow => {
  const { month, customer_id: id, currency, kind, plans, before, after, amount, departure } = movement
  const isCurrent = month === snapshot.calendar.monthOf(snapshot.now)
  const inCurrency = (value: number): Amount => ({ amount: value, currency })
  return {
    path: ['customers', id],
    customer: id,
    currency,
    movement: kind,
    cells: {
      month,
      customer: snapshot.customerLabel(id),
      // Has no column, but orders the rows of equal values.
      external_id: snapshot.customer(id).external_id ?? null,
      ...(segmentKey && { segment: snapshot.segmentOf(id, segmentKey) }),
      kind: changeText(kind),
      plan: plans.map(({ name }) => name ?? NO_PLAN_NAME).join(' + '),
      why: departure ? departureText(departure, isCurrent) : reasonsText(movement) || null,
      since: departure?.since ?? null,
      before: inCurrency(before),
      after: inCurrency(after),
      change: inCurrency(amount),
    },
  }
}

export const movementRows = (snapshot: Snapshot, query: ListQuery): ListRow[] => {
  const { plan, reason, by: segmentKey } = query
  return movementsOf(snapshot, query)
    .filter(({ plans }) => !plan || plans.some(({ key }) => key === plan))
    .filter((movement) => !reason || reasonsOf(movement).includes(reason))
    .map((movement) => movementRow(snapshot, movement, segmentKey))
}

export interface KindSums {
  /** Undefined for all kinds. */
  readonly kind?: MovementKind | undefined
  readonly count: number
  readonly amounts: readonly Amount[]
}

/** What the filters offer: plans, reasons, and each kind with its sums. `rows` are those of all kinds. */
export const movementChoices = (snapshot: Snapshot, query: ListQuery, rows: readonly ListRow[]) => {
  const movements = movementsOf(snapshot, query)
  const plans = movements.flatMap((movement) => movement.plans)
  const reasons = new Set(movements.flatMap(reasonsOf))
  const sumsOfKind = (kind?: MovementKind): KindSums => {
    const ofKind = rows.filter(({ movement }) => !kind || movement === kind)
    const sums = sumsOf(ofKind, snapshot.currencies())
    const amounts = sums.map(({ currency, amounts: { change = 0 } }) => ({ currency, amount: change }))
    return { kind, count: ofKind.length, amounts }
  }
  return {
    plans: Object.fromEntries(plans.map(({ key, name }) => [key, name ?? NO_PLAN_NAME])),
    reasons: Object.keys(reasonNames).filter((reason) => reasons.has(reason)),
    kinds: [sumsOfKind(), ...movementKinds.map(sumsOfKind)],
  }
}
