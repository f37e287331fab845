import { isDeepStrictEqual } from 'node:util'
import {
  averageRevenue,
  type CalendarMonth,
  type Cohort,
  type Coverage,
  type CurrencyMonths,
  changesToClosedMonths,
  cohortsByQuarter,
  type DeferredLine,
  type Departure,
  deferredLines,
  departuresOf,
  discountsByMonth,
  type Figures,
  figuresOf,
  grossChurn,
  type Invoice,
  type Month,
  type MovementsMonth,
  monthName,
  movementsBySegment,
  netRetention,
  planGrowth,
  type Ranking,
  type SegmentOf,
  type TaxRecord,
  taxByMonth,
  trialsByMonth,
} from '../../client/analytics/index.ts'
import { movementKinds } from '../client/analytics/written-figures.ts'

/** Compares the answers of the SQL of docs/analytics.md with the results of the functions. */

type Row = Readonly<Record<string, string | number | null>>

/** Returns the rows of each month of each currency. */
const monthRows = <Record extends CalendarMonth>(
  currencies: readonly CurrencyMonths<Record>[],
  rowsOf: (record: Record) => Row | readonly Row[],
): Row[] =>
  currencies.flatMap(({ currency, months }) =>
    months.flatMap((record) =>
      [rowsOf(record)].flat().map((row) => ({ month: record.name, currency, ...row })),
    ),
  )

/** Returns the counts of each month. */
const countRows = (months: readonly CalendarMonth[]): Row[] =>
  months.map(({ month: _, name, ...counts }) => ({ month: name, ...counts }))

const movementRows = (currencies: readonly CurrencyMonths<MovementsMonth>[]): Row[] =>
  monthRows(currencies, (record) =>
    movementKinds.map((movement) => ({
      movement,
      amount: record[movement],
    })),
  )

const rankingRows = (rankings: readonly Ranking[]): Row[] =>
  rankings.flatMap(({ currency, rows }) => rows.map(({ key, amount }) => ({ currency, key, amount })))

const cohortRows = (month: Month, name: string, values: readonly number[]): Row[] =>
  values.map((value, index) => ({ month: monthName(month), at: monthName(month + index), [name]: value }))

const quarterName = (month: Month): string =>
  `${monthName(month).slice(0, 4)}-Q${1 + Math.floor((month % 12) / 3)}`

const quarterRows = ({ month, values }: Cohort, name: string): Row[] =>
  values.map((value, index) => ({
    quarter: quarterName(month),
    at: quarterName(month + 3 * index),
    [name]: value,
  }))

const departureRows = ({ month, customer_id, plans, since, reason, back }: Departure): Row[] =>
  plans.map(({ currency, key, amount }) => ({
    month: monthName(month),
    customer_id,
    currency,
    plan: key,
    amount,
    since: monthName(since),
    reason,
    back: back === null ? null : monthName(back),
  }))

/** Rates are equal if they differ only by the rounding of floats. */
const rounded = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toPrecision(9)) : value,
    ]),
  )

/** Without rows whose amount is 0. */
const comparable = (rows: readonly Row[]): string[] =>
  rows
    .filter(({ amount }) => amount !== 0)
    .map((row) => JSON.stringify(Object.entries(rounded(row)).sort()))
    .sort()

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const coverageRow = ({ complete: _, recordedUntil, ...counts }: Coverage): Row => ({
  ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [snakeCase(name), count])),
  recorded_until: recordedUntil ?? null,
})

/** Returns what is deferred of each invoice in each currency. */
const deferredRows = (lines: readonly DeferredLine[]): Row[] =>
  [...Map.groupBy(lines, ({ invoice_id, currency }) => `${invoice_id} ${currency}`).values()].map(
    (group) => ({
      invoice_id: group[0]!.invoice_id,
      currency: group[0]!.currency,
      amount: group.reduce((sum, { deferred }) => sum + deferred, 0),
    }),
  )

/** Returns the rows of invoices and of credit notes, if their rate is known. */
const taxRows = ({ name, currency, segment, rate, invoices, creditNotes }: TaxRecord): Row[] =>
  [invoices, creditNotes]
    .map(({ count, net, tax }, index) => ({
      count,
      row: { month: name, currency, country: segment, rate, credit_notes: Number(index === 1), net, tax },
    }))
    .filter(({ count }) => count > 0 && rate !== null)
    .map(({ row }) => row)

