import { sum } from 'd3-array'
import type { ListRow } from './columns.ts'
import { isAmount } from './list-sort.ts'

export interface Sums {
  readonly currency: string
  readonly count: number
  readonly amounts: Readonly<Record<string, number>>
  /** The number of rows with a negative total, and the sum of these totals. Only invoices have it. */
  readonly credits?: { readonly count: number; readonly total: number }
}

const creditsOf = (rows: readonly ListRow[]): Pick<Sums, 'credits'> => {
  const totals = rows.map(({ cells }) => cells.total).filter(isAmount)
  if (totals.length === 0) return {}
  const negative = totals.map(({ amount }) => amount).filter((amount) => amount < 0)
  return { credits: { count: negative.length, total: sum(negative) } }
}

const sumsOfCurrency = (currency: string, rows: readonly ListRow[]): Sums => {
  const amounts: Record<string, number> = {}
  for (const { cells } of rows)
    for (const [key, value] of Object.entries(cells))
      if (isAmount(value)) amounts[key] = (amounts[key] ?? 0) + value.amount
  return { currency, count: rows.length, amounts, ...creditsOf(rows) }
}

/** The sums of rows, for each currency in the order of `currencies`. Rows without a currency are omitted. */
export const sumsOf = (rows: readonly ListRow[], currencies: readonly string[]): Sums[] => {
  const groups = Map.groupBy(rows, ({ currency }) => currency)
  return currencies.flatMap((currency) => {
    const group = groups.get(currency)
    return group ? [sumsOfCurrency(currency, group)] : []
  })
}
