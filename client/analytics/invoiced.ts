import type { Dataset } from './dataset.ts'
import { byCurrency } from './lines/groups.ts'
import type { Invoice, Line } from './lines/invoice.ts'
import { currencyOf, linesOf, planOf } from './lines/line-properties.ts'
import { recordsByMonth } from './months.ts'
import { quotient } from './rates.ts'
import type { BySegment } from './segments.ts'
import type { CurrencyMonths, DiscountMonth, InvoicedMonth, Ranking } from './types.ts'

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

type Row = Ranking['rows'][number]

/** Sums of amounts by currency and key. Amounts are added one by one, since a list of them would be as long as the list of all lines. */
class RankingSums {
  readonly #currencies = new Map<string, Map<string, Row>>()

  /** Adds an amount to the row with this key. The row has the name of its first amount. */
  add(currency: string, key: string, name: string | null, amount: number): void {
    const rows = this.#currencies.get(currency) ?? new Map<string, Row>()
    this.#currencies.set(currency, rows)
    const row = rows.get(key) ?? { key, name, amount: 0 }
    rows.set(key, { ...row, amount: row.amount + amount })
  }

  /** Returns the rankings of the currencies, in the order of their codes. */
  rankings(): Ranking[] {
    return [...this.#currencies]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, rows]) => ({
        currency,
        rows: [...rows.values()].sort((a, b) => b.amount - a.amount || (a.key < b.key ? -1 : 1)),
      }))
  }
}

/** Returns the sum of each customer's invoices. */
export const customerRankings = (dataset: Dataset): Ranking[] => {
  const sums = new RankingSums()
  for (const { currency, customer_id, total } of createdInvoices(dataset))
    sums.add(currency, customer_id, customer_id, total)
  return sums.rankings()
}

type RowKey = Pick<Row, 'key' | 'name'>

/** Adds up the nets of lines by the row of each line. An invoice without lines has its total as net, since its tax is unknown. */
const netRankings = (
  dataset: Dataset,
  rowOf: (invoice: Invoice, line: Line | undefined) => RowKey | undefined,
): Ranking[] => {
  const sums = new RankingSums()
  const add = (invoice: Invoice, line: Line | undefined, net: number): void => {
    const row = rowOf(invoice, line)
    const currency = line ? currencyOf(line, invoice) : invoice.currency
    if (row) sums.add(currency, row.key, row.name, net)
  }
  for (const invoice of createdInvoices(dataset)) {
    const lines = linesOf(invoice)
    const netAmountOf = dataset.conventions.netAmounts(invoice)
    for (const line of lines) add(invoice, line, netAmountOf(line))
    if (lines.length === 0) add(invoice, undefined, invoice.total)
  }
  return sums.rankings()
}

/** Returns the sum of each plan's lines, without discounts and tax. An invoice without lines is of no plan. */
export const planRankings = (dataset: Dataset): Ranking[] =>
  netRankings(dataset, (_invoice, line) => line && planOf(line))

/** Returns the net of each customer's invoices. */
export const netCustomerRankings = (dataset: Dataset): Ranking[] =>
  netRankings(dataset, ({ customer_id }) => ({ key: customer_id, name: customer_id }))

/** Returns the net of the invoices of each segment's customers. */
export const segmentRankings = (dataset: Dataset, { segmentOf }: BySegment): Ranking[] =>
  netRankings(dataset, ({ customer_id }) => {
    const segment = segmentOf(customer_id)
    return { key: segment, name: segment }
  })

/**
 * Returns the sum of the amounts that each discount, or combination of discounts, took off. The discounts of an invoice count
 * together, since a line does not name its discount.
 */
export const discountRankings = (dataset: Dataset): Ranking[] => {
  const sums = new RankingSums()
  for (const invoice of createdInvoices(dataset)) {
    const discounted = linesOf(invoice).filter((line) => line.discount_amount)
    if (discounted.length === 0) continue
    const discounts = [...(invoice.discounts ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1))
    const key = discounts.map(({ id }) => id).join(' + ')
    const name = discounts.map((discount) => discount.name ?? discount.id).join(' + ') || null
    for (const line of discounted) sums.add(currencyOf(line, invoice), key, name, line.discount_amount!)
  }
  return sums.rankings()
}

/** Returns what discounts took off in each month, and of how much, for each currency. */
export const discountsByCurrency = (dataset: Dataset): CurrencyMonths<DiscountMonth>[] => {
  const { months, calendar } = dataset
  const currencies = new Map<string, { amount: number; discount: number }[]>()
  for (const invoice of createdInvoices(dataset)) {
    const index = calendar.monthOf(invoice.created) - months[0]!
    for (const line of linesOf(invoice)) {
      const currency = currencyOf(line, invoice)
      const sums = currencies.get(currency) ?? months.map(() => ({ amount: 0, discount: 0 }))
      currencies.set(currency, sums)
      const sum = sums[index]
      if (!sum) continue
      sum.amount += line.amount ?? 0
      sum.discount += line.discount_amount ?? 0
    }
  }
  return [...currencies]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, sums]) => ({
      currency,
      months: recordsByMonth(months, (index) => {
        const { amount, discount } = sums[index]!
        return { amount, discount, share: quotient(discount, amount) }
      }),
    }))
}
