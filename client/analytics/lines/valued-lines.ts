import type { BillingConventions } from './billing-conventions.ts'
import { AVERAGE_MONTH, type Calendar, DAY, HOUR, monthsPerUnit } from './calendar.ts'
import type { Invoice, Line, Plan } from './invoice.ts'
import { planOf, rounded } from './line-properties.ts'
import { visitNets } from './net-lines.ts'
import { fullIntervalAmount, hasPriceOfInterval, isShareOfPrice } from './price-shares.ts'
import { type Period, type Recurrence, type RecurringLine, recurringLine } from './recurring-lines.ts'
import { HALF_A_DAY, isWhole, TWO_HOURS } from './whole-periods.ts'

/** The value of a line for a month of its interval, in minor units, without discount and tax. */
interface MonthlyValue {
  readonly monthly: number
  /** The net for all of the time that the line is for, if it was extrapolated, and not rounded. */
  readonly intervalNet: number
  /** How many units that time has, such as 12 of the unit "month" for a yearly one of twelve months. */
  readonly units: number
  /** Whether the amount is for whole intervals: neither extrapolated nor a part of the price. */
  readonly isWhole: boolean
  /** The monthly value of one minor unit of the line's net, if the value is extrapolated; otherwise 0. */
  readonly rounding: number
}

/** A recurring line with its monthly value. */
export interface ValuedLine extends Period, Recurrence, MonthlyValue {
  readonly invoice: Invoice
  readonly line: Line
  readonly currency: string
  readonly plan: Plan
}

/** Returns the number of intervals that a line's period is closest to, and at least 1. */
const closestIntervals = ({ unit, count, start, end }: RecurringLine): number =>
  Math.max(1, Math.round((end - start) / (monthsPerUnit.get(unit)! * count * AVERAGE_MONTH)))

/**
 * Returns how many intervals a line is for. The period of its invoice counts as several intervals only if it is a whole number of
 * them.
 */
const intervalsOf = (recurring: RecurringLine, calendar: Calendar): number => {
  const { unit, count, hasPeriod } = recurring
  const closest = closestIntervals(recurring)
  if (hasPeriod || closest === 1) return closest
  return isWhole(recurring, unit, count * closest, HALF_A_DAY, calendar) ? closest : 1
}

/**
 * Returns whether two lengths in seconds differ by no more than the lengths of months do. Months have 28 to 31 days, and an hour
 * more or less when clocks change.
 */
const areLikeMonths = (one: number, other: number): boolean =>
  Math.max(one, other) * 28 <= (Math.min(one, other) + HOUR) * 31 && Math.abs(one - other) <= 3 * DAY + HOUR

/** Returns whether the amount of a recurring line is its price: a first period of another length can be billed in full. */
const isBilledInFull = (recurring: RecurringLine): boolean => {
  const { type, amount } = recurring.line
  return (
    type === 'recurring' &&
    hasPriceOfInterval(recurring) &&
    Math.abs(amount ?? 0) === fullIntervalAmount(recurring.line)
  )
}

/**
 * Returns the factor that extrapolates the amount of a line for a part of its interval, such as a proration, to all of its
 * `units`; 1 if the line is for the whole.
 */
const extrapolationFactor = (recurring: RecurringLine, units: number, calendar: Calendar): number => {
  const { line, unit, count, start, end } = recurring
  const isRecurring = line.type === 'recurring'
  const tolerance = isRecurring ? HALF_A_DAY : TWO_HOURS
  if (isWhole(recurring, unit, units, tolerance, calendar)) return 1
  const length = end - start
  const months = Math.round(length / AVERAGE_MONTH)
  const monthsOfUnit = monthsPerUnit.get(unit)!
  const isWholeMonths =
    monthsOfUnit >= 1 && months > 0 && isWhole(recurring, 'month', months, tolerance, calendar)
  const isLonger = isWholeMonths && months > monthsOfUnit * count
  if (!isLonger && units === count && isBilledInFull(recurring)) return 1
  // A yearly plan that is billed for one month, or for 18, is scaled by months, not by days.
  if (isLonger || (isRecurring && isWholeMonths)) return (monthsOfUnit * units) / months
  const fullLength = end - calendar.shift(end, unit, -units)
  return isRecurring && areLikeMonths(fullLength, length) ? 1 : fullLength / length
}

/**
 * Returns whether a line without a period of its own takes a period from its invoice that differs from its interval: it is not a
 * whole number of intervals, nor as long as one to within the lengths of months.
 */
export const hasDifferingPeriod = (recurring: RecurringLine, calendar: Calendar): boolean => {
  const { unit, count, start, end, hasPeriod } = recurring
  if (hasPeriod) return false
  const units = count * intervalsOf(recurring, calendar)
  if (isWhole(recurring, unit, units, HALF_A_DAY, calendar)) return false
  return !areLikeMonths(end - calendar.shift(end, unit, -units), end - start)
}

const monthlyValue = (recurring: RecurringLine, net: number, calendar: Calendar): MonthlyValue => {
  const { line, unit, count } = recurring
  const months = monthsPerUnit.get(unit)!
  // A share is rounded to a minor unit, which extrapolation would multiply.
  if (isShareOfPrice(recurring, calendar)) {
    const amount = Math.abs(line.amount!)
    const fullAmount = fullIntervalAmount(line)
    const monthly = rounded((fullAmount * net) / (amount * months * count))
    const intervalNet = (fullAmount * net) / amount
    // Without a discount and a tax, the price determines the value, whatever the amount was rounded to.
    const isExact = Math.abs(net) === amount
    const rounding = isExact ? 0 : fullAmount / (amount * months * count)
    return { monthly, intervalNet, units: count, isWhole: amount === fullAmount, rounding }
  }
  const units = count * intervalsOf(recurring, calendar)
  const factor = recurring.hasPeriod ? extrapolationFactor(recurring, units, calendar) : 1
  const monthly = rounded((net * factor) / (months * units))
  const rounding = factor === 1 ? 0 : factor / (months * units)
  return { monthly, intervalNet: net * factor, units, isWhole: factor === 1, rounding }
}

/** Returns the recurring lines of invoices with their monthly values, without lines whose period is empty. */
export const valuedLines = (
  invoices: readonly Invoice[],
  conventions: BillingConventions,
  calendar: Calendar,
): ValuedLine[] => {
  const values: ValuedLine[] = []
  // The lines of a plan share one object, since there are few plans and many lines.
  const plans = new Map<string, Plan>()
  const sharedPlan = (line: Line): Plan => {
    const plan = planOf(line)
    const shared = plans.get(plan.key) ?? plan
    plans.set(plan.key, shared)
    return shared
  }
  visitNets(invoices, conventions, ({ invoice, line, currency, net }) => {
    const recurring = line && recurringLine(line, invoice, conventions)
    if (!recurring || recurring.end <= recurring.start) return
    const { unit, count, start, end } = recurring
    const value = monthlyValue(recurring, net, calendar)
    values.push({ invoice, line, currency, plan: sharedPlan(line), unit, count, start, end, ...value })
  })
  return values
}
