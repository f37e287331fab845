import type { CreateInvoice, CreateLineItem } from '../../client/index.ts'
import { addMonths, type Day, daysBetween } from './calendar.ts'
import { onboardingPrice, onboardingPriceId, priceId, unitPrice } from './plans.ts'
import { type SubscriptionHistory, type Terms, type TermsChange, termsOn } from './subscription.ts'

/** Bills a subscription of the business, as docs/recording.md recommends. */

/** The number of lines of an invoice for usage. */
const USAGE_LINES = 250

export type Bill = Omit<CreateInvoice, 'id' | 'customer_id'> & { readonly created: Day }

interface BilledPeriod {
  readonly start: Day
  readonly end: Day
}

const monthsOf = ({ interval }: Terms): number => (interval === 'year' ? 12 : 1)

/** In minor units, without discount and tax. */
const periodPrice = ({ currency }: SubscriptionHistory, { plan, interval, seats }: Terms): number =>
  unitPrice(plan, interval, currency) * seats

/** Adds the currency and the tax. */
const billOf = (
  subscription: SubscriptionHistory,
  period: BilledPeriod,
  lines: readonly CreateLineItem[],
): Bill => {
  const { currency, id, taxPercent, coupon } = subscription
  const net = (line: CreateLineItem): number => (line.amount ?? 0) - (line.discount_amount ?? 0)
  const taxedLines = lines.map((line) => ({
    ...line,
    currency,
    tax_amount: Math.round((net(line) * taxPercent) / 100),
  }))
  const isDiscounted = lines.some((line) => line.discount_amount)
  return {
    total: taxedLines.reduce((sum, line) => sum + net(line) + line.tax_amount, 0),
    created: period.start,
    period_start: period.start,
    period_end: period.end,
    currency,
    subscription_id: id,
    discounts: coupon && isDiscounted ? [coupon.id] : [],
    line_items: taxedLines,
  }
}

/** For a period that begins on `day`; null without a discount. */
const discountOn = ({ coupon, firstDay }: SubscriptionHistory, amount: number, day: Day): number | null => {
  if (!coupon) return null
  const isOver = coupon.months !== Number.POSITIVE_INFINITY && day >= addMonths(firstDay, coupon.months)
  return isOver ? null : Math.round((amount * coupon.percent) / 100)
}

const planLine = ({ currency }: SubscriptionHistory, { plan, interval, seats }: Terms) =>
  ({
    id: plan,
    quantity: seats,
    price_id: priceId(plan, interval, currency),
    type: 'recurring',
    interval,
    interval_count: 1,
  }) as const

/** Bills the days before the subscription begins with 0. */
const trial = (subscription: SubscriptionHistory, start: Day): Bill => {
  const { firstDay, terms } = subscription
  return billOf(subscription, { start, end: firstDay }, [{ ...planLine(subscription, terms), amount: 0 }])
}

/** Bills a period. The first invoice also bills the onboarding. */
const renewal = (subscription: SubscriptionHistory, terms: Terms, period: BilledPeriod): Bill => {
  const { currency, firstDay, hasOnboarding } = subscription
  const amount = periodPrice(subscription, terms)
  const discount_amount = discountOn(subscription, amount, period.start)
  const lines: CreateLineItem[] = [{ ...planLine(subscription, terms), amount, discount_amount }]
  if (hasOnboarding && period.start === firstDay)
    lines.push({
      id: 'onboarding',
      amount: onboardingPrice(currency),
      quantity: 1,
      price_id: onboardingPriceId(currency),
      type: 'one_time',
    })
  return billOf(subscription, period, lines)
}

/** Bills the rest of a period from a day on or, with a negative sign, credits it. */
const restLine = (
  subscription: SubscriptionHistory,
  terms: Terms,
  period: BilledPeriod,
  day: Day,
  sign: 1 | -1,
): CreateLineItem => {
  const { plan, interval, seats } = terms
  const share = daysBetween(day, period.end) / daysBetween(period.start, period.end)
  const amount = sign * Math.round(periodPrice(subscription, terms) * share)
  return {
    id: sign < 0 ? 'unused' : 'rest',
    amount,
    quantity: seats,
    // Negative in a credit, like the amount.
    discount_amount: discountOn(subscription, amount, period.start),
    price_id: priceId(plan, interval, subscription.currency),
    type: 'one_time',
    period_start: day,
    period_end: period.end,
  }
}