/** By what a SELECT selects, in the order of the guide. */
const expectedRows = (
  figures: Figures,
  { invoices, now, segmentOf, ...options }: FiguresInput,
): Readonly<Record<string, readonly Row[]>> => ({
  'invoiced by month': monthRows(figures.invoicedByMonth, ({ invoiced }) => ({ amount: invoiced })),
  'recurring by month': monthRows(figures.recurringByMonth, ({ plans }) =>
    plans.map(({ key, name, amount }) => ({ plan: key, name, amount })),
  ),
  'movements by month': movementRows(figures.movementsByMonth),
  'customers by month': countRows(figures.customersByMonth),
  'subscriptions by month': countRows(figures.subscriptionsByMonth),
  'rates by month': monthRows(figures.movementsByMonth, (record) => ({
    start: record.start,
    gross_revenue_churn: grossChurn(record),
    net_retention: netRetention(record),
    average_revenue: averageRevenue(record),
  })),
  retention: figures.retentionOver
    .filter(({ start }) => start > 0)
    .map(({ currency, start, kept, lost }) => ({ currency, start, kept, lost })),
  'movements by country': movementsBySegment(invoices, now, { ...options, segmentOf }).flatMap(
    ({ segment, ...movements }) => movementRows([movements]).map((row) => ({ ...row, segment })),
  ),
  'growth of plans': figures.recurringByMonth.flatMap(({ currency, months }) =>
    planGrowth(months.at(-13), months.at(-1)!).map(({ key, start, end }) => ({
      currency,
      plan: key,
      start,
      end,
    })),
  ),
  'discounts by month': monthRows(discountsByMonth(invoices, now, options), ({ amount, discount, share }) =>
    amount === 0 && discount === 0 ? [] : { before_discount: amount, discount, share },
  ),
  'customer cohorts': figures.customerCohorts.flatMap(({ month, active }) =>
    cohortRows(month, 'active', active),
  ),
  'quarters of customer cohorts': cohortsByQuarter(
    figures.customerCohorts.map(({ month, active }) => ({ month, values: active })),
    figures.customersByMonth.at(-1)!.month,
  ).flatMap((quarter) => quarterRows(quarter, 'active')),
  'revenue cohorts': figures.revenueCohorts.flatMap(({ currency, cohorts }) =>
    cohorts.flatMap(({ month, recurring }) =>
      cohortRows(month, 'recurring', recurring).map((row) => ({ ...row, currency })),
    ),
  ),
  'quarters of revenue cohorts': figures.revenueCohorts.flatMap(({ currency, cohorts }) =>
    cohortsByQuarter(
      cohorts.map(({ month, recurring }) => ({ month, values: recurring })),
      figures.customersByMonth.at(-1)!.month,
    ).flatMap((quarter) => quarterRows(quarter, 'recurring').map((row) => ({ ...row, currency }))),
  ),
  departures: departuresOf(invoices, now, options).flatMap(departureRows),
  'trials by month': trialsByMonth(invoices, now, options)
    .filter(({ ended }) => ended > 0)
    .map(({ name, ended, converted }) => ({ month: name, ended, converted })),
  'revenue by month': monthRows(figures.revenueByMonth, ({ billed, recognised, deferred, unbilled }) => ({
    billed,
    recognised,
    deferred,
    unbilled,
  })),
  'changes to closed months': changesToClosedMonths(invoices, now, options).flatMap(
    ({ name, currency, invoices: late }) =>
      late.map(({ invoice_id, recognised }) => ({ month: name, currency, invoice_id, amount: recognised })),
  ),
  'deferred by invoice': deferredRows(deferredLines(invoices, now, options)),
  'VAT by month': taxByMonth(invoices, now, { ...options, segmentOf }).flatMap(taxRows),
  'deferred schedule': monthRows(figures.deferredSchedule, ({ recognised }) => ({ amount: recognised })),
  'expected renewals': figures.expectedRenewals.map(({ month, due, subscription_id, currency, amount }) => ({
    month: monthName(month),
    due,
    subscription_id,
    currency,
    amount,
  })),
  'invoiced by customer': rankingRows(figures.invoicedByCustomer),
  'billed by plan': figures.billedByPlan.flatMap(({ currency, rows }) =>
    rows.map((row) => ({ currency, ...row })),
  ),
  'discounted by discount': rankingRows(figures.discountedByDiscount),
  coverage: [coverageRow(figures.coverageOf)],
})

export interface FiguresInput {
  readonly invoices: readonly Invoice[]
  readonly now: number
  readonly timeZone: string
  readonly recordedUntil?: number
  readonly segmentOf: SegmentOf
}

/**
 * In the order of the guide. Returns the number of compared rows. Throws Error at a difference, or if there
 * is nothing to compare.
 */
export const compareFigures = (answers: readonly (readonly Row[])[], input: FiguresInput): number => {
  const { invoices, now, timeZone } = input
  const expected = Object.entries(expectedRows(figuresOf(invoices, now, input), input))
  for (const [index, [question, rows]] of expected.entries()) {
    const fromSql = comparable(answers[index] ?? [])
    const fromFunctions = comparable(rows)
    if (fromFunctions.length === 0) throw new Error(`${question}: the business has no such figure`)
    if (isDeepStrictEqual(fromSql, fromFunctions)) continue
    const onlyFromSql = fromSql.filter((row) => !fromFunctions.includes(row))
    const onlyFromFunctions = fromFunctions.filter((row) => !fromSql.includes(row))
    throw new Error(
      `${question} in ${timeZone}: only SQL has ${onlyFromSql.slice(0, 5)}, only the functions have ${onlyFromFunctions.slice(0, 5)}`,
    )
  }
  return expected.reduce((sum, [, rows]) => sum + rows.length, 0)
}
