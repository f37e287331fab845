import { type CalendarMonth, monthName } from '../../client/analytics/index.ts'
import { monthsPerUnit } from '../../client/analytics/lines/calendar.ts'
import type { BilledPlan } from '../records/billed-plans.ts'
import type { Snapshot } from '../records/snapshot.ts'

/** Later renewals of plans that are paid more than once a year are not listed. */
export const RENEWAL_MONTHS = 12

/** An invoice that is expected since a paid period of a subscription ends. */
export interface Renewal {
  readonly subscription: string
  readonly customer: string
  readonly currency: string
  /** When the next period begins, in seconds; now, if it has begun and is not recorded yet. */
  readonly at: number
  /** Without discount and tax, as the last period is worth. */
  readonly amount: number
  /** The plans with their prices. */
  readonly planLabels: readonly string[]
}

/** Returns the times at which a plan renews, from now up to the end of the last month that is listed. */
const renewalTimes = ({ now, calendar }: Snapshot, { end, unit, count }: BilledPlan): number[] => {
  const over = calendar.startOf(calendar.monthOf(now) + RENEWAL_MONTHS)
  const times: number[] = []
  for (let index = 0, time = end; time < over; index += 1, time = calendar.shift(end, unit, index * count))
    times.push(Math.max(now, time))
  return times
}

/**
 * Returns the invoices that are expected within a year, the next first: each active subscription is expected to renew its plans
 * at the end of each paid period, at what they are worth now.
 */
export const renewalsOf = (snapshot: Snapshot): Renewal[] => {
  const renewals = new Map<string, { -readonly [Key in keyof Renewal]: Renewal[Key] }>()
  for (const { subscription_id, customer_id, active, holds } of snapshot.figures().subscriptionsNow) {
    if (!active) continue
    const billed = snapshot.billedPlansBySubscription().get(subscription_id)
    for (const { key, currency, monthly } of holds) {
      const plan = billed?.get(`${key} ${currency}`)
      if (!plan || monthly <= 0) continue
      const amount = Math.round(monthly * (monthsPerUnit.get(plan.unit) ?? 1) * plan.count)
      for (const at of renewalTimes(snapshot, plan)) {
        const id = `${subscription_id} ${currency} ${at}`
        const renewal = renewals.get(id)
        renewals.set(id, {
          subscription: subscription_id,
          customer: customer_id,
          currency,
          at,
          amount: (renewal?.amount ?? 0) + amount,
          planLabels: [...(renewal?.planLabels ?? []), plan.label()],
        })
      }
    }
  }
  return [...renewals.values()].sort((a, b) => a.at - b.at)
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
  for (const { at, amount, currency: own } of renewalsOf(snapshot)) {
    const month = months[calendar.monthOf(at) - first]
    if (own !== currency || !month) continue
    month.invoices += 1
    month.amount += amount
  }
  return months
}
