import { type ActiveLine, activeInAnyCurrency, type Span, segmentsOf } from './active-lines.ts'
import { chartOf, seriesOf, sumsByMonth } from './charts.ts'
import type { Dataset } from './dataset.ts'
import { byCurrency, groupsOf } from './groups.ts'
import type { Chart, CustomerChange, Movement, MovementName, Series } from './types.ts'

/** A change of a sum from the end of the month before to the end of `month`. */
type Change = Pick<Movement, 'month' | 'name' | 'amount'>

const nameOf = (before: number, after: number, wasActive: boolean): MovementName => {
  if (before <= 0 && after > 0) return wasActive ? 'Reactivation' : 'New'
  if (before > 0 && after <= 0) return 'Churn'
  return after > before ? 'Expansion' : 'Contraction'
}

/** Returns the changes of the sum of amounts, oldest first. The spans are in months. */
const changesOf = (spans: readonly Span[]): Change[] => {
  const segments = segmentsOf(spans)
  const end = { from: segments.at(-1)?.to ?? 0, sum: 0 }
  let before = 0
  let wasActive = false
  return [...segments, end].flatMap(({ from, sum }): Change[] => {
    if (sum === before) return []
    const change = { month: from, name: nameOf(before, sum, wasActive), amount: sum - before }
    before = sum
    wasActive ||= sum > 0
    return [change]
  })
}

const upToNow = <Changed extends Change>(
  { now, calendar }: Dataset,
  changes: readonly Changed[],
): Changed[] => {
  const last = calendar.monthOf(now)
  return changes.filter(({ month }) => month <= last).sort((a, b) => a.month - b.month)
}

/** Returns the changes of each customer's recurring revenue, oldest first, including those before the first month of charts. */
export const movementsIn = (dataset: Dataset): Movement[] => {
  const groups = groupsOf(
    dataset.activeLines,
    ({ invoice, currency }) => `${invoice.customer_id} ${currency}`,
  )
  const movements = groups.flatMap((lines) => {
    const { invoice, currency } = lines[0]!
    return changesOf(lines).map((change) => ({ ...change, customer_id: invoice.customer_id, currency }))
  })
  return upToNow(dataset, movements)
}

/** Returns the sum of the changes with these names in each month. */
const totalsOf = ({ months }: Dataset, changes: readonly Change[], names: readonly MovementName[]) => {
  const totals = months.map(() => 0)
  for (const { month, name, amount } of changes) {
    const index = month - months[0]!
    if (totals[index] !== undefined && names.includes(name)) totals[index] += amount
  }
  return totals
}

/** Returns the movements of the recurring revenue, a chart for each currency. */
export const movementsCharts = (dataset: Dataset): Chart[] => {
  const movements = movementsIn(dataset)
  return byCurrency(dataset.lines).map(([currency]) => {
    const isOfCurrency = (each: { readonly currency: string }) => each.currency === currency
    const changes = movements.filter(isOfCurrency)
    const ends = sumsByMonth(dataset.months, dataset.activeLines.filter(isOfCurrency))
    const names = ['New', 'Reactivation', 'Expansion', 'Contraction', 'Churn'] as const
    const series = names.map((name) => seriesOf(name, totalsOf(dataset, changes, [name])))
    const starts = ends.map((end, index) => series.reduce((rest, { values }) => rest - values[index]!, end))
    return chartOf(dataset.months, currency, [seriesOf('Start', starts), ...series, seriesOf('End', ends)])
  })
}

/** Returns the series of the customers or subscriptions that lines belong to by `idOf`: active, gained (by movements), lost. */
const activityIn = (dataset: Dataset, idOf: (line: ActiveLine) => string) => {
  const spans = groupsOf(dataset.activeLines, idOf).map(activeInAnyCurrency)
  const changes = spans.flatMap(changesOf)
  const active = seriesOf('Active', sumsByMonth(dataset.months, spans.flat()))
  const gained = (name: string, ...names: MovementName[]): Series =>
    seriesOf(name, totalsOf(dataset, changes, names))
  const churn = totalsOf(dataset, changes, ['Churn'])
  const lost = seriesOf(
    'Lost',
    churn.map((count) => 0 - count),
  )
  return { active, gained, lost }
}

const changeNames = { New: 'New', Reactivation: 'Reactivated', Churn: 'Lost' } as const

/** Returns who became active or stopped being so, oldest first, including those before the first month of charts. */
export const customerChangesIn = (dataset: Dataset): CustomerChange[] => {
  const changes = groupsOf(dataset.activeLines, ({ invoice }) => invoice.customer_id).flatMap((lines) => {
    const { customer_id } = lines[0]!.invoice
    return changesOf(activeInAnyCurrency(lines)).map((change) => ({ ...change, customer_id }))
  })
  return upToNow(dataset, changes).map(({ month, customer_id, name }) => ({
    month,
    customer_id,
    name: changeNames[name as keyof typeof changeNames],
  }))
}

/** Returns how many customers are active, new, reactivated and lost. */
export const customersChart = (dataset: Dataset): Chart => {
  const { active, gained, lost } = activityIn(dataset, ({ invoice }) => invoice.customer_id)
  const series = [active, gained('New', 'New'), gained('Reactivated', 'Reactivation'), lost]
  return chartOf(dataset.months, undefined, series)
}

/** Returns how many subscriptions are active, new and lost. */
export const subscriptionsChart = (dataset: Dataset): Chart => {
  const { active, gained, lost } = activityIn(dataset, ({ invoice }) => invoice.subscription_id)
  return chartOf(dataset.months, undefined, [active, gained('New', 'New', 'Reactivation'), lost])
}
