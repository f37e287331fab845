import {
  type Chart,
  coverageOf,
  customersByMonth,
  type Invoice,
  movementsByMonth,
  ratesByMonth,
  recurringByMonth,
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

/** Returns the figures as the documents write them: euros first, other currencies with their code. */
const writtenFigures = (invoices: readonly Invoice[], { now, timeZone }: Seen): Record<string, string>[] => {
  const recurring = recurringByMonth(invoices, now, timeZone)
  const movements = movementsByMonth(invoices, now, timeZone)
  const customers = customersByMonth(invoices, now, timeZone)
  const [churn, rates] = ratesByMonth(invoices, now, timeZone)
  const code = (currency: string | undefined): string => (currency === 'EUR' ? '' : `${currency} `)
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

/** Returns the figures in the columns of a document's table. */
export const figuresLike = (
  invoices: readonly Invoice[],
  seen: Seen,
): Record<string, string | undefined>[] => {
  const columns = Object.keys(seen.rows[0]!)
  return writtenFigures(invoices, seen).map((row) =>
    Object.fromEntries(columns.map((name) => [name, row[name]])),
  )
}
