import type { CalendarMonth, CurrencyMonths } from '../../client/analytics/index.ts'
import type { Snapshot } from '../records/snapshot.ts'

export interface FiguresQuery {
  /** By default, the currency of most invoices. */
  readonly currency?: string | undefined
  /** The number of months, up to the current one; undefined for all months. */
  readonly months?: number | undefined
  /** The key of the customers' metadata by whose values figures are divided; undefined if they are divided by plan. */
  readonly by?: string | undefined
}

/** The currency of a query if an invoice has it, or otherwise the currency of most invoices; undefined without invoices. */
export const chosenCurrency = (snapshot: Snapshot, { currency }: FiguresQuery): string | undefined => {
  const currencies = snapshot.currencies()
  return currency !== undefined && currencies.includes(currency) ? currency : currencies[0]
}

/** Returns the first second of a number of months up to the current one; negative infinity for all months. */
export const firstSecondOf = ({ calendar, now }: Snapshot, months: number | undefined): number =>
  months ? calendar.startOf(calendar.monthOf(now) - months + 1) : Number.NEGATIVE_INFINITY

export const monthsInCurrency = <FiguresMonth extends CalendarMonth>(
  monthsByCurrency: readonly CurrencyMonths<FiguresMonth>[],
  currency: string,
): readonly FiguresMonth[] | undefined =>
  monthsByCurrency.find((months) => months.currency === currency)?.months
