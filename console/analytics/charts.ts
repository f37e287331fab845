import { type Invoice, netOf, planOf } from './invoice.ts'
import { type Month, momentOf, monthOf, monthsOf } from './months.ts'
import { totalsOf } from './totals.ts'

/** Values month by month: amounts of one currency in minor units or, without a currency, counts. */
export interface Chart {
  readonly currency: string | undefined
  readonly months: readonly Month[]
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[]
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

const createdOf = (invoices: readonly Invoice[]): number[] => invoices.map(({ created }) => created)

/** Returns the totals of the invoices created in each month, a chart for each currency. `now` is in seconds. */
export const invoicedByMonth = (invoices: readonly Invoice[], now: number): Chart[] => {
  const months = monthsOf(createdOf(invoices), now)
  const shares = invoices.map(({ currency, created, total }) => ({
    currency,
    key: monthOf(created),
    amount: total,
  }))
  return totalsOf(shares).map(({ currency, byKey }) => ({
    ...{ currency, months },
    series: [{ name: 'Invoiced', values: months.map((month) => byKey.get(month) ?? 0) }],
  }))
}

/** Returns the months at whose end, or now, a term is paid for. */
const monthsPaid = ({ start, end }: Term, months: readonly Month[], now: number): Month[] => {
  const [first = 0] = months
  const [from, to] = [start, end].map((time) => Math.max(monthOf(time) - first, 0)) as [number, number]
  return months.slice(from, to + 1).filter((month) => {
    const moment = momentOf(month, now)
    return start <= moment && moment < end
  })
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

const recurringOf = (terms: readonly Term[], months: readonly Month[], now: number): Chart['series'] => {
  const byPlan = new Map<string, number[]>()
  for (const term of terms) {
    const values = byPlan.get(term.plan) ?? months.map(() => 0)
    for (const month of monthsPaid(term, months, now)) values[month - months[0]!]! += term.monthly
    byPlan.set(term.plan, values)
  }
  const plans = [...byPlan].map(([name, values]) => ({ name, values }))
  plans.sort((a, b) => sumOf(b.values) - sumOf(a.values) || (a.name < b.name ? -1 : 1))
  const values = months.map((_, index) => sumOf(plans.map((plan) => plan.values[index]!)))
  return [{ name: 'All plans', values }, ...plans]
}

/**
 * Returns the monthly recurring revenue, a chart for each currency: all recurring lines that are paid for at the end of each
 * month, or now, each as what it comes to in a month, and the same by plan. `now` is in seconds.
 */
export const recurringByMonth = (invoices: readonly Invoice[], now: number): Chart[] => {
  const months = monthsOf(createdOf(invoices), now)
  return [...Map.groupBy(termsOf(invoices), ({ currency }) => currency)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, terms]) => ({ currency, months, series: recurringOf(terms, months, now) }))
}

/**
 * Returns how many subscriptions are active at the end of each month, or now, how many of them were not a month before, and
 * how many were and are no longer. A subscription is active while one of its recurring lines is paid for.
 */
export const subscriptionsByMonth = (invoices: readonly Invoice[], now: number): Chart => {
  const months = monthsOf(createdOf(invoices), now)
  const all = [months[0]! - 1, ...months]
  const active = new Map(all.map((month) => [month, new Set<string>()]))
  for (const term of termsOf(invoices))
    for (const month of monthsPaid(term, all, now)) active.get(month)!.add(term.subscription)
  const at = (month: Month) => active.get(month)!
  const series = [
    { name: 'Active', values: months.map((month) => at(month).size) },
    { name: 'New', values: months.map((month) => at(month).difference(at(month - 1)).size) },
    { name: 'Lost', values: months.map((month) => at(month - 1).difference(at(month)).size) },
  ]
  return { currency: undefined, months, series }
}
