import type { Dataset } from './dataset.ts'
import { byCurrency, groupsOf } from './groups.ts'
import { currencyOf, linesOf, planOf } from './lines.ts'
import { recordsByMonth } from './months.ts'
import type { CurrencyMonths, Invoice, InvoicedMonth, Ranking } from './types.ts'

/** An amount that counts towards a row of a ranking. */
type Share = Ranking['rows'][number] & { readonly currency: string }

/** Returns the invoices created up to the end of the current month. */
const createdInvoices = ({ invoices, calendar, currentMonth }: Dataset): readonly Invoice[] =>
  invoices.filter(({ created }) => calendar.monthOf(created) <= currentMonth)

/** Returns the sum of the totals of the invoices created in each month, for each currency. */
export const invoicedTotals = (dataset: Dataset): CurrencyMonths<InvoicedMonth>[] => {
  const { months, calendar } = dataset
  return byCurrency(createdInvoices(dataset)).map(([currency, invoices]) => {
    const sums = months.map(() => 0)
    for (const { created, total } of invoices) {
      const index = calendar.monthOf(created) - months[0]!
      if (index >= 0) sums[index]! += total
    }
    return { currency, months: recordsByMonth(months, (index) => ({ invoiced: sums[index]! })) }
  })
}

const rankingsOf = (shares: readonly Share[]): Ranking[] =>
  byCurrency(shares).map(([currency, sharesIn]) => ({
    currency,
    rows: groupsOf(sharesIn, ({ key }) => key)
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
    createdInvoices(dataset).map(({ currency, customer_id, total }) => ({
      currency,
      key: customer_id,
      name: customer_id,
      amount: total,
    })),
  )

/** Returns the sum of each plan's lines, without discounts and tax. */
export const planRankings = (dataset: Dataset): Ranking[] =>
  rankingsOf(
    createdInvoices(dataset).flatMap((invoice) => {
      const netAmountOf = dataset.conventions.netAmounts(invoice)
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
  const name = discounts.map((discount) => discount.name ?? discount.id).join(' + ') || null
  return linesOf(invoice)
    .filter((line) => line.discount_amount)
    .map((line) => ({ currency: currencyOf(line, invoice), key, name, amount: line.discount_amount! }))
}

/** Returns the sum of the amounts that each discount, or combination of discounts, took off. */
export const discountRankings = (dataset: Dataset): Ranking[] =>
  rankingsOf(createdInvoices(dataset).flatMap(discountShares))
