import { monthsPerUnit } from '../../../../client/analytics/lines/calendar.ts'
import { dateText } from '../../date-text.ts'
import { toDouble } from '../../lossless-json.ts'
import type { ReadRecord } from './cells.ts'
import { calendarIn, momentIn } from './dates.ts'

/** An object in a list of an entity, such as a line item of an invoice. */
export interface Part extends ReadRecord {
  /** Such as `line 7 of line_items.csv`. */
  readonly place: string
  /** The values of its entity that its sheet contains, by field. */
  readonly shared: Readonly<Record<string, unknown>>
}

/** Empty if the line items contain no such value. */
interface Derived {
  readonly value?: unknown
  readonly problem?: string
}

/** In chronological order. */
const sortedDates = (parts: readonly Part[], field: string): string[] => {
  const dates = parts.flatMap(({ values }) => {
    const seconds = momentIn(values[field])
    return seconds === undefined ? [] : [{ text: String(values[field]), seconds }]
  })
  return dates.sort((a, b) => a.seconds - b.seconds).map(({ text }) => text)
}

type Values = Readonly<Record<string, unknown>>

/** The interval after its start or, without one, after that of its invoice. */
const endByInterval = (part: Values, invoice: Values, zone: string): string | undefined => {
  const start = momentIn(part.period_start ?? invoice.period_start)
  const { interval } = part
  const count = Number(toDouble(part.interval_count ?? 1))
  if (start === undefined || typeof interval !== 'string' || !Number.isSafeInteger(count)) return undefined
  return monthsPerUnit.has(interval) ? dateText(calendarIn(zone).shift(start, interval, count)) : undefined
}

/** The values in the row of an invoice, and the time zone of the files. */
interface InvoiceContext {
  readonly values: Values
  readonly zone: string
}

const earliestDate = (parts: readonly Part[], field: string): Derived => ({
  value: sortedDates(parts, field).at(0),
})

/** Returns the latest end of the line items or, without one, the end of the longest interval from the start of the invoice. */
const latestEnd = (parts: readonly Part[], { values: invoice, zone }: InvoiceContext): Derived => {
  const byInterval = parts.flatMap(({ values }) => endByInterval(values, invoice, zone) ?? [])
  return { value: sortedDates(parts, 'period_end').at(-1) ?? byInterval.sort().at(-1) }
}

/** Gives line items with a start and an interval, but without an end, one. */
export const withEndsByInterval = (parts: readonly Part[], zone: string): Part[] =>
  parts.map((part) => {
    const { values } = part
    const lacksEnd = values.period_start !== undefined && values.period_end === undefined
    const period_end = lacksEnd ? endByInterval(values, {}, zone) : undefined
    return period_end === undefined ? part : { ...part, values: { ...values, period_end } }
  })

const commonSubscription = (parts: readonly Part[]): Derived => {
  const subscriptions = [...new Set(parts.map(({ shared }) => shared.subscription_id))]
  const [value] = subscriptions
  if (subscriptions.length === 1) return { value }
  const named = subscriptions.map((id) => (id === undefined ? 'none' : `"${id}"`)).join(' and ')
  return {
    problem: `subscription_id must be the same in all lines of the invoice (got ${named}): add a column subscription_id to the file of invoices.`,
  }
}

/** 0 if the field is absent, undefined if its value is not an integer. */
const integerIn = ({ values }: Part, field: string): bigint | undefined => {
  const value = toDouble(values[field] ?? 0)
  return Number.isSafeInteger(value) ? BigInt(value as number) : undefined
}

const totalOf = (parts: readonly Part[]): Derived => {
  let total = 0n
  for (const part of parts) {
    const amount = integerIn(part, 'amount')
    const discount = integerIn(part, 'discount_amount')
    // Without an amount, there is no total. With a wrong one, the service refuses the line.
    if (part.values.amount === undefined || amount === undefined || discount === undefined) return {}
    if (integerIn(part, 'tax_amount') !== 0n)
      return {
        problem: `total must be a column of the file of invoices, because ${part.place} has a tax, which may be included in its amount or added to it.`,
      }
    total += amount - discount
  }
  return { value: Number(total) }
}

const derivations: Readonly<Record<string, (parts: readonly Part[], invoice: InvoiceContext) => Derived>> = {
  period_start: (parts) => earliestDate(parts, 'period_start'),
  period_end: latestEnd,
  subscription_id: commonSubscription,
  total: totalOf,
  created: (parts) => earliestDate(parts, 'period_start'),
}

/** `lacks` returns whether the file of invoices has no column for a field. */
export const deriveFields = (
  parts: readonly Part[],
  invoice: InvoiceContext,
  lacks: (field: string) => boolean,
): Pick<ReadRecord, 'values' | 'problems'> => {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  if (parts.length === 0) return { values, problems }
  for (const [field, derive] of Object.entries(derivations)) {
    if (!lacks(field)) continue
    const { value, problem } = derive(parts, invoice)
    if (problem !== undefined) problems.push(problem)
    else if (value !== undefined) values[field] = value
  }
  return { values, problems }
}

/** `lacks` returns whether the file of invoices has no column for a field: such a field cannot differ. */
export const sharedValueProblem = (
  invoice: Readonly<Record<string, unknown>>,
  parts: readonly Part[],
  lacks: (field: string) => boolean,
): string | undefined => {
  for (const { shared, place } of parts)
    for (const [field, value] of Object.entries(shared)) {
      if (lacks(field) || invoice[field] === value) continue
      const own = invoice[field] === undefined ? 'none' : `"${invoice[field]}"`
      return `${field} must be the same in the invoice (${own}) and in its lines (${place} has "${value}").`
    }
  return undefined
}
