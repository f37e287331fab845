import { type ActiveLine, activeInAnyCurrency, withoutCancelled } from './active-lines.ts'
import type { Dataset } from './dataset.ts'
import { groupsOf } from './groups.ts'
import type { SubscriptionStatus } from './types.ts'
import type { ValuedLine } from './valued-lines.ts'

/** Returns the periods, in seconds, in which a subscription is paid for. */
const paidSpans = (lines: readonly ValuedLine[]) => {
  const spans = lines.map(({ currency, start, end, monthly }) => ({
    currency,
    from: start,
    to: end,
    monthly,
  }))
  return activeInAnyCurrency(groupsOf(spans, ({ currency }) => currency).flatMap(withoutCancelled))
}

const plansOf = (lines: readonly ActiveLine[]): SubscriptionStatus['holds'] =>
  groupsOf(lines, ({ currency, plan }) => `${currency} ${plan.key}`).map((group) => ({
    ...group[0]!.plan,
    currency: group[0]!.currency,
    monthly: group.reduce((sum, { monthly }) => sum + monthly, 0),
  }))

/** Returns the current status of each subscription with recurring lines. */
export const subscriptionStatuses = ({
  lines,
  activeLines,
  currentMonth: current,
}: Dataset): SubscriptionStatus[] => {
  const activeNow = Map.groupBy(
    activeLines.flatMap((line) => (line.to > current ? [{ ...line, from: current }] : [])),
    ({ invoice }) => invoice.subscription_id,
  )
  return groupsOf(lines, ({ invoice }) => invoice.subscription_id).map((group) => {
    const { subscription_id, customer_id } = group[0]!.invoice
    const active = activeNow.get(subscription_id) ?? []
    const paid = paidSpans(group)
    return {
      subscription_id,
      customer_id,
      active: activeInAnyCurrency(active).length > 0,
      holds: plansOf(active).filter(({ monthly }) => monthly !== 0),
      since: paid[0]?.from,
      until: paid.at(-1)?.to,
    }
  })
}
