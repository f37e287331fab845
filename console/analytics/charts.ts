import { type Invoice, netOf, planOf } from './invoice.ts'
import { byCurrency, totalsOf } from './totals.ts'

/** A calendar month in UTC, counted from January 1970. */
export type Month = number

/** The most months that a chart has. */
export const MOST_MONTHS = 120

const monthOf = (seconds: number): Month => {
  const date = new Date(seconds * 1000)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

/** Returns a month as `2026-02`. */
export const monthName = (month: Month): string => new Date(Date.UTC(1970, month)).toISOString().slice(0, 7)

/** Returns the months from the first invoice to `now`, at most the last 120. */
const monthsOf = (invoices: readonly Invoice[], now: number): Month[] => {
  const last = monthOf(now)
  const earliest = invoices.reduce((least, { created }) => Math.min(least, created), now)
  const first = Math.max(monthOf(earliest), last - MOST_MONTHS + 1)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** Values month by month: amounts of one currency in minor units or, without a currency, counts. */
export interface Chart {
  readonly currency: string | undefined
  readonly months: readonly Month[]
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[]
}

/** Returns the totals of the invoices created in each month, a chart for each currency. `now` is in seconds. */
export const invoicedByMonth = (invoices: readonly Invoice[], now: number): Chart[] => {
  const months = monthsOf(invoices, now)
  return byCurrency(invoices).map(([currency, of]) => {
    const totals = totalsOf(of.map(({ created, total }) => ({ key: monthOf(created), amount: total })))
    const values = months.map((month) => totals.get(month) ?? 0)
    return { currency, months, series: [{ name: 'Invoiced', values }] }
  })
}

/** A recurring line, and when it is paid for. */
interface Term {
  readonly subscription: string
  readonly currency: string
  readonly plan: string
  /** What it comes to in a month. */
  readonly monthly: number
  readonly start: number
  readonly end: number
}

/** How often an interval fits into a twelfth of a year of 365.25 days. */
const perMonth: Readonly<Record<string, number>> = {
  day: 365.25 / 12,
  week: 365.25 / 84,
  month: 1,
  year: 1 / 12,
}

const termsOf = (invoices: readonly Invoice[]): Term[] =>
  invoices.flatMap((invoice) =>
    invoice.line_items
      .filter(({ type, interval }) => type === 'recurring' && interval !== null)
      .map((line) => ({
        subscription: invoice.subscription_id,
        currency: line.currency ?? invoice.currency,
        plan: planOf(line),
        monthly: Math.round((netOf(line) * (perMonth[line.interval!] ?? 0)) / (line.interval_count ?? 1)),
        start: line.period_start ?? invoice.period_start,
        end: line.period_end ?? invoice.period_end,
      })),
  )

/** Returns, for each month, the terms that are paid for at its last second, or `now`. */
const paidIn = (months: readonly Month[], terms: readonly Term[], now: number): Term[][] =>
  months.map((month) => {
    const moment = Math.min(Date.UTC(1970, month + 1) / 1000 - 1, now)
    return terms.filter(({ start, end }) => start <= moment && moment < end)
  })

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/**
 * Returns the monthly recurring revenue, a chart for each currency: all recurring lines that are paid for at the end of each
 * month, or now, each as what it comes to in a month, and the same by plan. `now` is in seconds.
 */
export const recurringByMonth = (invoices: readonly Invoice[], now: number): Chart[] => {
  const months = monthsOf(invoices, now)
  return byCurrency(termsOf(invoices)).map(([currency, terms]) => {
    const totals = paidIn(months, terms, now).map((paid) =>
      totalsOf(paid.map(({ plan, monthly }) => ({ key: plan, amount: monthly }))),
    )
    const plans = [...new Set(terms.map(({ plan }) => plan))]
      .map((name) => ({ name, values: totals.map((of) => of.get(name) ?? 0) }))
      .sort((a, b) => sumOf(b.values) - sumOf(a.values) || (a.name < b.name ? -1 : 1))
    const values = totals.map((of) => sumOf([...of.values()]))
    return { currency, months, series: [{ name: 'All plans', values }, ...plans] }
  })
}

/**
 * Returns how many subscriptions are active at the end of each month, or now, how many of them were not a month before, and
 * how many were and are no longer. A subscription is active while one of its recurring lines is paid for.
 */
export const subscriptionsByMonth = (invoices: readonly Invoice[], now: number): Chart => {
  const months = monthsOf(invoices, now)
  const [first, ...active] = paidIn([months[0]! - 1, ...months], termsOf(invoices), now).map(
    (paid) => new Set(paid.map(({ subscription }) => subscription)),
  )
  const before = [first!, ...active]
  const series = [
    { name: 'Active', values: active.map(({ size }) => size) },
    { name: 'New', values: active.map((ids, index) => ids.difference(before[index]!).size) },
    { name: 'Lost', values: active.map((ids, index) => before[index]!.difference(ids).size) },
  ]
  return { currency: undefined, months, series }
}
