import {
  type Chart,
  coverageOf,
  customerCohorts,
  customersByMonth,
  deferredSchedule,
  type Invoice,
  monthName,
  movementsByMonth,
  ratesByMonth,
  recurringByMonth,
  revenueByMonth,
  revenueCohorts,
} from '../../../client/analytics/index.ts'
import type { Seen } from './paper.ts'

const decimal = (minorUnits: number): string => (minorUnits / 100).toFixed(2)
const percent = (share: number | null): string => (share === null ? '–' : `${share * 100} %`)

/** Returns a value of a series in a chart. */
const at = <Value>(chart: Chart<Value>, name: string, index: number): Value =>
  chart.series.find((each) => each.name === name)!.values[index]!

const changes = ['New', 'Reactivation', 'Expansion', 'Contraction', 'Churn']

/** Returns the counts of the coverage as the documents write them. */
export const toldOf = (invoices: readonly Invoice[], { now, timeZone }: Seen): string => {
  const { invoices: _, recordedUntil, complete, ...told } = coverageOf(invoices, now, timeZone)
  return Object.entries(told)
    .flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []))
    .join(', ')
}

const code = (currency: string | undefined): string => (currency === 'EUR' ? '' : `${currency} `)

/** Returns the recurring revenue and its customers as the documents write them: euros first, other currencies with their code. */
const writtenFigures = (invoices: readonly Invoice[], { now, timeZone }: Seen): Record<string, string>[] => {
  const recurring = recurringByMonth(invoices, now, timeZone)
  const movements = movementsByMonth(invoices, now, timeZone)
  const customers = customersByMonth(invoices, now, timeZone)
  const [churn, rates] = ratesByMonth(invoices, now, timeZone)
  return customers.names.map((month, index) => ({
    month,
    recurring: recurring
      .map((chart) => `${code(chart.currency)}${decimal(at(chart, 'All plans', index))}`)
      .filter((text, index) => index === 0 || !text.endsWith(' 0.00'))
      .join('; '),
    movements: movements
      .flatMap((chart) =>
        changes.flatMap((name) => {
          const amount = at(chart, name, index)
          return amount === 0 ? [] : [`${code(chart.currency)}${name.toLowerCase()} ${decimal(amount)}`]
        }),
      )
      .join('; '),
    customers: [
      ['New', 'new'],
      ['Reactivated', 'back'],
      ['Lost', 'lost'],
    ]
      .flatMap(([name, word]) => {
        const count = at(customers, name!, index)
        return count === 0 ? [] : [`${count} ${word}`]
      })
      .join('; '),
    'customer churn': percent(at(churn!, 'Customer churn', index)),
    'gross revenue churn': percent(at(rates!, 'Gross revenue churn', index)),
    'net retention': percent(at(rates!, 'Net retention', index)),
    average: decimal(at(rates!, 'Average revenue per customer', index) ?? 0),
  }))
}

/** Returns what is earned by month; with `scheduled`, what of the deferred amount will be. */
const writtenRevenue = (charts: readonly Chart[]): Record<string, string>[] =>
  charts[0]!.names.map((month, index) => ({
    month,
    ...Object.fromEntries(
      charts[0]!.series.map(({ name, values }) => [name.toLowerCase(), decimal(values[index]!)]),
    ),
  }))

const writtenCohorts = (invoices: readonly Invoice[], { now, timeZone }: Seen): Record<string, string>[] => {
  const revenue = revenueCohorts(invoices, now, timeZone)
  return customerCohorts(invoices, now, timeZone).map(({ month, active }) => ({
    cohort: monthName(month),
    active: active.join(', '),
    recurring: revenue
      .flatMap(({ currency, cohorts }) =>
        cohorts
          .filter((each) => each.month === month)
          .map(({ recurring }) => `${code(currency)}${recurring.map(decimal).join(', ')}`),
      )
      .join('; '),
  }))
}

/** Returns the figures of a document's table by the columns that it has. */
const writtenLike = (invoices: readonly Invoice[], seen: Seen): Record<string, string>[] => {
  const { now, timeZone, rows } = seen
  const [first] = rows
  if (first!.cohort) return writtenCohorts(invoices, seen)
  if (first!.billed) return writtenRevenue(revenueByMonth(invoices, now, timeZone))
  if (!first!.scheduled) return writtenFigures(invoices, seen)
  return writtenRevenue(deferredSchedule(invoices, now, timeZone)).map(({ month, recognised }) => ({
    month: month!,
    scheduled: recognised!,
  }))
}

/** Returns the figures in the columns of a document's table. */
export const figuresLike = (
  invoices: readonly Invoice[],
  seen: Seen,
): Record<string, string | undefined>[] => {
  const columns = Object.keys(seen.rows[0]!)
  return writtenLike(invoices, seen).map((row) =>
    Object.fromEntries(columns.map((name) => [name, row[name]])),
  )
}
