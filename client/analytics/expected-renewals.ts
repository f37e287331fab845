import type { Dataset } from './dataset.ts'
import { monthsPerUnit } from './lines/calendar.ts'
import type { ValuedLine } from './lines/valued-lines.ts'
import { monthsBetween, recordsByMonth } from './months.ts'
import { subscriptionStatuses } from './subscriptions.ts'
import type { CurrencyAmount, CurrencyMonths, PlanAmount, Renewal, RenewalsMonth } from './types.ts'

/** The number of months in which renewals are expected: the current one and eleven later ones. */
const RENEWAL_MONTHS = 12

/** A plan of an active subscription in a currency, with its latest charge. */
interface HeldPlan {
  readonly subscription_id: string
  readonly customer_id: string
  readonly currency: string
  /** The plan, with its recurring revenue now. */
  readonly plan: PlanAmount
  readonly charge: ValuedLine
}

const keyOf = (planKey: string, currency: string): string => `${planKey} ${currency}`

/** Compares charges by start, then by end and invoice, so that the order of the invoices does not matter. */
const byStart = (a: ValuedLine, b: ValuedLine): number =>
  a.start - b.start || a.end - b.end || (a.invoice.id < b.invoice.id ? 1 : -1)

/** Returns the charge that began last for each plan of a subscription in each currency. */
const latestCharges = (lines: readonly ValuedLine[]): ReadonlyMap<string, ValuedLine> => {
  const charges = new Map<string, ValuedLine>()
  for (const line of lines) {
    if (line.monthly <= 0) continue
    const key = keyOf(line.plan.key, line.currency)
    const latest = charges.get(key)
    if (!latest || byStart(latest, line) < 0) charges.set(key, line)
  }
  return charges
}

/** Returns the plans with recurring revenue of the active subscriptions. */
const heldPlans = (dataset: Dataset): HeldPlan[] => {
  const statuses = subscriptionStatuses(dataset)
  // The statuses are in the order of the subscriptions.
  return dataset.subscriptions.flatMap((lines, index) => {
    const { subscription_id, customer_id, active, holds } = statuses[index]!
    if (!active) return []
    const charges = latestCharges(lines)
    return holds.flatMap(({ key, name, currency, monthly }) => {
      const charge = charges.get(keyOf(key, currency))
      if (!charge || monthly <= 0) return []
      return { subscription_id, customer_id, currency, plan: { key, name, amount: monthly }, charge }
    })
  })
}

/** Returns the times at which renewals of a charge are due, up to the end of the last month in which renewals are expected. */
const dueTimes = ({ currentMonth, calendar }: Dataset, { end, unit, count }: ValuedLine): number[] => {
  const endOfMonths = calendar.startOf(currentMonth + RENEWAL_MONTHS)
  const times: number[] = []
  let time = end
  while (time < endOfMonths) {
    times.push(time)
    // Shifted from the first end, since a month can be shorter than the next: January 31, February 28, March 31.
    time = calendar.shift(end, unit, times.length * count)
  }
  return times
}

const byDue = (a: Renewal, b: Renewal): number =>
  a.due - b.due ||
  (a.subscription_id < b.subscription_id ? -1 : Number(a.subscription_id > b.subscription_id)) ||
  (a.currency < b.currency ? -1 : 1)

/**
 * Returns the invoices that are expected within a year, in the order of their due times, so late ones come first. Each active
 * subscription is expected to renew its plans at the end of each paid period, at their current value.
 */
export const renewalsIn = (dataset: Dataset): Renewal[] => {
  const { now, calendar } = dataset
  const renewals = new Map<string, Renewal>()
  for (const { subscription_id, customer_id, currency, plan, charge } of heldPlans(dataset)) {
    const amount = Math.round(plan.amount * monthsPerUnit.get(charge.unit)! * charge.count)
    for (const due of dueTimes(dataset, charge)) {
      const key = `${subscription_id} ${currency} ${due}`
      const renewal = renewals.get(key)
      renewals.set(key, {
        subscription_id,
        customer_id,
        currency,
        due,
        month: calendar.monthOf(Math.max(due, now)),
        late: due <= now,
        amount: (renewal?.amount ?? 0) + amount,
        plans: [...(renewal?.plans ?? []), { ...plan, amount }].sort((a, b) => (a.key < b.key ? -1 : 1)),
      })
    }
  }
  return [...renewals.values()].sort(byDue)
}

/** Returns the expected renewals of each month, the current month first, for each currency. */
export const renewalsByCurrency = (
  { currencies, currentMonth }: Dataset,
  renewals: readonly Renewal[],
): CurrencyMonths<RenewalsMonth>[] => {
  const months = monthsBetween(currentMonth, currentMonth + RENEWAL_MONTHS - 1)
  return currencies.map((currency) => {
    const sums = months.map(() => ({ invoices: 0, amount: 0, late: 0 }))
    for (const renewal of renewals) {
      const sum = sums[renewal.month - currentMonth]
      if (renewal.currency !== currency || !sum) continue
      sum.invoices += 1
      sum.amount += renewal.amount
      if (renewal.late) sum.late += 1
    }
    return { currency, months: recordsByMonth(months, (index) => sums[index]!) }
  })
}

/**
 * Returns the recurring revenue now of the plans whose renewal is late, for each currency. A plan counts for three days after the
 * end of its paid period.
 */
export const revenueAwaitingRenewal = (dataset: Dataset): CurrencyAmount[] => {
  const late = heldPlans(dataset).filter(({ charge }) => charge.end <= dataset.now)
  return dataset.currencies.map((currency) => ({
    currency,
    amount: late.filter((held) => held.currency === currency).reduce((sum, { plan }) => sum + plan.amount, 0),
  }))
}
