import { type Month, type MovementsMonth, movementsByMonth } from '../../client/analytics/index.ts'
import type { Snapshot } from '../records/snapshot.ts'
import { monthsInCurrency } from './figures-query.ts'

/** The figures of the customers with one value of a key of the metadata. */
export interface SegmentFigures {
  readonly value: string
  /** The movements of their recurring revenue in one currency, by month. */
  readonly months: ReadonlyMap<Month, MovementsMonth>
  /** The amount billed to them in the months that are shown, without discount and tax. */
  readonly billed: number
}

/** Returns the figures of each segment in a currency. `since` is the first second of the months that are shown. */
export const segmentFigures = (
  snapshot: Snapshot,
  by: string,
  { currency, since }: { readonly currency: string; readonly since: number },
): SegmentFigures[] => {
  const inCurrency = snapshot.invoices.filter((invoice) => invoice.currency === currency)
  const groups = Map.groupBy(inCurrency, ({ customer_id }) => snapshot.segmentOf(customer_id, by))
  return [...groups].map(([value, invoices]) => {
    const months =
      monthsInCurrency(movementsByMonth(invoices, snapshot.now, snapshot.timeZone), currency) ?? []
    const shown = invoices.filter(({ created }) => created >= since && created < snapshot.endOfMonth)
    return {
      value,
      months: new Map(months.map((month) => [month.month, month])),
      billed: shown.reduce((sum, invoice) => sum + snapshot.amountsOf(invoice).net, 0),
    }
  })
}

const NO_MOVEMENTS = { start: 0, new: 0, reactivation: 0, expansion: 0, contraction: 0, churn: 0, end: 0 }

/** Returns the movements of each segment over some months together, largest revenue first. */
export const segmentMovements = (segments: readonly SegmentFigures[], months: readonly Month[]) =>
  segments
    .map(({ value, months: movementsOfMonths }) => {
      const sums = { ...NO_MOVEMENTS, start: movementsOfMonths.get(months[0]!)?.start ?? 0 }
      for (const month of months) {
        const movements = movementsOfMonths.get(month) ?? NO_MOVEMENTS
        sums.new += movements.new
        sums.reactivation += movements.reactivation
        sums.expansion += movements.expansion
        sums.contraction += movements.contraction
        sums.churn += movements.churn
      }
      sums.end = movementsOfMonths.get(months.at(-1)!)?.end ?? 0
      return { value, ...sums }
    })
    .sort((a, b) => b.end - a.end)
