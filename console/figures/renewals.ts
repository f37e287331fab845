import { type CalendarMonth, monthName } from '../../client/analytics/index.ts'
import { monthsPerUnit } from '../../client/analytics/lines/calendar.ts'
import type { BilledPlan } from '../records/billed-plans.ts'
import type { Snapshot } from '../records/snapshot.ts'

/** The number of months in which renewals are expected. Later renewals are not listed. */
export const RENEWAL_MONTHS = 12

/** An invoice that is expected because a paid period of a subscription ends. */
export interface Renewal {
  readonly subscriptionId: string
  readonly customerId: string
  readonly currency: string
  /** When the next period begins, in seconds; now if it has begun and its invoice is not recorded yet. */
  readonly time: number
  /** The expected amount, in minor units: the current value of the plans, without discount and tax. */
  readonly amount: number
  /** The plans with their prices. */
  readonly planLabels: readonly string[]
}

/** Returns the times in seconds at which a plan renews, up to the end of the last listed month. A time in the past becomes now. */
const renewalTimes = ({ now, calendar }: Snapshot, { end, unit, count }: BilledPlan): number[] => {
  const endOfListedMonths = calendar.startOf(calendar.monthOf(now) + RENEWAL_MONTHS)
  const times: number[] = []
  let time = end
  while (time < endOfListedMonths) {
    times.push(Math.max(now, time))
    // Shifted from the first end, since a month can be shorter than the next: January 31, February 28, March 31.
    time = calendar.shift(end, unit, times.length * count)
  }
  return times
}

/**
 * Returns the invoices that are expected within a year, the next one first. Each active subscription is expected to renew its plans
 * at the end of each paid period, at their current value.
 */
export const renewalsOf = (snapshot: Snapshot): Renewal[] => {
  const renewals = new Map<string, Renewal>()
  for (const { subscription_id, customer_id, active, holds } of snapshot.figures().subscriptionsNow) {
    if (!active) continue
    const billed = snapshot.billedPlansBySubscription().get(subscription_id)
    for (const { key, currency, monthly } of holds) {
      const plan = billed?.get(`${key} ${currency}`)
      if (!plan || monthly <= 0) continue
      const amount = Math.round(monthly * (monthsPerUnit.get(plan.unit) ?? 1) * plan.count)
      for (const time of renewalTimes(snapshot, plan)) {
        const renewalKey = `${subscription_id} ${currency} ${time}`
        const renewal = renewals.get(renewalKey)
        renewals.set(renewalKey, {
          subscriptionId: subscription_id,
          customerId: customer_id,
          currency,
          time,
          amount: (renewal?.amount ?? 0) + amount,
          planLabels: [...(renewal?.planLabels ?? []), plan.label()],
        })
      }
    }
  }
  return [...renewals.values()].sort((a, b) => a.time - b.time)
}

/** The renewals that are expected in a month, in one currency. */
export interface RenewalsMonth extends CalendarMonth {
  /** The number of expected invoices. */
  readonly invoices: number
  /** Their net amount, in minor units. */
  readonly amount: number
}

/** Returns the expected renewals of each month, the running month first. */
export const renewalsByMonth = (snapshot: Snapshot, currency: string): RenewalsMonth[] => {
  const { calendar, now } = snapshot
  const first = calendar.monthOf(now)
  const months = Array.from({ length: RENEWAL_MONTHS }, (_, index) => ({
    month: first + index,
    name: monthName(first + index),
    invoices: 0,
    amount: 0,
  }))
  for (const { time, amount, currency: ownCurrency } of renewalsOf(snapshot)) {
    const month = months[calendar.monthOf(time) - first]
    if (ownCurrency !== currency || !month) continue
    month.invoices += 1
    month.amount += amount
  }
  return months
}
