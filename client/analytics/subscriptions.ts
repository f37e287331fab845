import type { Dataset } from './dataset.ts'
import { amountsByPlan } from './lines/active-lines.ts'
import { splitByCurrency } from './lines/groups.ts'
import { activeInAnyCurrency, monthlySum, type Span, spansAt, withoutCancelled } from './lines/spans.ts'
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

/** Returns the current status of each subscription with recurring lines. */
export const subscriptionStatuses = ({
  subscriptions,
  activeLines,
  currentMonth,
}: Dataset): SubscriptionStatus[] => {
  const linesNow = spansAt(activeLines, currentMonth)
  const bySubscription = Map.groupBy(linesNow, ({ invoice }) => invoice.subscription_id)
  return subscriptions.map((group) => {
    const { subscription_id, customer_id } = group[0]!.invoice
    const active = bySubscription.get(subscription_id) ?? []
    const billed = billedSpans(group)
    return {
      subscription_id,
      customer_id,
      active: splitByCurrency(active).some((lines) => monthlySum(lines) > 0),
      holds: amountsByPlan(active).map(({ amount, ...plan }) => ({ ...plan, monthly: amount })),
      since: billed[0]?.from,
      until: billed.at(-1)?.to,
    }
  })
}
