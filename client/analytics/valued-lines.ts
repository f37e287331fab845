import { type Calendar, monthsIn } from './calendar.ts'
import { linesOf, netAmounts, type RecurringLine, recurringLine, rounded } from './recurring-lines.ts'
import type { Invoice, Line } from './types.ts'

/** A recurring line with its monthly value in minor units: without discount and tax, per month of its interval. */
export interface ValuedLine extends RecurringLine {
  readonly monthly: number
}

const DAY = 86_400

/** Returns the number of intervals that a line's period is closest to. */
const intervalsIn = ({ unit, count, start, end, hasPeriod }: RecurringLine): number => {
  const length = (monthsIn.get(unit)! * count * DAY * 365.25) / 12
  return hasPeriod ? Math.max(1, Math.round((end - start) / length)) : 1
}

/**
 * Returns the factor that extrapolates the amount of a line for a part of its interval, such as a proration, to the whole
 * interval of `units`; 1 if the line is for a whole one.
 */
const extrapolationOf = (recurring: RecurringLine, units: number, calendar: Calendar): number => {
  const { line, unit, start, end } = recurring
  if (!recurring.hasPeriod) return 1
  const next = calendar.shift(start, unit, units)
  const previous = calendar.shift(end, unit, -units)
  const isRecurring = line.type === 'recurring'
  const tolerance = isRecurring ? DAY / 2 : DAY / 12
  if (Math.min(Math.abs(next - end), Math.abs(previous - start)) <= tolerance) return 1
  const [full, own] = [end - previous, end - start]
  // Months have 28 to 31 days, and the change to summer time takes an hour.
  const isLikeMonth = Math.max(full, own) * 28 <= (Math.min(full, own) + DAY / 24) * 31
  return isRecurring && isLikeMonth ? 1 : full / own
}

/** Returns the amount of a whole interval by the price that a line names, without its sign. */
const wholeOf = ({ price, quantity }: Line): number => Math.abs(price!.price * (quantity ?? 1))

/** Returns whether the amount of a line is its price's share for a part of an interval, to a minor unit. */
const isShareOfPrice = (recurring: RecurringLine, calendar: Calendar): boolean => {
  const { line, currency, unit, count, start, end } = recurring
  const { price, amount } = line
  if (!recurring.hasPeriod || !amount || !price || price.tiered || price.currency !== currency) return false
  if (price.interval !== unit || (price.interval_count || 1) !== count) return false
  const previous = calendar.shift(end, unit, -count)
  // An interval that ends on the last day of a month may have begun later, as on 31 January for 28 February.
  const isShareFrom = (days: number): boolean => {
    const from = calendar.shift(previous, 'day', days)
    if (from >= start || (days > 0 && calendar.shift(from, unit, count) !== end)) return false
    return Math.abs(wholeOf(line) * (end - start) - Math.abs(amount) * (end - from)) <= end - from
  }
  return previous < start && [0, 1, 2, 3].some(isShareFrom)
}

const monthlyOf = (recurring: RecurringLine, netAmount: number, calendar: Calendar): number => {
  const { line, unit, count } = recurring
  const months = monthsIn.get(unit)!
  // A share is rounded to a minor unit, which extrapolation would multiply.
  if (isShareOfPrice(recurring, calendar))
    return rounded((wholeOf(line) * netAmount) / (Math.abs(line.amount!) * months * count))
  const units = count * intervalsIn(recurring)
  return rounded((netAmount * extrapolationOf(recurring, units, calendar)) / (months * units))
}

/** Returns the recurring lines of invoices with their monthly values, without lines whose period is empty. */
export const valuedLines = (invoices: readonly Invoice[], calendar: Calendar): ValuedLine[] =>
  invoices.flatMap((invoice) => {
    const netAmountOf = netAmounts(invoice)
    return linesOf(invoice).flatMap((line) => {
      const recurring = recurringLine(line, invoice)
      if (!recurring || recurring.end <= recurring.start) return []
      return [{ ...recurring, monthly: monthlyOf(recurring, netAmountOf(line), calendar) }]
    })
  })
