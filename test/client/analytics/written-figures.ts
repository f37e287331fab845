import {
  averageRevenue,
  type CurrencyMonths,
  coverageOf,
  customerChurn,
  customerCohorts,
  customersByMonth,
  deferredSchedule,
  explainedMovementsOf,
  grossChurn,
  type Invoice,
  type MovementKind,
  monthName,
  movementsByMonth,
  movementsOf,
  netRetention,
  type RevenueMonth,
  recurringByMonth,
  revenueByMonth,
  revenueCohorts,
  type ScheduledMonth,
} from '../../../client/analytics/index.ts'
import { calendarOf } from '../../../client/analytics/lines/calendar.ts'
import { retentionSince } from '../../../console/figures/retention.ts'
import type { ExpectedFigures, TableRow } from './documented-figures.ts'

const decimal = (minorUnits: number): string => (minorUnits / 100).toFixed(2)
const percent = (share: number | null): string => (share === null ? '–' : `${share * 100} %`)

const movementKinds: readonly MovementKind[] = ['new', 'reactivation', 'expansion', 'contraction', 'churn']

type TimeAndZone = Pick<ExpectedFigures, 'now' | 'timeZone'>

/** Returns the counts of the coverage that are not 0 as the documents write them, such as "1 emptyPeriods". */
export const reportedCounts = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): string => {
  const { invoices: _all, recordedUntil, complete, ...counts } = coverageOf(invoices, now, timeZone)
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
}

/** Returns what the documents write before an amount: nothing for euros. */
const prefixOf = (currency: string): string => (currency === 'EUR' ? '' : `${currency} `)

/** Returns the recurring revenue and its customers as the documents write them: euros first, other currencies with their code. */
const revenueRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] => {
  const recurring = recurringByMonth(invoices, now, timeZone)
  const movements = movementsByMonth(invoices, now, timeZone)
  return customersByMonth(invoices, now, timeZone).map((customers, index) => {
    const totals = recurring.map(
      ({ currency, months }) => `${prefixOf(currency)}${decimal(months[index]!.total)}`,
    )
    const movementTexts = movements.flatMap(({ currency, months }) =>
      movementKinds
        .filter((kind) => months[index]![kind] !== 0)
        .map((kind) => `${prefixOf(currency)}${kind} ${decimal(months[index]![kind])}`),
    )
    const customerChanges = [
      { count: customers.new, word: 'new' },
      { count: customers.reactivated, word: 'back' },
      { count: customers.lost, word: 'lost' },
    ]
    const euros = movements[0]!.months[index]!
    return {
      month: customers.name,
      // Only the first currency is written when it is zero.
      recurring: totals.filter((text, place) => place === 0 || !text.endsWith(' 0.00')).join('; '),
      movements: movementTexts.join('; '),
      customers: customerChanges
        .filter(({ count }) => count !== 0)
        .map(({ count, word }) => `${count} ${word}`)
        .join('; '),
      'customer churn': percent(customerChurn(customers)),
      'gross revenue churn': percent(grossChurn(euros)),
      'net retention': percent(netRetention(euros)),
      average: decimal(averageRevenue(euros) ?? 0),
    }
  })
}

/** Returns the amounts of the months of the first currency, by the names of their fields. */
const amountRows = ([first]: readonly CurrencyMonths<RevenueMonth | ScheduledMonth>[]): TableRow[] =>
  first!.months.map(({ month: _number, name, ...amounts }) => ({
    month: name,
    ...Object.fromEntries(Object.entries(amounts).map(([field, amount]) => [field, decimal(amount)])),
  }))

const cohortRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] => {
  const revenue = revenueCohorts(invoices, now, timeZone)
  return customerCohorts(invoices, now, timeZone).map(({ month, active }) => ({
    cohort: monthName(month),
    active: active.join(', '),
    recurring: revenue
      .flatMap(({ currency, cohorts }) =>
        cohorts
          .filter((cohort) => cohort.month === month)
          .map(({ recurring }) => `${prefixOf(currency)}${recurring.map(decimal).join(', ')}`),
      )
      .join('; '),
  }))
}

/** Returns why the recurring revenue of each customer changed, as the documents write it. */
const reasonRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] =>
  explainedMovementsOf(invoices, now, timeZone).map(({ month, customer_id, before, after, reasons }) => ({
    month: monthName(month),
    customer: customer_id,
    before: decimal(before),
    after: decimal(after),
    why: reasons
      .map((reason) => {
        const hasChange = reason.before !== null || reason.after !== null
        return hasChange ? `${reason.kind} ${reason.before ?? '–'} → ${reason.after ?? '–'}` : reason.kind
      })
      .join('; '),
  }))

/** Returns the rates of twelve months, as the console shows them. */
const retentionRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] => {
  const yearAgo = calendarOf(timeZone).monthOf(now) - 12
  const { month, start, kept, lost } = retentionSince(movementsOf(invoices, now, timeZone), yearAgo)
  return [
    {
      since: monthName(month),
      before: decimal(start),
      now: decimal(kept),
      lost: decimal(lost),
      'revenue churn': percent(lost / start),
      'net retention': percent(kept / start),
    },
  ]
}

/** Returns the months in which the deferred revenue will be recognised. */
const scheduleRows = (invoices: readonly Invoice[], { now, timeZone }: TimeAndZone): TableRow[] =>
  amountRows(deferredSchedule(invoices, now, timeZone)).map(({ month, recognised }) => ({
    month: month!,
    scheduled: recognised!,
  }))

/** Returns the rows of the kind of table that has the columns of a documented one. */
const allColumnsLike = (invoices: readonly Invoice[], documented: ExpectedFigures): TableRow[] => {
  const columns = Object.keys(documented.rows[0]!)
  if (columns.includes('since')) return retentionRows(invoices, documented)
  if (columns.includes('why')) return reasonRows(invoices, documented)
  if (columns.includes('cohort')) return cohortRows(invoices, documented)
  if (columns.includes('scheduled')) return scheduleRows(invoices, documented)
  if (columns.includes('billed'))
    return amountRows(revenueByMonth(invoices, documented.now, documented.timeZone))
  return revenueRows(invoices, documented)
}

/** Returns the figures of invoices as rows of a document's table, with its columns. */
export const rowsLike = (
  invoices: readonly Invoice[],
  documented: ExpectedFigures,
): Record<string, string | undefined>[] => {
  const columns = Object.keys(documented.rows[0]!)
  return allColumnsLike(invoices, documented).map((row) =>
    Object.fromEntries(columns.map((name) => [name, row[name]])),
  )
}
