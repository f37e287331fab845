import type { Dataset } from './dataset.ts'
import type { ActiveLine } from './lines/active-lines.ts'
import { splitByCurrency, sumOf } from './lines/groups.ts'
import { activeSpans, type Span, segmentsOf } from './lines/spans.ts'
import { recordsByMonth, sumsByMonth } from './months.ts'
import type { CurrencyMonths, Movement, MovementKind, MovementSums, MovementsMonth } from './types.ts'

/** A change of a sum from the end of the month before to the end of `month`. */
export type Change = Pick<Movement, 'month' | 'kind' | 'amount'>

const kindOf = (before: number, after: number, wasActive: boolean): MovementKind => {
  if (before <= 0 && after > 0) return wasActive ? 'reactivation' : 'new'
  if (before > 0 && after <= 0) return 'churn'
  return after > before ? 'expansion' : 'contraction'
}

/** Returns the changes of the sum of spans, oldest first. The spans are in months. */
export const changesOf = (spans: readonly Span[]): Change[] => {
  const segments = segmentsOf(spans)
  const end = { from: segments.at(-1)?.to ?? 0, sum: 0 }
  const changes: Change[] = []
  let before = 0
  let wasActive = false
  for (const { from, sum } of [...segments, end]) {
    if (sum === before) continue
    changes.push({ month: from, kind: kindOf(before, sum, wasActive), amount: sum - before })
    before = sum
    wasActive ||= sum > 0
  }
  return changes
}

/** Returns the changes up to the current month, oldest first. */
export const upToNow = <Changed extends Change>(dataset: Dataset, changes: readonly Changed[]): Changed[] => {
  const last = dataset.currentMonth
  return changes.filter(({ month }) => month <= last).sort((a, b) => a.month - b.month)
}

/** Returns the changes of each customer's recurring revenue, oldest first, also those before the first month of results. */
export const movementsIn = (dataset: Dataset): Movement[] => {
  const movements = dataset.customers.flatMap(splitByCurrency).flatMap((lines) => {
    const { invoice, currency } = lines[0]!
    return changesOf(lines).map((change) => ({ ...change, customer_id: invoice.customer_id, currency }))
  })
  return upToNow(dataset, movements)
}

const noMovements = { new: 0, reactivation: 0, expansion: 0, contraction: 0, churn: 0 }

/** Returns the sums of changes by kind in each month. */
export const movementsOfChanges = ({ months }: Dataset, changes: readonly Change[]) => {
  const sums = months.map(() => ({ ...noMovements }))
  for (const { month, kind, amount } of changes) {
    const sum = sums[month - months[0]!]
    if (sum) sum[kind] += amount
  }
  return sums
}

/** Returns the movements of the recurring revenue in each month, given the lines of each customer in one currency. */
export const movementsOfCustomers = (
  dataset: Dataset,
  customers: readonly (readonly ActiveLine[])[],
): MovementsMonth[] => {
  const { months } = dataset
  const movements = movementsOfChanges(dataset, customers.flatMap(changesOf))
  const ends = sumsByMonth(months, customers.flat())
  const active = sumsByMonth(months, customers.flatMap(activeSpans))
  return recordsByMonth(months, (index) => {
    const end = ends[index]!
    const change = sumOf(Object.values(movements[index]!), (amount) => amount)
    return { start: end - change, ...movements[index]!, end, customers: active[index]! }
  })
}

/** Returns the active lines of each customer in each currency. */
export const customersByCurrency = (dataset: Dataset): ReadonlyMap<string, (readonly ActiveLine[])[]> =>
  Map.groupBy(dataset.customers.flatMap(splitByCurrency), (lines) => lines[0]!.currency)

/** Returns the movements of the recurring revenue in each month, for each currency. */
export const movementsByCurrency = (dataset: Dataset): CurrencyMonths<MovementsMonth>[] => {
  const customers = customersByCurrency(dataset)
  return dataset.currencies.map((currency) => ({
    currency,
    months: movementsOfCustomers(dataset, customers.get(currency) ?? []),
  }))
}

/**
 * Returns the movements of consecutive months together, such as those of a quarter: the start of the first month, the sums of all
 * movements, and the end of the last month.
 * @example const quarter = movementSums(months.slice(-3))
 */
export const movementSums = (months: readonly MovementsMonth[]): MovementSums => {
  const sums = { ...noMovements }
  for (const month of months) {
    sums.new += month.new
    sums.reactivation += month.reactivation
    sums.expansion += month.expansion
    sums.contraction += month.contraction
    sums.churn += month.churn
  }
  return { start: months[0]?.start ?? 0, ...sums, end: months.at(-1)?.end ?? 0 }
}
