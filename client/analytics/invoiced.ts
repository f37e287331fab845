import { type Book, chartOf, type Invoiced, named, sortedGroups } from './book.ts'
import { currencyOf, linesOf, netIn, planOf } from './recurring-lines.ts'
import type { Chart, Invoice, Ranking } from './types.ts'

/** An amount that counts towards something. */
interface Share {
  readonly currency: string
  readonly key: string
  readonly name: string
  readonly amount: number
}

/** Returns the invoices that were created up to the end of the running month. */
const createdIn = ({ invoices, calendar, now }: Invoiced): readonly Invoice[] => {
  const last = calendar.monthOf(now)
  return invoices.filter(({ created }) => calendar.monthOf(created) <= last)
}

/** Returns the totals of the invoices created in each month, a chart for each currency. */
export const invoicedCharts = (book: Book): Chart[] => {
  const first = book.months[0]!
  return sortedGroups(createdIn(book), ({ currency }) => currency).map(([currency, of]) => {
    const values = book.months.map(() => 0)
    for (const { created, total } of of) {
      const index = book.calendar.monthOf(created) - first
      if (index >= 0) values[index]! += total
    }
    return chartOf(book, currency, [named('Invoiced', values)])
  })
}

/** Adds up amounts by what they count towards. */
const rankingsOf = (shares: readonly Share[]): Ranking[] =>
  sortedGroups(shares, ({ currency }) => currency).map(([currency, of]) => ({
    currency,
    rows: [...Map.groupBy(of, ({ key }) => key).values()]
      .map((same) => ({
        key: same[0]!.key,
        name: same[0]!.name,
        amount: same.reduce((sum, { amount }) => sum + amount, 0),
      }))
      .sort((a, b) => b.amount - a.amount || (a.key < b.key ? -1 : 1)),
  }))

/** Returns what each customer was invoiced. */
export const customerRankings = (invoiced: Invoiced): Ranking[] =>
  rankingsOf(
    createdIn(invoiced).map(({ currency, customer_id, total }) => ({
      currency,
      key: customer_id,
      name: customer_id,
      amount: total,
    })),
  )

/** Returns what was billed for each plan without discount and tax. */
export const planRankings = (invoiced: Invoiced): Ranking[] =>
  rankingsOf(
    createdIn(invoiced).flatMap((invoice) => {
      const net = netIn(invoice)
      return linesOf(invoice).map((line) => ({
        ...planOf(line),
        currency: currencyOf(line, invoice),
        amount: net(line),
      }))
    }),
  )

/** Returns what the discounts of an invoice took off its lines, all together: a line does not name its discount. */
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

/** Returns what each discount, or several together, took off. */
export const discountRankings = (invoiced: Invoiced): Ranking[] =>
  rankingsOf(createdIn(invoiced).flatMap(discountShares))
