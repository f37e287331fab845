import type { Dataset } from './dataset.ts'
import { type Calendar, calendarOf, DAY, monthsPerUnit } from './lines/calendar.ts'
import { compareTexts, groupsOf, sumOf } from './lines/groups.ts'
import type { Invoice } from './lines/invoice.ts'
import { afterDiscount, rounded } from './lines/line-properties.ts'
import { spansAt } from './lines/spans.ts'
import type { ValuedLine } from './lines/valued-lines.ts'
import { monthsBetween, recordsByMonth } from './months.ts'
import { subscriptionStatuses } from './subscriptions.ts'
import type { CurrencyAmount, CurrencyMonths, Renewal, RenewalsMonth } from './types.ts'

/** The number of months in which renewals are expected: the current one and eleven later ones. */
const RENEWAL_MONTHS = 12

/** Returns the lines that are active now. */
const linesNow = ({ activeLines, currentMonth }: Dataset) =>
  new Set(spansAt(activeLines, currentMonth).map(({ line }) => line))

/**
 * Returns the lines of a subscription that are to be renewed: those that are active now or begin later, except lines that are renewed
 * already, by a charge in the same currency that begins at their end or later.
 */
const renewedLines = (lines: readonly ValuedLine[], isActive: (line: ValuedLine) => boolean, now: number) => {
  const lastStarts = new Map<string, number>()
  for (const { currency, monthly, start } of lines)
    if (monthly > 0) lastStarts.set(currency, Math.max(start, lastStarts.get(currency) ?? start))
  return lines.filter((line) => {
    const lastStart = lastStarts.get(line.currency) ?? Number.NEGATIVE_INFINITY
    // As in the renewals of active lines, an end at second 59 was moved by a second.
    const isRenewed = lastStart >= line.end - 1 && lastStart > line.start
    return !isRenewed && (isActive(line) || line.start > now)
  })
}

type Discount = Invoice['discounts'][number]

/** Returns when each discount of a subscription took off something first, by its id. */
const discountStarts = (lines: readonly ValuedLine[]): ReadonlyMap<string, number> => {
  const starts = new Map<string, number>()
  for (const { invoice, line, start } of lines)
    if (line.discount_amount)
      for (const { id } of invoice.discounts ?? []) starts.set(id, Math.min(start, starts.get(id) ?? start))
  return starts
}

/** Returns the amount that a discount alone takes off an amount. */
const amountOff = ({ percent_off, amount_off }: Discount, amount: number): number =>
  percent_off ? (Math.abs(amount) * percent_off) / 100 : (amount_off ?? 0)

/**
 * Returns the share of a line's discount that still holds at a renewal. A line does not say what each of its invoice's discounts took
 * off, so it is divided in proportion to what each takes off alone. A discount that the invoice does not name holds.
 */
const discountShare = ({ invoice, line }: ValuedLine, holds: (discount: Discount) => boolean): number => {
  const discounts = invoice.discounts ?? []
  const held = discounts.filter(holds)
  if (held.length === discounts.length) return 1
  const offOf = (discount: Discount): number => amountOff(discount, line.amount ?? 0)
  const all = sumOf(discounts, offOf)
  return all === 0 ? held.length / discounts.length : sumOf(held, offOf) / all
}

/** Returns the net of a line for its next interval, with the share of its discount that still holds. */
const renewedAmount = ({ line, intervalNet }: ValuedLine, share: number): number => {
  if (share === 1 || !line.discount_amount) return rounded(intervalNet)
  const discounted = (line.amount ?? 0) - line.discount_amount * share
  const charged = afterDiscount(line)
  // Where the discount took off everything, the net does not show what is charged without it.
  return rounded(charged === 0 ? discounted : (intervalNet * discounted) / charged)
}

/** The time from which intervals are counted, the calendar that they follow, and their number until the end of a line. */
interface Anchor {
  readonly calendar: Calendar
  readonly start: number
  readonly intervals: number
}

/**
 * Returns the first start of a subscription from which whole intervals lead to the end of a line in a calendar. A month from 31 January
 * ends on 28 February, and so does one from 28 January: the interval before the end must begin where it is counted to begin.
 */
const anchorIn = (
  calendar: Calendar,
  { unit, units, end }: ValuedLine,
  lines: readonly ValuedLine[],
): Anchor | undefined => {
  const months = monthsPerUnit.get(unit)! * units
  if (months < 1) return undefined
  const starts = lines
    .filter((other) => other.unit === unit && other.units === units)
    .map(({ start }) => start)
    .sort((a, b) => a - b)
  for (const start of starts) {
    const intervals = (calendar.monthOf(end) - calendar.monthOf(start)) / months
    const fits = (time: number, count: number) =>
      Math.abs(calendar.shift(start, unit, count * units) - time) <= DAY / 2
    const isCounted = Number.isInteger(intervals) && intervals > 0 && fits(end, intervals)
    if (isCounted && starts.some((other) => fits(other, intervals - 1))) return { calendar, start, intervals }
  }
  return undefined
}

