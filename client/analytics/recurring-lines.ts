import { type Calendar, monthsIn } from './calendar.ts'
import type { Invoice, Line, Plan } from './types.ts'

/** A recurring line, with the interval and the period by which it counts. */
export interface RecurringLine {
  readonly invoice: Invoice
  readonly line: Line
  readonly currency: string
  readonly plan: Plan
  readonly unit: string
  readonly count: number
  readonly start: number
  /** The first moment that it is no longer paid for. */
  readonly end: number
  readonly hasPeriod: boolean
}

/** A recurring line with what it comes to in a month. */
export interface ValuedLine extends RecurringLine {
  readonly monthly: number
}

const DAY = 86_400

export const linesOf = (invoice: Invoice): readonly Line[] => invoice.line_items ?? []

export const currencyOf = (line: Line, invoice: Invoice): string => line.currency ?? invoice.currency

/** Returns the plan of a line: the product whose price it names. */
export const planOf = ({ price }: Line): Plan =>
  price ? { key: price.product.id, name: price.product.name } : { key: '', name: 'No plan named' }

export const hasPeriod = ({ period_start, period_end }: Line): boolean =>
  period_start != null && period_end != null

const afterDiscount = ({ amount, discount_amount }: Line): number => (amount ?? 0) - (discount_amount ?? 0)

/** Returns what an invoice's total has beyond its lines, and how much of tax they have. Amounts in other currencies are left out. */
export const sumsOf = (invoice: Invoice) => {
  const lines = linesOf(invoice).filter((line) => currencyOf(line, invoice) === invoice.currency)
  const beyond = lines.reduce((rest, line) => rest - afterDiscount(line), invoice.total)
  const tax = lines.reduce((sum, { tax_amount }) => sum + (tax_amount ?? 0), 0)
  return { beyond, tax, lines: lines.length }
}

/** Returns whether the taxes of an invoice are added to its lines: only with them the lines come to the total. */
const taxIsOnTop = (invoice: Invoice): boolean => {
  const { beyond, tax, lines } = sumsOf(invoice)
  return Math.abs(beyond - tax) <= lines && Math.abs(beyond - tax) < Math.abs(beyond)
}

/** Returns the function that returns what lines of an invoice come to without discount and tax. */
export const netIn = (invoice: Invoice): ((line: Line) => number) => {
  const onTop = taxIsOnTop(invoice)
  return (line) => afterDiscount(line) - (onTop ? 0 : (line.tax_amount ?? 0))
}

/** Returns the interval of a line that recurs by itself, or with a period of its own by its price. */
const intervalOf = (line: Line) => {
  const own = line.type === 'recurring' && line.interval
  const { interval, interval_count } = (own ? line : hasPeriod(line) && line.price) || {}
  return interval && monthsIn.has(interval) ? { unit: interval, count: interval_count || 1 } : undefined
}

/** An end at second 59 was meant to be inclusive. */
const exclusive = (end: number): number => (end % 60 === 59 ? end + 1 : end)

/** Returns a line as a recurring one; undefined if it is none. */
export const recurringLine = (line: Line, invoice: Invoice): RecurringLine | undefined => {
  const interval = intervalOf(line)
  return (
    interval && {
      ...{ invoice, line, currency: currencyOf(line, invoice), plan: planOf(line) },
      ...interval,
      start: line.period_start ?? invoice.period_start,
      end: exclusive(line.period_end ?? invoice.period_end),
      hasPeriod: hasPeriod(line),
    }
  )
}

/** Half away from zero. */
const rounded = (amount: number): number => Math.sign(amount) * Math.round(Math.abs(amount)) + 0

/** Returns the number of intervals that fits a line's period best. */
const timesOf = ({ unit, count, start, end, hasPeriod }: RecurringLine): number => {
  const length = (monthsIn.get(unit)! * count * DAY * 365.25) / 12
  return hasPeriod ? Math.max(1, Math.round((end - start) / length)) : 1
}

/** Returns by what to multiply the amount of a line that is for a part of its interval; 1 for a whole one. */
const scaleOf = (recurring: RecurringLine, intervals: number, calendar: Calendar): number => {
  const { line, unit, start, end } = recurring
  if (!recurring.hasPeriod) return 1
  const next = calendar.shift(start, unit, intervals)
  const back = calendar.shift(end, unit, -intervals)
  const isRecurring = line.type === 'recurring'
  const tolerance = isRecurring ? DAY / 2 : DAY / 12
  if (Math.min(Math.abs(next - end), Math.abs(back - start)) <= tolerance) return 1
  const scale = (end - back) / (end - start)
  // 31 / 28, and an hour of summer time.
  return isRecurring && Math.max(scale, 1 / scale) <= 1.11 ? 1 : scale
}

/** Returns what a line comes to in a month, given what it comes to without discount and tax. */
const monthlyOf = (recurring: RecurringLine, net: number, calendar: Calendar): number => {
  const intervals = recurring.count * timesOf(recurring)
  const scale = scaleOf(recurring, intervals, calendar)
  return rounded((net * scale) / (monthsIn.get(recurring.unit)! * intervals))
}

/** Returns the recurring lines of invoices whose periods have a length, each with what it comes to in a month. */
export const valuedLines = (invoices: readonly Invoice[], calendar: Calendar): ValuedLine[] =>
  invoices.flatMap((invoice) => {
    const net = netIn(invoice)
    return linesOf(invoice).flatMap((line) => {
      const recurring = recurringLine(line, invoice)
      if (!recurring || recurring.end <= recurring.start) return []
      return [{ ...recurring, monthly: monthlyOf(recurring, net(line), calendar) }]
    })
  })
