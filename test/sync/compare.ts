import { isDeepStrictEqual } from 'node:util'
import {
  averageRevenue,
  type CurrencyMonths,
  type Figures,
  figuresOf,
  grossChurn,
  type Invoice,
  type Month,
  type MovementsMonth,
  monthName,
  netRetention,
  type Ranking,
} from '../../client/analytics/index.ts'

/** Compares the answers of the SQL of docs/analytics.md with those of the functions. */

type Row = Readonly<Record<string, string | number | null>>

/** Returns the recurring revenue as rows: a row for each month and plan. */
const planRows = (currencies: Figures['recurringByMonth']): Row[] =>
  currencies.flatMap(({ currency, months }) =>
    months.flatMap(({ name: month, plans }) =>
      plans.map(({ key, name, amount }) => ({ month, currency, plan: key, name, amount })),
    ),
  )

/** Returns the movements as rows: a row for each month and kind. */
const movementRows = (currencies: readonly CurrencyMonths<MovementsMonth>[]): Row[] =>
  currencies.flatMap(({ currency, months }) =>
    months.flatMap((record) =>
      (['new', 'reactivation', 'expansion', 'contraction', 'churn'] as const).map((movement) => ({
        month: record.name,
        currency,
        movement,
        amount: record[movement],
      })),
    ),
  )

/** Returns the rates of each month and currency. */
const rateRows = (currencies: readonly CurrencyMonths<MovementsMonth>[]): Row[] =>
  currencies.flatMap(({ currency, months }) =>
    months.map((record) => ({
      month: record.name,
      currency,
      start: record.start,
      gross_revenue_churn: grossChurn(record),
      net_retention: netRetention(record),
      average_revenue: averageRevenue(record),
    })),
  )

const rankingRows = (rankings: readonly Ranking[], named: boolean): Row[] =>
  rankings.flatMap(({ currency, rows }) =>
    rows.map(({ key, name, amount }) => ({ currency, key, ...(named ? { name } : {}), amount })),
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
  const { complete: _, recordedUntil, ...counts } = figures.coverageOf
  const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const told = Object.entries(counts).map(([name, count]) => [snake(name), count])
  return {
    'invoiced by month': figures.invoicedByMonth.flatMap(({ currency, months }) =>
      months.map(({ name, invoiced }) => ({ month: name, currency, amount: invoiced })),
    ),
    'recurring by month': planRows(figures.recurringByMonth),
    'movements by month': movementRows(figures.movementsByMonth),
    'customers by month': figures.customersByMonth.map(({ month: _, name, ...counts }) => ({
      month: name,
      ...counts,
    })),
    'subscriptions by month': figures.subscriptionsByMonth.map(({ month: _, name, ...counts }) => ({
      month: name,
      ...counts,
    })),
    'rates by month': rateRows(figures.movementsByMonth),
    'customer cohorts': figures.customerCohorts.flatMap(({ month, active }) =>
      cohortRows(month, 'active', active),
    ),
    'revenue cohorts': figures.revenueCohorts.flatMap(({ currency, cohorts }) =>
      cohorts.flatMap(({ month, recurring }) =>
        cohortRows(month, 'recurring', recurring).map((row) => ({ ...row, currency })),
      ),
    ),
    'revenue by month': figures.revenueByMonth.flatMap(({ currency, months }) =>
      months.map(({ month: _, name, ...amounts }) => ({ month: name, currency, ...amounts })),
    ),
    'deferred schedule': figures.deferredSchedule.flatMap(({ currency, months }) =>
      months.map(({ name, recognised }) => ({ month: name, currency, amount: recognised })),
    ),
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