/** Credits the rest of the old terms and bills the rest of the new ones. */
const proration = (
  subscription: SubscriptionHistory,
  oldTerms: Terms,
  { day, terms }: TermsChange,
  period: BilledPeriod,
): Bill =>
  billOf(subscription, { start: day, end: period.end }, [
    restLine(subscription, oldTerms, period, day, -1),
    restLine(subscription, terms, period, day, 1),
  ])

const refund = (subscription: SubscriptionHistory, terms: Terms, period: BilledPeriod, day: Day): Bill =>
  billOf(subscription, { start: day, end: period.end }, [restLine(subscription, terms, period, day, -1)])

/** A quarter of the monthly price. It has no period, because all of the billed days were used. */
const goodwillCredit = (subscription: SubscriptionHistory, terms: Terms, day: Day): Bill => {
  const { plan, seats, interval } = terms
  const { currency } = subscription
  const amount = -Math.round((unitPrice(plan, 'month', currency) * seats) / 4)
  const price_id = priceId(plan, interval, currency)
  return billOf(subscription, { start: day, end: day }, [
    { id: 'goodwill', amount, price_id, type: 'one_time' },
  ])
}

/** Bills the usage of the month before a day. */
const usage = (subscription: SubscriptionHistory, day: Day): Bill => {
  const lines = Array.from({ length: USAGE_LINES }, (_, index) => ({
    id: `usage-${index + 1}`,
    amount: 10 + index,
    quantity: 1 + (index % 9),
    type: 'one_time' as const,
  }))
  return { ...billOf(subscription, { start: addMonths(day, -1), end: day }, lines), created: day }
}

const isWithin = (day: Day | undefined, { start, end }: BilledPeriod): day is Day =>
  day !== undefined && day > start && day < end

/** The renewal, then changes, a goodwill credit, usage and a refund. */
const billsOfPeriod = (subscription: SubscriptionHistory, terms: Terms, period: BilledPeriod): Bill[] => {
  const { changes, cancellationDay, isRefunded, goodwillDay, usageDay } = subscription
  const bills = [renewal(subscription, terms, period)]
  const end = isRefunded && isWithin(cancellationDay, period) ? cancellationDay : period.end
  let currentTerms = terms
  for (const change of changes) {
    if (!isWithin(change.day, period) || change.day >= end) continue
    bills.push(proration(subscription, currentTerms, change, period))
    currentTerms = change.terms
  }
  if (isWithin(goodwillDay, period) && goodwillDay < end)
    bills.push(goodwillCredit(subscription, currentTerms, goodwillDay))
  if (isWithin(usageDay, period) && usageDay < end) bills.push(usage(subscription, usageDay))
  if (end < period.end) bills.push(refund(subscription, currentTerms, period, end))
  return bills
}

/** Up to `today`, that day included. */
export const billsOf = (subscription: SubscriptionHistory, today: Day): Bill[] => {
  const { firstDay, cancellationDay, pause, trialStart } = subscription
  const isCancelledOn = (day: Day) => cancellationDay !== undefined && day >= cancellationDay
  const bills: Bill[] = []
  if (trialStart !== undefined && !isCancelledOn(trialStart)) bills.push(trial(subscription, trialStart))
  let months = 0
  for (;;) {
    const start = addMonths(firstDay, months)
    if (start > today || isCancelledOn(start)) break
    const isPaused = pause !== undefined && start >= pause.start && start < pause.end
    const terms = termsOn(subscription, start)
    const length = isPaused ? 1 : monthsOf(terms)
    const period = { start, end: addMonths(firstDay, months + length) }
    if (!isPaused) bills.push(...billsOfPeriod(subscription, terms, period))
    months += length
  }
  return bills.filter(({ created }) => created <= today)
}