/** Returns the times at which renewals are due, from the end of a line until a time. Calendars are those that intervals may follow. */
const dueTimes = (
  line: ValuedLine,
  lines: readonly ValuedLine[],
  calendars: readonly [Calendar, Calendar],
  until: number,
): number[] => {
  const { unit, units, end } = line
  const [own, utc] = calendars
  const anchor = anchorIn(own, line, lines) ?? anchorIn(utc, line, lines)
  const { calendar, start, intervals } = anchor ?? { calendar: own, start: end, intervals: 0 }
  const difference = end - calendar.shift(start, unit, intervals * units)
  const times: number[] = []
  let time = end
  while (time < until) {
    times.push(time)
    // Shifted from the anchor, since a month can be shorter than the next: January 31, February 28, March 31.
    time = calendar.shift(start, unit, (intervals + times.length) * units) + difference
  }
  return times
}

const byDue = (a: Renewal, b: Renewal): number =>
  a.due - b.due || compareTexts(a.subscription_id, b.subscription_id) || compareTexts(a.currency, b.currency)

/** A line of a plan that is renewed, with its due time, its expected amount, and the names of the discounts that no longer hold. */
interface RenewedPlan {
  readonly line: ValuedLine
  readonly due: number
  readonly amount: number
  readonly ended: readonly string[]
}

/** Returns the discounts of lines that are discounted. */
const discountsOf = (lines: readonly ValuedLine[]): Discount[] =>
  lines.flatMap(({ invoice, line }) => (line.discount_amount ? (invoice.discounts ?? []) : []))

/** Returns the renewal of the plans of a subscription in a currency that are due at the same time. */
const renewalOf = (plans: readonly RenewedPlan[], { now, calendar }: Dataset): Renewal => {
  const { line, due } = plans[0]!
  return {
    subscription_id: line.invoice.subscription_id,
    customer_id: line.invoice.customer_id,
    currency: line.currency,
    due,
    month: calendar.monthOf(Math.max(due, now)),
    late: due <= now,
    amount: sumOf(plans, ({ amount }) => amount),
    plans: plans
      .map(({ line: { plan }, amount }) => ({ ...plan, amount }))
      .sort((a, b) => compareTexts(a.key, b.key)),
    months: Math.max(...plans.map(({ line: { unit, units } }) => monthsPerUnit.get(unit)! * units)),
    endedDiscounts: [...new Set(plans.flatMap(({ ended }) => ended))].sort(),
  }
}

/**
 * Returns the invoices that are expected within a year, in the order of their due times, so late ones come first. Each active
 * subscription is expected to renew its plans at the end of each interval, for what they were billed, with the discounts that hold.
 */
export const renewalsIn = (dataset: Dataset): Renewal[] => {
  const { now, calendar } = dataset
  const statuses = subscriptionStatuses(dataset)
  const active = linesNow(dataset)
  const renewed: RenewedPlan[] = []
  // Most billers count intervals in UTC.
  const calendars = [calendar, calendarOf('UTC')] as const
  const until = calendar.startOf(dataset.currentMonth + RENEWAL_MONTHS)
  // The statuses are in the order of the subscriptions.
  for (const [index, lines] of dataset.subscriptions.entries()) {
    if (!statuses[index]!.active) continue
    const starts = discountStarts(lines)
    const holdsAt = (due: number) => (discount: Discount) => {
      if (discount.duration === 'once') return false
      if (discount.duration !== 'repeating') return true
      const start = starts.get(discount.id)
      if (start === undefined) return true
      // To half a day, since clocks may have been changed between the two, in this time zone or in the biller’s.
      return due < calendar.shift(start, 'month', discount.duration_in_months ?? 0) - DAY / 2
    }
    const toBeRenewed = renewedLines(lines, ({ line }) => active.has(line), now)
    // Lines that end together are renewed together: a charge, and what was added to it or credited since.
    const keyOf = ({ currency, plan, unit, units, end }: ValuedLine) =>
      `${currency} ${unit} ${units} ${end} ${plan.key}`
    for (const group of groupsOf(toBeRenewed, keyOf)) {
      const line = group[0]!
      let held = discountsOf(group)
      for (const due of dueTimes(line, lines, calendars, until)) {
        const holds = holdsAt(due)
        const ended = held.filter((discount) => !holds(discount)).map(({ id, name }) => name ?? id)
        held = held.filter(holds)
        const amount = sumOf(group, (own) => renewedAmount(own, discountShare(own, holds)))
        if (amount > 0) renewed.push({ line, due, amount, ended })
      }
    }
  }
  return groupsOf(renewed, ({ line, due }) => `${line.invoice.subscription_id} ${line.currency} ${due}`)
    .map((plans) => renewalOf(plans, dataset))
    .sort(byDue)
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
 * Returns the recurring revenue now of the lines whose renewal is late, for each currency. A line counts for three days after the end
 * of its period.
 */
export const revenueAwaitingRenewal = (dataset: Dataset): CurrencyAmount[] => {
  const active = linesNow(dataset)
  const late = dataset.lines.filter(({ line, end }) => end <= dataset.now && active.has(line))
  return dataset.currencies.map((currency) => ({
    currency,
    amount: sumOf(
      late.filter((line) => line.currency === currency),
      ({ monthly }) => monthly,
    ),
  }))
}
