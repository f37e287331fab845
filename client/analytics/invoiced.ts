import { chartOf, seriesOf } from './charts.ts'
import type { Dataset } from './dataset.ts'
import { byCurrency, groupsOf } from './groups.ts'
import { currencyOf, linesOf, netAmounts, planOf } from './recurring-lines.ts'
import type { Chart, Invoice, Ranking } from './types.ts'

/** An amount that counts towards a row of a ranking. */
type Share = Ranking['rows'][number] & { readonly currency: string }

const createdIn = ({ invoices, calendar, now }: Dataset): readonly Invoice[] => {
  const last = calendar.monthOf(now)
  return invoices.filter(({ created }) => calendar.monthOf(created) <= last)
}

/** Returns the totals of the invoices created in each month, a chart for each currency. */
export const invoicedCharts = (dataset: Dataset): Chart[] => {
  const first = dataset.months[0]!
  return byCurrency(createdIn(dataset)).map(([currency, invoices]) => {
    const values = dataset.months.map(() => 0)
    for (const { created, total } of invoices) {
      const index = dataset.calendar.monthOf(created) - first
      if (index >= 0) values[index]! += total
    }
    return chartOf(dataset.months, currency, [seriesOf('Invoiced', values)])
  })
}

const rankingsOf = (shares: readonly Share[]): Ranking[] =>
  byCurrency(shares).map(([currency, ofCurrency]) => ({
    currency,
    rows: groupsOf(ofCurrency, ({ key }) => key)
      .map((group) => ({
        key: group[0]!.key,
        name: group[0]!.name,
        amount: group.reduce((sum, { amount }) => sum + amount, 0),
      }))
      .sort((a, b) => b.amount - a.amount || (a.key < b.key ? -1 : 1)),
  }))

/** Returns the sum of each customer's invoices. */
export const customerRankings = (dataset: Dataset): Ranking[] =>
  rankingsOf(
    createdIn(dataset).map(({ currency, customer_id, total }) => ({
      currency,
      key: customer_id,
      name: customer_id,
      amount: total,
    })),
  )

/** Returns the sum of each plan's lines, without discounts and tax. */
export const planRankings = (dataset: Dataset): Ranking[] =>
  rankingsOf(
    createdIn(dataset).flatMap((invoice) => {
      const netAmountOf = netAmounts(invoice)
      return linesOf(invoice).map((line) => ({
        ...planOf(line),
        currency: currencyOf(line, invoice),
        amount: netAmountOf(line),
      }))
    }),
  )

/** Returns the discount amounts of an invoice. Its discounts count together, since a line does not name its discount. */
const discountShares = (invoice: Invoice): Share[] => {
  const discounts = [...(invoice.discounts ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1))
  const key = discounts.map(({ id }) => id).join(' + ')
  const name = discounts.map((each) => each.name ?? each.id).join(' + ') || 'No discount named'
  return linesOf(invoice).flatMap((line) =>
    line.discount_amount
      ? [{ currency: currencyOf(line, invoice), key, name, amount: line.discount_amount }]
      : [],
  )
}

/** Returns the sum of the amounts that each discount, or combination of discounts, took off. */
export const discountRankings = (dataset: Dataset): Ranking[] =>
  rankingsOf(createdIn(dataset).flatMap(discountShares))
