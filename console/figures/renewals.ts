import { type CalendarMonth, type Month, monthName } from '../../client/analytics/index.ts'
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
  /** When the renewal is due, which is when a paid period ends, in seconds. It is late if that time has passed. */
  readonly due: number
  /** The expected amount, in minor units: the current value of the plans, without discount and tax. */
  readonly amount: number
  /** The plans with their prices. */
  readonly planLabels: readonly string[]
}

/** Returns whether a renewal that is due at a time, in seconds, is late: its invoice is not recorded, but still expected. */
const isLate = ({ now }: Pick<Snapshot, 'now'>, due: number): boolean => due <= now

/** Returns the month in which an invoice is expected: the month of the due time, or the current month if the renewal is late. */
export const expectedMonth = (
  { calendar, now }: Pick<Snapshot, 'calendar' | 'now'>,
  { due }: Pick<Renewal, 'due'>,
): Month => calendar.monthOf(Math.max(due, now))

/** Returns the times in seconds at which renewals of a plan are due, up to the end of the last listed month. */
const dueTimes = ({ now, calendar }: Snapshot, { end, unit, count }: BilledPlan): number[] => {
  const endOfListedMonths = calendar.startOf(calendar.monthOf(now) + RENEWAL_MONTHS)
  const times: number[] = []
  let time = end
  while (time < endOfListedMonths) {
    times.push(time)
    // Shifted from the first end, since a month can be shorter than the next: January 31, February 28, March 31.
    time = calendar.shift(end, unit, times.length * count)
  }
  return times
}

/**
 * Returns the invoices that are expected within a year, in the order of their due times, so late ones come first. Each active
 * subscription is expected to renew its plans at the end of each paid period, at their current value.
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
      for (const due of dueTimes(snapshot, plan)) {
        const renewalKey = `${subscription_id} ${currency} ${due}`
        const renewal = renewals.get(renewalKey)
        renewals.set(renewalKey, {
          subscriptionId: subscription_id,
          customerId: customer_id,
          currency,
          due,
          amount: (renewal?.amount ?? 0) + amount,
          planLabels: [...(renewal?.planLabels ?? []), plan.label()],
        })
      }
    }
  }
  return [...renewals.values()].sort((a, b) => a.due - b.due)
}

/** The renewals that are expected in a month, in one currency. */
export interface RenewalsMonth extends CalendarMonth {
  /** The number of expected invoices. */
  readonly invoices: number
  /** Their net amount, in minor units. */
  readonly amount: number
  /** The number of expected invoices that are late. Only the current month can have any. */
  readonly late: number
}

/** Returns the expected renewals of each month, the current month first. */
export const renewalsByMonth = (snapshot: Snapshot, currency: string): RenewalsMonth[] => {
  const { calendar, now } = snapshot
  const first = calendar.monthOf(now)
  const months = Array.from({ length: RENEWAL_MONTHS }, (_, index) => ({
    month: first + index,
    name: monthName(first + index),
    invoices: 0,
    amount: 0,
    late: 0,
  }))
  for (const renewal of renewalsOf(snapshot)) {
    const month = months[expectedMonth(snapshot, renewal) - first]
    if (renewal.currency !== currency || !month) continue
    month.invoices += 1
    month.amount += renewal.amount
    if (isLate(snapshot, renewal.due)) month.late += 1
  }
  return months
}

/**
 * Returns the recurring revenue now, in minor units, of the plans in a currency whose renewal is late. A plan counts for three days
 * after the end of its paid period.
 */
export const revenueAwaitingRenewal = (snapshot: Snapshot, currency: string): number => {
  let revenue = 0
  for (const { subscription_id, active, holds } of snapshot.figures().subscriptionsNow) {
    if (!active) continue
    const billed = snapshot.billedPlansBySubscription().get(subscription_id)
    for (const hold of holds) {
      const plan = billed?.get(`${hold.key} ${hold.currency}`)
      if (plan && hold.currency === currency && isLate(snapshot, plan.end)) revenue += hold.monthly
    }
  }
  return revenue
}
