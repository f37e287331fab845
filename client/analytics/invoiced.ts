import type { Dataset } from './dataset.ts'
import { byCurrency, compareTexts, SumsByCurrency } from './lines/groups.ts'
import type { Invoice } from './lines/invoice.ts'
import { currencyOf, linesOf, planOf } from './lines/line-properties.ts'
import { type NetLine, visitNets } from './lines/net-lines.ts'
import { recordsByMonth } from './months.ts'
import { quotient } from './rates.ts'
import type { BySegment } from './segments.ts'
import type { CurrencyMonths, DiscountMonth, InvoicedMonth, Ranking } from './types.ts'

/** Returns the invoices created up to the end of the current month. */
const createdInvoices = ({ invoices, calendar, currentMonth }: Dataset): readonly Invoice[] =>
  invoices.filter(({ created }) => calendar.monthOf(created) <= currentMonth)

/** Calls `visit` with each line of the invoices created up to the end of the current month. */
export const visitBilled = (dataset: Dataset, visit: (line: NetLine) => void): void =>
  visitNets(createdInvoices(dataset), dataset.conventions, visit)

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

/** Sums of amounts by currency and key. */
class RankingSums {
  readonly #currencies = new SumsByCurrency(() => new Map<string, Row>())

  /** Adds an amount to the row with this key. The row has the name of its first amount. */
  add(currency: string, key: string, name: string | null, amount: number): void {
    const rows = this.#currencies.of(currency)
    const row = rows.get(key) ?? { key, name, amount: 0 }
    rows.set(key, { ...row, amount: row.amount + amount })
  }

  rankings(): Ranking[] {
    return this.#currencies.map((currency, rows) => ({
      currency,
      rows: [...rows.values()].sort((a, b) => b.amount - a.amount || compareTexts(a.key, b.key)),
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

/** Adds up the nets of lines by the row of each line. */
const netRankings = (dataset: Dataset, rowOf: (line: NetLine) => RowKey | undefined): Ranking[] => {
  const sums = new RankingSums()
  visitBilled(dataset, (line) => {
    const row = rowOf(line)
    if (row) sums.add(line.currency, row.key, row.name, line.net)
  })
  return sums.rankings()
}

/** Returns the sum of each plan's lines, without discounts and tax. An invoice without lines is of no plan. */
export const planRankings = (dataset: Dataset): Ranking[] =>
  netRankings(dataset, ({ line }) => line && planOf(line))

/** Returns the net of each customer's invoices. */
export const netCustomerRankings = (dataset: Dataset): Ranking[] =>
  netRankings(dataset, ({ invoice }) => ({ key: invoice.customer_id, name: invoice.customer_id }))

/** Returns the net of the invoices of each segment's customers. */
export const segmentRankings = (dataset: Dataset, { segmentOf }: BySegment): Ranking[] =>
  netRankings(dataset, ({ invoice }) => {
    const segment = segmentOf(invoice.customer_id)
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
    const discounts = [...(invoice.discounts ?? [])].sort((a, b) => compareTexts(a.id, b.id))
    const key = discounts.map(({ id }) => id).join(' + ')
    const name = discounts.map((discount) => discount.name ?? discount.id).join(' + ') || null
    for (const line of discounted) sums.add(currencyOf(line, invoice), key, name, line.discount_amount!)
  }
  return sums.rankings()
}

/** Returns what discounts took off in each month, and of how much, for each currency. */
export const discountsByCurrency = (dataset: Dataset): CurrencyMonths<DiscountMonth>[] => {
  const { months, calendar } = dataset
  const currencies = new SumsByCurrency(() => months.map(() => ({ amount: 0, discount: 0 })))
  for (const invoice of createdInvoices(dataset)) {
    const index = calendar.monthOf(invoice.created) - months[0]!
    for (const line of linesOf(invoice)) {
      const sum = currencies.of(currencyOf(line, invoice))[index]
      if (!sum) continue
      sum.amount += line.amount ?? 0
      sum.discount += line.discount_amount ?? 0
    }
  }
  return currencies.map((currency, sums) => ({
    currency,
    months: recordsByMonth(months, (index) => {
      const { amount, discount } = sums[index]!
      return { amount, discount, share: quotient(discount, amount) }
    }),
  }))
}
