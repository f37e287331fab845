import { isDeepStrictEqual } from 'node:util'
import {
  type Chart,
  type Figures,
  figuresOf,
  type Invoice,
  type Month,
  monthName,
  type Ranking,
} from '../../client/analytics/index.ts'

/** Compares the answers of the SQL of docs/analytics.md with those of the functions. */

type Row = Readonly<Record<string, string | number | null>>

/** Returns charts as rows: a row for each month and series, without zeros. */
const rowsOf = (charts: readonly Chart<number | null>[], nameOf: (name: string, key: string) => Row): Row[] =>
  charts.flatMap(({ currency, names, series }) =>
    series.flatMap(({ name, key, values }) =>
      values.flatMap((amount, index) =>
        amount === 0 ? [] : [{ month: names[index]!, currency: currency!, ...nameOf(name, key), amount }],
      ),
    ),
  )

/** Returns a chart of counts as rows: a row for each month, the series as its columns. */
const countsOf = ({ names, series }: Chart): Row[] =>
  names.map((month, index) => ({
    month,
    ...Object.fromEntries(series.map(({ name, values }) => [name.toLowerCase(), values[index]!])),
  }))

const rankingRows = (rankings: readonly Ranking[], named: boolean): Row[] =>
  rankings.flatMap(({ currency, rows }) =>
    rows.map(({ key, name, amount }) => ({ currency, key, ...(named ? { name } : {}), amount })),
  )

/** Returns the rates of each month and currency that has had revenue. */
const ratesOf = (charts: Figures['ratesByMonth'], movements: readonly Chart[]): Row[] =>
  charts.slice(1).flatMap(({ currency, names, series }, place) =>
    names.map((month, index) => {
      const [churn, retention, average] = series.map(({ values }) => values[index]!)
      const start = movements[place]!.series[0]!.values[index]!
      return {
        ...{ month, currency: currency!, start, gross_revenue_churn: churn! },
        ...{ net_retention: retention!, average_revenue: average! },
      }
    }),
  )

/** Returns the rows of a cohort: one for each of its months. */
const cohortRows = (month: Month, name: string, values: readonly number[]): Row[] =>
  values.map((value, index) => ({ month: monthName(month), at: monthName(month + index), [name]: value }))

/** Rates are equal to what a float keeps of them. */
const rounded = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toPrecision(9)) : value,
    ]),
  )

const sorted = (rows: readonly Row[]): string[] =>
  rows
    .filter(({ amount }) => amount !== 0)
    .map((row) => JSON.stringify(Object.entries(rounded(row)).sort()))
    .sort()

const expectedOf = (figures: Figures): Readonly<Record<string, readonly Row[]>> => {
  const movements = figures.movementsByMonth.map((chart) => ({
    ...chart,
    series: chart.series.filter(({ name }) => !['Start', 'End'].includes(name)),
  }))
  const plans = figures.recurringByMonth.map((chart) => ({ ...chart, series: chart.series.slice(1) }))
  const { complete: _, recordedUntil, ...counts } = figures.coverageOf
  const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const told = Object.entries(counts).map(([name, count]) => [snake(name), count])
  return {
    'invoiced by month': rowsOf(figures.invoicedByMonth, () => ({})),
    'recurring by month': rowsOf(plans, (name, key) => ({ plan: key, name })),
    'movements by month': rowsOf(movements, (movement) => ({ movement })),
    'customers by month': countsOf(figures.customersByMonth),
    'subscriptions by month': countsOf(figures.subscriptionsByMonth),
    'rates by month': ratesOf(figures.ratesByMonth, figures.movementsByMonth),
    'customer cohorts': figures.customerCohorts.flatMap(({ month, active }) =>
      cohortRows(month, 'active', active),
    ),
    'revenue cohorts': figures.revenueCohorts.flatMap(({ currency, cohorts }) =>
      cohorts.flatMap(({ month, recurring }) =>
        cohortRows(month, 'recurring', recurring).map((row) => ({ ...row, currency })),
      ),
    ),
    'revenue by month': figures.revenueByMonth.flatMap((chart) =>
      countsOf(chart).map((row) => ({ ...row, currency: chart.currency! })),
    ),
    'deferred schedule': rowsOf(figures.deferredSchedule, () => ({})),
    'invoiced by customer': rankingRows(figures.invoicedByCustomer, false),
    'billed by plan': rankingRows(figures.billedByPlan, true),
    'discounted by discount': rankingRows(figures.discountedByDiscount, false),
    coverage: [{ ...Object.fromEntries(told), recorded_until: recordedUntil ?? null }],
  }
}

/** Compares all figures with the answers of the SQL, in its order. Returns their number. Throws Error at a difference. */
export const compareFigures = (
  answers: readonly (readonly Row[])[],
  [invoices, now, timeZone]: readonly [readonly Invoice[], number, string],
): number => {
  const expected = Object.entries(expectedOf(figuresOf(invoices, now, timeZone)))
  for (const [index, [question, rows]] of expected.entries()) {
    const [sql, program] = [sorted(answers[index] ?? []), sorted(rows)]
    if (program.length === 0) throw new Error(`${question}: the business has none of it`)
    if (isDeepStrictEqual(sql, program)) continue
    const [only, others] = [
      sql.filter((row) => !program.includes(row)),
      program.filter((row) => !sql.includes(row)),
    ]
    throw new Error(
      `${question} in ${timeZone}: SQL has ${only.slice(0, 5)}, the functions have ${others.slice(0, 5)}`,
    )
  }
  return expected.reduce((sum, [, rows]) => sum + rows.length, 0)
}
