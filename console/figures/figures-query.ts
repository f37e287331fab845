import type { CalendarMonth, CurrencyMonths } from '../../client/analytics/index.ts'
import type { Snapshot } from '../records/snapshot.ts'

/** What a view of figures asks for. */
export interface FiguresQuery {
  /** By default that of most invoices. */
  readonly currency?: string | undefined
  /** How many months; by default all. */
  readonly months?: number | undefined
  /** The key of the customers' metadata by whose values figures are divided; by default they are divided by plan. */
  readonly by?: string | undefined
}

/** Returns the currency that is asked for, or else that of most invoices; undefined without invoices. */
export const chosenCurrency = (snapshot: Snapshot, { currency }: FiguresQuery): string | undefined => {
  const currencies = snapshot.currencies()
  return currencies.find((each) => each === currency) ?? currencies[0]
}

/** Returns the months of a currency; undefined if there are none. */
export const monthsOf = <Record extends CalendarMonth>(
  currencies: readonly CurrencyMonths<Record>[],
  currency: string,
): readonly Record[] | undefined => currencies.find((each) => each.currency === currency)?.months
