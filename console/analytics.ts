import type { InvoiceEmbeds, Invoice as Recorded, With } from '../client/index.ts'

/** The answers to the first questions about a business. Amounts are in minor units, times in seconds since the epoch. */

/** An invoice as returned by a list with `include=line_items,price,discounts`. */
export type Invoice = With<Recorded, InvoiceEmbeds, ['line_items', 'price', 'discounts']>

/**
 * Returns the lines of invoices, each with the currency and the period of its invoice unless it has its own, with what it
 * comes to after its discount, and with its plan: the product whose price it names.
 */
export const linesOf = (invoices: readonly Invoice[]) =>
  invoices.flatMap((invoice) =>
    invoice.line_items.map((line) => ({
      ...line,
      invoice,
      currency: line.currency ?? invoice.currency,
      start: line.period_start ?? invoice.period_start,
      end: line.period_end ?? invoice.period_end,
      net: (line.amount ?? 0) - (line.discount_amount ?? 0),
      plan: line.price?.product.name ?? 'No plan named',
    })),
  )

/** Returns the items of each currency alone, in the order of the codes. */
const byCurrency = <Item extends { readonly currency: string }>(items: readonly Item[]) =>
  [...Map.groupBy(items, ({ currency }) => currency)].sort(([a], [b]) => (a < b ? -1 : 1))

/** An amount that counts towards something. */
interface Share<Key> {
  readonly key: Key
  readonly amount: number
}

/** Adds up amounts by what they count towards. */
const totalsOf = <Key>(shares: readonly Share<Key>[]): Map<Key, number> => {
  const totals = new Map<Key, number>()
  for (const { key, amount } of shares) totals.set(key, (totals.get(key) ?? 0) + amount)
  return totals
}

/** Returns what amounts come to, those of each currency alone, the greatest first. */
const rankingsOf = (shares: readonly (Share<string> & { readonly currency: string })[]) =>
  byCurrency(shares).map(([currency, of]) => ({
    currency,
    rows: [...totalsOf(of)]
      .map(([key, amount]) => ({ key, amount }))
      .sort((a, b) => b.amount - a.amount || (a.key < b.key ? -1 : 1)),
  }))

/** The sums of amounts in one currency, by group. */
export type Ranking = ReturnType<typeof rankingsOf>[number]

/** Returns what each customer was invoiced, by the customer's id. */
export const invoicedByCustomer = (invoices: readonly Invoice[]): Ranking[] =>
  rankingsOf(invoices.map(({ currency, customer_id: key, total: amount }) => ({ currency, key, amount })))

/** Returns what was billed for each plan: its lines after their discounts. */
export const billedByPlan = (invoices: readonly Invoice[]): Ranking[] =>
  rankingsOf(linesOf(invoices).map(({ currency, plan: key, net: amount }) => ({ currency, key, amount })))

/**
 * Returns what discounts took off: the discounts of all lines. An invoice that names several counts for all of them
 * together, since its lines do not say which one took what.
 */
export const discountedByDiscount = (invoices: readonly Invoice[]): Ranking[] =>
  rankingsOf(
    linesOf(invoices).flatMap(({ currency, discount_amount: amount, invoice }) => {
      const names = invoice.discounts.map(({ name, id }) => name ?? id).sort()
      return amount ? [{ currency, key: names.join(' + ') || 'No discount named', amount }] : []
    }),
  )

/** A calendar month in UTC, counted from January 1970. */
type Month = number

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

/** Values month by month: amounts of one currency or, without a currency, counts. */
export interface Chart {
  readonly currency: string | undefined
  readonly months: readonly Month[]
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[]
}

/** Returns the totals of the invoices created in each month, a chart for each currency. */
export const invoicedByMonth = (invoices: readonly Invoice[], now: number): Chart[] => {
  const months = monthsOf(invoices, now)
  return byCurrency(invoices).map(([currency, of]) => {
    const totals = totalsOf(of.map(({ created, total }) => ({ key: monthOf(created), amount: total })))
    const values = months.map((month) => totals.get(month) ?? 0)
    return { currency, months, series: [{ name: 'Invoiced', values }] }
  })
}

/** The number of intervals in a month: a twelfth of a year of 365.25 days. */
const perMonth: Readonly<Record<string, number>> = {
  day: 365.25 / 12,
  week: 365.25 / 84,
  month: 1,
  year: 1 / 12,
}

/** Returns the recurring lines of invoices, each with what it comes to in a month. */
const recurringLines = (invoices: readonly Invoice[]) =>
  linesOf(invoices)
    .filter(({ type, interval }) => type === 'recurring' && interval !== null)
    .map((line) => ({
      ...line,
      monthly: Math.round((line.net * (perMonth[line.interval!] ?? 0)) / (line.interval_count ?? 1)),
    }))

/** Returns, for each month, the lines whose period contains its last second, or `now`. */
const paidIn = (months: readonly Month[], lines: ReturnType<typeof recurringLines>, now: number) =>
  months.map((month) => {
    const moment = Math.min(Date.UTC(1970, month + 1) / 1000 - 1, now)
    return lines.filter(({ start, end }) => start <= moment && moment < end)
  })

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/**
 * Returns the monthly recurring revenue, a chart for each currency: all recurring lines that are paid for at the end of each
 * month, or now, each as what it comes to in a month, and the same by plan.
 */
export const recurringByMonth = (invoices: readonly Invoice[], now: number): Chart[] => {
  const months = monthsOf(invoices, now)
  return byCurrency(recurringLines(invoices)).map(([currency, lines]) => {
    const totals = paidIn(months, lines, now).map((paid) =>
      totalsOf(paid.map(({ plan, monthly }) => ({ key: plan, amount: monthly }))),
    )
    const plans = [...new Set(lines.map(({ plan }) => plan))]
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
  const active = paidIn([months[0]! - 1, ...months], recurringLines(invoices), now).map(
    (paid) => new Set(paid.map(({ invoice }) => invoice.subscription_id)),
  )
  const pairs = active.slice(1).map((at, index) => ({ at, before: active[index]! }))
  const series = [
    { name: 'Active', values: pairs.map(({ at }) => at.size) },
    { name: 'New', values: pairs.map(({ at, before }) => at.difference(before).size) },
    { name: 'Lost', values: pairs.map(({ at, before }) => before.difference(at).size) },
  ]
  return { currency: undefined, months, series }
}
