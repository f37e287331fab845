import type { Dataset } from './dataset.ts'
import type { ActiveLine } from './lines/active-lines.ts'
import { groupsOf } from './lines/groups.ts'
import { activeInAnyCurrency } from './lines/spans.ts'
import { recordsByMonth, sumsByMonth } from './months.ts'
import { changesOf, movementsOfChanges, upToNow } from './movements.ts'
import type { CustomerChange, CustomersMonth, SubscriptionsMonth } from './types.ts'

/** The customers and subscriptions that are active, become active or stop being active. */

/**
 * Returns for each month how many customers or subscriptions are active, new, reactivated and lost, given the lines of each customer
 * or subscription.
 */
const activityByMonth = (dataset: Dataset, groups: readonly (readonly ActiveLine[])[]): CustomersMonth[] => {
  const spans = groups.map(activeInAnyCurrency)
  const active = sumsByMonth(dataset.months, spans.flat())
  const movements = movementsOfChanges(dataset, spans.flatMap(changesOf))
  return recordsByMonth(dataset.months, (index) => {
    const { new: added, reactivation, churn } = movements[index]!
    // Subtracted from 0, because the negation of 0 would be −0.
    return { active: active[index]!, new: added, reactivated: reactivation, lost: 0 - churn }
  })
}

/** Returns how many customers are active, new, reactivated and lost in each month. */
export const customerActivity = (dataset: Dataset): CustomersMonth[] =>
  activityByMonth(dataset, dataset.customers)

/** Returns how many subscriptions are active, new and lost in each month. */
export const subscriptionActivity = (dataset: Dataset): SubscriptionsMonth[] => {
  const subscriptions = groupsOf(dataset.activeLines, ({ invoice }) => invoice.subscription_id)
  return activityByMonth(dataset, subscriptions).map(({ reactivated, ...month }) => ({
    ...month,
    new: month.new + reactivated,
  }))
}

/**
 * Maps a movement of a customer's activity to the kind of change that it is. A customer is either active or not, so activity
 * neither expands nor contracts.
 */
const customerChangeKinds = {
  new: 'new',
  reactivation: 'reactivated',
  churn: 'lost',
  expansion: undefined,
  contraction: undefined,
} as const

/** Returns which customers became active or stopped being active, oldest first, also before the first month of results. */
export const customerChanges = (dataset: Dataset): CustomerChange[] => {
  const changes = dataset.customers.flatMap((lines) => {
    const { customer_id } = lines[0]!.invoice
    return changesOf(activeInAnyCurrency(lines)).map((change) => ({ ...change, customer_id }))
  })
  const found: CustomerChange[] = []
  for (const { month, customer_id, kind } of upToNow(dataset, changes)) {
    const customerKind = customerChangeKinds[kind]
    if (customerKind) found.push({ month, customer_id, kind: customerKind })
  }
  return found
}
