import type { Dataset } from './dataset.ts'
import type { ActiveLine } from './lines/active-lines.ts'
import { groupsOf, splitByCurrency } from './lines/groups.ts'
import { activeInAnyCurrency, type Span, withoutCancelled } from './lines/spans.ts'
import type { ValuedLine } from './lines/valued-lines.ts'
import type { SubscriptionStatus } from './types.ts'

/** Returns the periods for which a subscription was billed, in seconds since the epoch. */
export const billedSpans = (lines: readonly ValuedLine[]): Span[] => {
  const spans = lines.map(({ currency, start, end, monthly, rounding }) => ({
    currency,
    from: start,
    to: end,
    monthly,
    rounding,
  }))
  return activeInAnyCurrency(splitByCurrency(spans).flatMap(withoutCancelled))
}

/** Returns the plans of active lines in each currency, with the sum of their monthly values, except plans whose sum is 0. */
const plansOf = (lines: readonly ActiveLine[]): SubscriptionStatus['holds'] =>
  groupsOf(lines, ({ currency, plan }) => `${currency} ${plan.key}`)
    .map((group) => {
      const { plan, currency } = group[0]!
      return { ...plan, currency, monthly: group.reduce((sum, { monthly }) => sum + monthly, 0) }
    })
    .filter(({ monthly }) => monthly !== 0)

/** Returns the current status of each subscription with recurring lines. */
export const subscriptionStatuses = ({
  subscriptions,
  activeLines,
  currentMonth,
}: Dataset): SubscriptionStatus[] => {
  const linesNow = activeLines
    .filter(({ to }) => to > currentMonth)
    .map((line) => ({ ...line, from: currentMonth }))
  const bySubscription = Map.groupBy(linesNow, ({ invoice }) => invoice.subscription_id)
  return subscriptions.map((group) => {
    const { subscription_id, customer_id } = group[0]!.invoice
    const active = bySubscription.get(subscription_id) ?? []
    const billed = billedSpans(group)
    return {
      subscription_id,
      customer_id,
      active: activeInAnyCurrency(active).length > 0,
      holds: plansOf(active),
      since: billed[0]?.from,
      until: billed.at(-1)?.to,
    }
  })
}
