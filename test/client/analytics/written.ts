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
  netRetention,
  type RevenueMonth,
  recurringByMonth,
  revenueByMonth,
  revenueCohorts,
  type ScheduledMonth,
} from '../../../client/analytics/index.ts'
import type { Seen } from './paper.ts'

const decimal = (minorUnits: number): string => (minorUnits / 100).toFixed(2)
const percent = (share: number | null): string => (share === null ? '–' : `${share * 100} %`)

const movementKinds: readonly MovementKind[] = ['new', 'reactivation', 'expansion', 'contraction', 'churn']

/** Returns the counts of the coverage as the documents write them. */
export const reportedOf = (invoices: readonly Invoice[], { now, timeZone }: Seen): string => {
  const { invoices: _, recordedUntil, complete, ...reported } = coverageOf(invoices, now, timeZone)
  return Object.entries(reported)
    .flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []))
    .join(', ')
}

const code = (currency: string): string => (currency === 'EUR' ? '' : `${currency} `)

/** Returns the recurring revenue and its customers as the documents write them: euros first, other currencies with their code. */
const writtenFigures = (invoices: readonly Invoice[], { now, timeZone }: Seen): Record<string, string>[] => {
  const recurring = recurringByMonth(invoices, now, timeZone)
  const movements = movementsByMonth(invoices, now, timeZone)
  return customersByMonth(invoices, now, timeZone).map((customers, index) => {
    const totals = recurring.map(
      ({ currency, months }) => `${code(currency)}${decimal(months[index]!.total)}`,
    )
    const moved = movements.flatMap(({ currency, months }) =>
      movementKinds
        .filter((kind) => months[index]![kind] !== 0)
        .map((kind) => `${code(currency)}${kind} ${decimal(months[index]![kind])}`),
    )
    const changes = [
      { count: customers.new, word: 'new' },
      { count: customers.reactivated, word: 'back' },
      { count: customers.lost, word: 'lost' },
    ]
    const euros = movements[0]!.months[index]!
    return {
      month: customers.name,
      recurring: totals.filter((text, place) => place === 0 || !text.endsWith(' 0.00')).join('; '),
      movements: moved.join('; '),
      customers: changes
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

/** Returns the amounts of months of the first currency by the names of their fields. */
const writtenMonths = ([first]: readonly CurrencyMonths<RevenueMonth | ScheduledMonth>[]): Record<
  string,
  string
>[] =>
  first!.months.map(({ month: _, name, ...amounts }) => ({
    month: name,
    ...Object.fromEntries(Object.entries(amounts).map(([field, amount]) => [field, decimal(amount)])),
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

/** Returns why each customer paid more or less, as the documents write it. */
const writtenReasons = (invoices: readonly Invoice[], { now, timeZone }: Seen): Record<string, string>[] =>
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

/** Returns the figures of a document's table by the columns that it has. */
const writtenLike = (invoices: readonly Invoice[], seen: Seen): Record<string, string>[] => {
  const { now, timeZone, rows } = seen
  const [first] = rows
  if (first!.why !== undefined) return writtenReasons(invoices, seen)
  if (first!.cohort) return writtenCohorts(invoices, seen)
  if (first!.billed) return writtenMonths(revenueByMonth(invoices, now, timeZone))
  if (!first!.scheduled) return writtenFigures(invoices, seen)
  return writtenMonths(deferredSchedule(invoices, now, timeZone)).map(({ month, recognised }) => ({
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
