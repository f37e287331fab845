import { type Invoice, netOf, planOf } from './invoice.ts'

/** Returns the items of each currency alone, in the order of the codes. */
export const byCurrency = <Item extends { readonly currency: string }>(items: readonly Item[]) =>
  [...Map.groupBy(items, ({ currency }) => currency)].sort(([a], [b]) => (a < b ? -1 : 1))

/** An amount in minor units that counts towards something. */
interface Share<Key> {
  readonly key: Key
  readonly amount: number
}

/** Adds up amounts by what they count towards. */
export const totalsOf = <Key>(shares: readonly Share<Key>[]): Map<Key, number> => {
  const totals = new Map<Key, number>()
  for (const { key, amount } of shares) totals.set(key, (totals.get(key) ?? 0) + amount)
  return totals
}

/** What amounts of one currency come to, the greatest first; amounts are in minor units. */
export interface Ranking {
  readonly currency: string
  readonly rows: readonly Share<string>[]
}

const rankingsOf = (shares: readonly (Share<string> & { readonly currency: string })[]): Ranking[] =>
  byCurrency(shares).map(([currency, of]) => ({
    currency,
    rows: [...totalsOf(of)]
      .map(([key, amount]) => ({ key, amount }))
      .sort((a, b) => b.amount - a.amount || (a.key < b.key ? -1 : 1)),
  }))

/** Returns what each customer was invoiced, by the customer's id. */
export const invoicedByCustomer = (invoices: readonly Invoice[]): Ranking[] =>
  rankingsOf(invoices.map(({ currency, customer_id: key, total: amount }) => ({ currency, key, amount })))

/** Returns what was billed for each plan: the lines that name its prices, after their discounts. */
export const billedByPlan = (invoices: readonly Invoice[]): Ranking[] =>
  rankingsOf(
    invoices.flatMap(({ currency, line_items }) =>
      line_items.map((line) => ({
        currency: line.currency ?? currency,
        key: planOf(line),
        amount: netOf(line),
      })),
    ),
  )

/**
 * Returns what discounts took off: the discounts of all lines. An invoice that names several counts for all of them
 * together, since its lines do not say which one took what.
 */
export const discountedByDiscount = (invoices: readonly Invoice[]): Ranking[] =>
  rankingsOf(
    invoices.flatMap(({ currency, discounts, line_items }) => {
      const names = discounts.map(({ name, id }) => name ?? id).sort()
      return line_items
        .filter(({ discount_amount }) => discount_amount)
        .map((line) => ({
          currency: line.currency ?? currency,
          key: names.join(' + ') || 'No discount named',
          amount: line.discount_amount!,
        }))
    }),
  )
