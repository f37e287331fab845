import type { ActiveLine } from './active-lines.ts'
import type { Dataset } from './dataset.ts'
import { groupsOf } from './groups.ts'
import { recordsByMonth, sumsByMonth } from './months.ts'
import { changesOf, sumsOfChanges, upToNow } from './movements.ts'
import { activeInAnyCurrency } from './spans.ts'
import type { CustomerChange, CustomersMonth, SubscriptionsMonth } from './types.ts'

/** Who is active, becomes active or stops being so. */

const customerOf = ({ invoice }: ActiveLine): string => invoice.customer_id
const subscriptionOf = ({ invoice }: ActiveLine): string => invoice.subscription_id

/** Returns a record for each month of how many of the customers or subscriptions that lines belong to by `idOf` are active. */
const activityByMonth = (dataset: Dataset, idOf: (line: ActiveLine) => string): CustomersMonth[] => {
  const spans = groupsOf(dataset.activeLines, idOf).map(activeInAnyCurrency)
  const changes = spans.flatMap(changesOf)
  const active = sumsByMonth(dataset.months, spans.flat())
  const added = sumsOfChanges(dataset, changes, 'new')
  const reactivated = sumsOfChanges(dataset, changes, 'reactivation')
  const churn = sumsOfChanges(dataset, changes, 'churn')
  return recordsByMonth(dataset.months, (index) => ({
    active: active[index]!,
    new: added[index]!,
    reactivated: reactivated[index]!,
    lost: 0 - churn[index]!,
  }))
}

/** Returns how many customers are active, new, reactivated and lost in each month. */
export const customerActivity = (dataset: Dataset): CustomersMonth[] => activityByMonth(dataset, customerOf)

/** Returns how many subscriptions are active, new and lost in each month. */
export const subscriptionActivity = (dataset: Dataset): SubscriptionsMonth[] =>
  activityByMonth(dataset, subscriptionOf).map(({ reactivated, ...month }) => ({
    ...month,
    new: month.new + reactivated,
  }))

/** The kinds of changes of a customer's activity, which is 0 or 1: it neither grows nor shrinks. */
const customerChangeKinds = {
  new: 'new',
  reactivation: 'reactivated',
  churn: 'lost',
  expansion: undefined,
  contraction: undefined,
} as const

/** Returns who became active or stopped being so, oldest first, also before the first month of results. */
export const customerChanges = (dataset: Dataset): CustomerChange[] => {
  const changes = groupsOf(dataset.activeLines, customerOf).flatMap((lines) => {
    const customer_id = customerOf(lines[0]!)
    return changesOf(activeInAnyCurrency(lines)).map((change) => ({ ...change, customer_id }))
  })
  return upToNow(dataset, changes).flatMap(({ month, customer_id, kind }): CustomerChange[] => {
    const named = customerChangeKinds[kind]
    return named ? [{ month, customer_id, kind: named }] : []
  })
}
