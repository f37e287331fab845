import type { Seed } from '../testing/options.ts'
import { addMonths, type Day, daysBetween } from './calendar.ts'
import { onboardingPrice, onboardingPriceId, priceId, unitPrice } from './plans.ts'
import type { Change, Sold, Subscription } from './subscription.ts'

/** Bills a subscription of the demo business, as docs/recording.md says. */

export type CreateInvoice = NonNullable<Seed['invoices']>[number]
type Line = NonNullable<NonNullable<CreateInvoice['line_items']>[number]>

/** An invoice without the number and the customer. */
export type Bill = Omit<CreateInvoice, 'id' | 'customer_id'> & { readonly created: Day }

/** The first day that is billed, and the first day after them. */
interface Period {
  readonly start: Day
  readonly end: Day
}

const monthsOf = ({ interval }: Sold): number => (interval === 'year' ? 12 : 1)

/** Returns the price of a period in minor units, without discount and tax. */
const priceOf = ({ currency }: Subscription, { plan, interval, seats }: Sold): number =>
  unitPrice(plan, interval, currency) * seats

/** Returns the lines with the tax on what they come to, and their invoice. */
const billOf = (subscription: Subscription, period: Period, lines: readonly Line[]): Bill => {
  const { currency, id, taxPercent, coupon } = subscription
  const net = (line: Line): number => (line.amount ?? 0) - (line.discount_amount ?? 0)
  const taxed = lines.map((line) => ({
    ...line,
    currency,
    tax_amount: Math.round((net(line) * taxPercent) / 100),
  }))
  const isDiscounted = lines.some((line) => line.discount_amount)
  return {
    total: taxed.reduce((sum, line) => sum + net(line) + line.tax_amount, 0),
    created: period.start,
    period_start: period.start,
    period_end: period.end,
    currency,
    subscription_id: id,
    discounts: coupon && isDiscounted ? [coupon.id] : [],
    line_items: taxed,
  }
}

/** Returns the discount on an amount that is billed for a period, which begins on `day`; null without one. */
const discountOn = ({ coupon, starts }: Subscription, amount: number, day: Day): number | null => {
  if (!coupon) return null
  const isOver = coupon.months !== Number.POSITIVE_INFINITY && day >= addMonths(starts, coupon.months)
  return isOver ? null : Math.round((amount * coupon.percent) / 100)
}

/** Returns the invoice of a whole period; the first one has the onboarding, too. */
const renewal = (subscription: Subscription, sold: Sold, period: Period): Bill => {
  const { currency, starts, hasOnboarding } = subscription
  const { plan, interval, seats } = sold
  const amount = priceOf(subscription, sold)
  const lines: Line[] = [
    {
      id: plan,
      amount,
      quantity: seats,
      discount_amount: discountOn(subscription, amount, period.start),
      price_id: priceId(plan, interval, currency),
      type: 'recurring',
      interval,
      interval_count: 1,
    },
  ]
  if (hasOnboarding && period.start === starts)
    lines.push({
      id: 'onboarding',
      amount: onboardingPrice(currency),
      quantity: 1,
      price_id: onboardingPriceId(currency),
      type: 'one_time',
    })
  return billOf(subscription, period, lines)
}

/** Returns a line for the rest of a period: below 0 for the unused part of what was billed before. */
const restOf = (subscription: Subscription, sold: Sold, period: Period, from: Day, sign: 1 | -1): Line => {
  const { plan, interval, seats } = sold
  const share = daysBetween(from, period.end) / daysBetween(period.start, period.end)
  const amount = sign * Math.round(priceOf(subscription, sold) * share)
  return {
    id: sign < 0 ? 'unused' : 'rest',
    amount,
    quantity: seats,
    // The discount of the period, and below 0 for what is unused of it.
    discount_amount: discountOn(subscription, amount, period.start),
    price_id: priceId(plan, interval, subscription.currency),
    type: 'one_time',
    period_start: from,
    period_end: period.end,
  }
}

/** Returns the invoice of a change within a period: what is unused of the old plan, and the rest of the new one. */
const proration = (subscription: Subscription, old: Sold, { on, to }: Change, period: Period): Bill =>
  billOf(subscription, { start: on, end: period.end }, [
    restOf(subscription, old, period, on, -1),
    restOf(subscription, to, period, on, 1),
  ])

const refund = (subscription: Subscription, sold: Sold, period: Period, on: Day): Bill =>
  billOf(subscription, { start: on, end: period.end }, [restOf(subscription, sold, period, on, -1)])

/** Returns a credit of a quarter of the monthly price. It has no period, since all that was paid for was used. */
const goodwillCredit = (subscription: Subscription, sold: Sold, on: Day): Bill => {
  const { plan, seats, interval } = sold
  const { currency } = subscription
  const amount = -Math.round((unitPrice(plan, 'month', currency) * seats) / 4)
  const price_id = priceId(plan, interval, currency)
  return billOf(subscription, { start: on, end: on }, [
    { id: 'goodwill', amount, price_id, type: 'one_time' },
  ])
}

const isWithin = (day: Day | undefined, { start, end }: Period): day is Day =>
  day !== undefined && day > start && day < end

/** Returns the invoices that are created in a period: its own one, then changes, a goodwill credit and a refund. */
const billsOfPeriod = (subscription: Subscription, sold: Sold, period: Period): Bill[] => {
  const { changes, ends, isRefunded, goodwill } = subscription
  const bills = [renewal(subscription, sold, period)]
  const lastDay = isRefunded && isWithin(ends, period) ? ends : period.end
  let current = sold
  for (const change of changes) {
    if (!isWithin(change.on, period) || change.on >= lastDay) continue
    bills.push(proration(subscription, current, change, period))
    current = change.to
  }
  if (isWithin(goodwill, period) && goodwill < lastDay)
    bills.push(goodwillCredit(subscription, current, goodwill))
  if (lastDay < period.end) bills.push(refund(subscription, current, period, lastDay))
  return bills
}

/** Returns what a subscription is sold as on a day. */
const soldOn = ({ sold, changes }: Subscription, day: Day): Sold =>
  changes.findLast(({ on }) => on <= day)?.to ?? sold

/** Returns the invoices of a subscription that are created up to a day, that day included. */
export const billsOf = (subscription: Subscription, today: Day): Bill[] => {
  const { starts, ends, pause } = subscription
  const bills: Bill[] = []
  for (let months = 0; ; ) {
    const start = addMonths(starts, months)
    if (start > today || (ends !== undefined && start >= ends)) break
    const isPaused = pause !== undefined && start >= pause.from && start < pause.until
    const sold = soldOn(subscription, start)
    const length = isPaused ? 1 : monthsOf(sold)
    const period = { start, end: addMonths(starts, months + length) }
    if (!isPaused) bills.push(...billsOfPeriod(subscription, sold, period))
    months += length
  }
  return bills.filter(({ created }) => created <= today)
}
